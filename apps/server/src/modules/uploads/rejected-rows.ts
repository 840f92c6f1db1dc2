import { buildValueRule } from '@trellis/table-files/profile/value-rule'
import { ROW_FORMAT, cellFor, markMisfit, encodeRows, formatRaw } from '@trellis/table-files/read/copy-rows'
import { type FileRow, SHOWN_VALUE, shorten } from '@trellis/table-files/read/dialect'
import { type BrokenRule, explainMisfits } from '@trellis/loads/checks'
import { type RejectedRange, fillStage } from '@trellis/loads/fill-stage'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { ROW_COLUMN } from '@trellis/loads/stage'
import type { Session } from '@trellis/workspace-db/session'
import { createByteSource, withLoadSession } from './job-work.ts'
import type { PlanColumn } from './plan/load-plan.ts'
import { type Staging, countLines, openTable, toSessionTarget } from './staging.ts'

interface FoundRow {
  readonly row: FileRow
  readonly column: string
}

/** COPY reports lines; the file is read again to find their rows. */
async function* findRows(staging: Staging, rejected: readonly RejectedRange[]): AsyncGenerator<FoundRow[]> {
  const table = await openTable(createByteSource(staging.work), staging.profile)
  const waiting = [...rejected]
  let line = 0
  for await (const batch of table.rows()) {
    staging.work.signal.throwIfAborted()
    const rows: FoundRow[] = []
    for (const row of batch) {
      const next = waiting[0]
      if (!next) break
      if (row.row < next.firstRow || row.fault) continue
      if (row.row === next.firstRow) line = 0
      line += countLines(staging, row.cells)
      if (line !== next.line) continue
      rows.push({ row, column: next.column })
      waiting.shift()
    }
    if (rows.length > 0) yield rows
    if (waiting.length === 0) return
  }
  throw new Error(`${waiting.length} rejected rows were not found in the file again.`)
}

export async function explainRejected(staging: Staging, rejected: readonly RejectedRange[]): Promise<RejectedRow[]> {
  if (rejected.length === 0) return []
  const told: RejectedRow[] = []
  staging.work.progress.step = 'Finding rows that do not fit'
  await withDateOrder(staging, async (session) => {
    for await (const rows of findRows(staging, rejected)) told.push(...(await explain(session, rows, staging)))
  })
  return told
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

async function explain(session: Session, rows: readonly FoundRow[], staging: Staging): Promise<RejectedRow[]> {
  const blamed = rows.map(({ row, column: name }) => {
    const column = staging.plan.columns.find((candidate) => candidate.name === name)
    return { row, column, value: column ? getCellValue(row, column, staging) : null }
  })
  const misfits = blamed.map(({ column, value }) => ({
    column: column?.name ?? '',
    type: column?.type ?? 'text',
    value: value ?? '',
    dateOrder: staging.profile.dialect.date_order,
  }))
  const reasons = await explainMisfits(session, misfits)
  return blamed.map(({ row, column, value }, at) => ({
    row: row.row,
    line: row.line,
    column: column?.name ?? null,
    value: value === null ? null : shorten(toShown(row, column, value), SHOWN_VALUE),
    reason: reasons[at] ?? 'The value does not fit the type of the column.',
    raw: formatRaw(row),
  }))
}

function toShown(row: FileRow, column: PlanColumn | undefined, value: string): string {
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
  const badRejectedRows: RejectedRow[] = []
  let emptied = 0
  work.progress.step = 'Emptying values that do not fit'
  const rows = await withDateOrder(staging, async (session) => {
    async function* readMendedRows(): AsyncGenerator<FileRow[]> {
      for await (const found of findRows(staging, rejected)) {
        const fixed: FileRow[] = []
        for (const entry of found) {
          const fix = await emptyMisfits(session, entry.row, staging)
          if (fix.isBad) badRejectedRows.push(...(await explain(session, [entry], staging)))
          else {
            emptied += fix.count
            fixed.push(fix.row)
          }
        }
        if (fixed.length > 0) yield fixed
      }
    }
    const { rows: staged } = await fillStage(database.cluster, toSessionTarget(staging), {
      stage,
      columns: [...(isNumbered ? [ROW_COLUMN] : []), ...plan.columns.map(({ name }) => name)],
      emptyIsNull: [],
      format: ROW_FORMAT,
      dateOrder: profile.dialect.date_order,
      blocks: encodeRows(readMendedRows(), {
        rules: plan.rules,
        isNumbered,
        onFault: (fault) => {
          throw new Error(`A mended row does not fit: ${fault.reason}`)
        },
      }),
      rejectLimit: 1,
      lanes: 1,
    })
    return staged
  })
  return { rows, bad: badRejectedRows, emptied }
}

async function emptyMisfits(session: Session, row: FileRow, staging: Staging) {
  const { plan } = staging
  const filled = plan.columns.flatMap((column) => {
    const value = column.kind === 'text' && column.type === 'text' ? null : getCellValue(row, column, staging)
    return value === null ? [] : [{ column, value }]
  })
  const reasons = await explainMisfits(
    session,
    filled.map(({ column, value }) => ({ column: column.name, type: column.type, value })),
  )
  const wrong = filled.filter((_, at) => reasons[at] !== null).map(({ column }) => column)
  const cells = row.cells.map((cell, at) => (wrong.some(({ source }) => source === at) ? null : cell))
  const isBad = wrong.length === 0 || wrong.some(({ name }) => plan.required.includes(name))
  return { isBad, count: wrong.length, row: { ...row, cells } }
}

export async function describeBroken(staging: Staging, broken: readonly BrokenRule[]): Promise<RejectedRow[]> {
  if (broken.length === 0) return []
  const waiting = new Map(broken.map((rule) => [rule.row, rule]))
  const told: RejectedRow[] = []
  const table = await openTable(createByteSource(staging.work), staging.profile)
  for await (const batch of table.rows()) {
    staging.work.signal.throwIfAborted()
    for (const row of batch) {
      const rule = waiting.get(row.row)
      if (!rule) continue
      waiting.delete(row.row)
      told.push({ ...rule, line: row.line, raw: formatRaw(row) })
    }
    if (waiting.size === 0) return told
  }
  throw new Error(`${waiting.size} rows were not found in the file again.`)
}
