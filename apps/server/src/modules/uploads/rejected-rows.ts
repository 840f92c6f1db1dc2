import { buildValueRule } from '@trellis/table-files/profile/value-rule'
import { ROW_FORMAT, cellFor, markMisfit, encodeRows, formatRaw } from '@trellis/table-files/read/copy-rows'
import { type FileRow, SHOWN_VALUE, shorten } from '@trellis/table-files/read/dialect'
import { type RuleViolation, explainMisfits } from '@trellis/loads/checks'
import { type RejectedRange, fillStage } from '@trellis/loads/fill-stage'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { ROW_COLUMN } from '@trellis/loads/stage'
import type { Session } from '@trellis/workspace-db/session'
import { createByteSource, withLoadSession } from './job-work.ts'
import type { PlanColumn } from './plan/load-plan.ts'
import { type Staging, countLines, openTable, toSessionTarget } from './staging.ts'

interface RejectedFileRow {
  readonly row: FileRow
  readonly column: string
}

/** COPY reports lines; the file is read again to find their rows. */
async function* streamRejectedRows(
  staging: Staging,
  rejected: readonly RejectedRange[],
): AsyncGenerator<RejectedFileRow[]> {
  const table = await openTable(createByteSource(staging.work), staging.profile)
  const remainingRanges = [...rejected]
  let line = 0
  for await (const batch of table.rows()) {
    staging.work.signal.throwIfAborted()
    const rows: RejectedFileRow[] = []
    for (const row of batch) {
      const nextRange = remainingRanges[0]
      if (!nextRange) break
      if (row.row < nextRange.firstRow || row.fault) continue
      if (row.row === nextRange.firstRow) line = 0
      line += countLines(staging, row.cells)
      if (line !== nextRange.line) continue
      rows.push({ row, column: nextRange.column })
      remainingRanges.shift()
    }
    if (rows.length > 0) yield rows
    if (remainingRanges.length === 0) return
  }
  throw new Error(`${remainingRanges.length} rejected rows were not found in the file again.`)
}

/** Finds the rejected records in the file again, to tell their value and the reason. */
export async function explainRejected(staging: Staging, rejected: readonly RejectedRange[]): Promise<RejectedRow[]> {
  if (rejected.length === 0) return []
  const explainedRows: RejectedRow[] = []
  staging.work.progress.step = 'Finding rows that do not fit'
  await withDateOrder(staging, async (session) => {
    for await (const rows of streamRejectedRows(staging, rejected))
      explainedRows.push(...(await explainRows(session, rows, staging)))
  })
  return explainedRows
}

async function withDateOrder<T>(
  { work, database, profile }: Staging,
  task: (session: Session) => Promise<T>,
): Promise<T> {
  return await withLoadSession(database, work.signal, async (session) => {
    await session.query({ text: `set datestyle = 'ISO, ${profile.dialect.date_order}'` })
    return await task(session)
  })
}

const getCellValue = (row: FileRow, column: PlanColumn, { plan, profile }: Staging) =>
  cellFor(row.cells[column.source] ?? null, buildValueRule(column.source, column.kind, profile), plan.rules)

async function explainRows(
  session: Session,
  rows: readonly RejectedFileRow[],
  staging: Staging,
): Promise<RejectedRow[]> {
  const rowsWithValues = rows.map(({ row, column: name }) => {
    const column = staging.plan.columns.find((candidate) => candidate.name === name)
    return { row, column, value: column ? getCellValue(row, column, staging) : null }
  })
  const misfits = rowsWithValues.map(({ column, value }) => ({
    column: column?.name ?? '',
    type: column?.type ?? 'text',
    value: value ?? '',
    dateOrder: staging.profile.dialect.date_order,
  }))
  const reasons = await explainMisfits(session, misfits)
  return rowsWithValues.map(({ row, column, value }, index) => ({
    row: row.row,
    line: row.line,
    column: column?.name ?? null,
    value: value === null ? null : shorten(toShownValue(row, column, value), SHOWN_VALUE),
    reason: reasons[index] ?? 'The value does not fit the type of the column.',
    raw: formatRaw(row),
  }))
}

function toShownValue(row: FileRow, column: PlanColumn | undefined, value: string): string {
  const cell = column && row.cells[column.source]
  return typeof cell === 'string' && value === markMisfit(cell) ? cell : value
}

export interface CorrectionResult {
  readonly rows: number
  readonly bad: readonly RejectedRow[]
  readonly emptied: number
}

/** Replaces misfits by NULL; rows with NOT NULL columns stay rejected. */
export async function nullifyMisfits(
  staging: Staging,
  rejected: readonly RejectedRange[],
  { stage, isNumbered }: { stage: string; isNumbered: boolean },
): Promise<CorrectionResult> {
  const { work, database, plan, profile } = staging
  const badRows: RejectedRow[] = []
  let emptied = 0
  work.progress.step = 'Emptying values that do not fit'
  const rows = await withDateOrder(staging, async (session) => {
    async function* readCorrectedRows(): AsyncGenerator<FileRow[]> {
      for await (const foundRows of streamRejectedRows(staging, rejected)) {
        const correctedRows: FileRow[] = []
        for (const entry of foundRows) {
          const correction = await emptyMisfits(session, entry.row, staging)
          if (correction.isBad) badRows.push(...(await explainRows(session, [entry], staging)))
          else {
            emptied += correction.count
            correctedRows.push(correction.row)
          }
        }
        if (correctedRows.length > 0) yield correctedRows
      }
    }
    const { rows: stagedCount } = await fillStage(database.cluster, toSessionTarget(staging), {
      stage,
      columns: [...(isNumbered ? [ROW_COLUMN] : []), ...plan.columns.map(({ name }) => name)],
      emptyIsNull: [],
      format: ROW_FORMAT,
      dateOrder: profile.dialect.date_order,
      blocks: encodeRows(readCorrectedRows(), {
        rules: plan.rules,
        isNumbered,
        onFault: (fault) => {
          throw new Error(`A mended row does not fit: ${fault.reason}`)
        },
      }),
      rejectLimit: 1,
      lanes: 1,
    })
    return stagedCount
  })
  return { rows, bad: badRows, emptied }
}

async function emptyMisfits(session: Session, row: FileRow, staging: Staging) {
  const { plan } = staging
  const filledCells = plan.columns.flatMap((column) => {
    const value = column.kind === 'text' && column.type === 'text' ? null : getCellValue(row, column, staging)
    return value === null ? [] : [{ column, value }]
  })
  const reasons = await explainMisfits(
    session,
    filledCells.map(({ column, value }) => ({ column: column.name, type: column.type, value })),
  )
  const misfitColumns = filledCells.filter((_, index) => reasons[index] !== null).map(({ column }) => column)
  const cells = row.cells.map((cell, index) => (misfitColumns.some(({ source }) => source === index) ? null : cell))
  const isBad = misfitColumns.length === 0 || misfitColumns.some(({ name }) => plan.required.includes(name))
  return { isBad, count: misfitColumns.length, row: { ...row, cells } }
}

/** Adds line and text from the file, which is read again. */
export async function describeViolations(
  staging: Staging,
  violations: readonly RuleViolation[],
): Promise<RejectedRow[]> {
  if (violations.length === 0) return []
  const violationByRow = new Map(violations.map((violation) => [violation.row, violation]))
  const rejectedRows: RejectedRow[] = []
  const table = await openTable(createByteSource(staging.work), staging.profile)
  for await (const batch of table.rows()) {
    staging.work.signal.throwIfAborted()
    for (const row of batch) {
      const violation = violationByRow.get(row.row)
      if (!violation) continue
      violationByRow.delete(row.row)
      rejectedRows.push({ ...violation, line: row.line, raw: formatRaw(row) })
    }
    if (violationByRow.size === 0) return rejectedRows
  }
  throw new Error(`${violationByRow.size} rows were not found in the file again.`)
}
