import type { Session } from '@trellis/workspace-db/session'
import { explainMisfits } from '../checks.ts'
import type { RejectedRow } from '../rejected-rows.ts'
import type { SkippedLine } from '../copy-csv.ts'
import { parseLine, findLinesByNumber } from './copy-lines.ts'
import { type Chunk, type Load, RowsRefused } from './load.ts'

export interface BadRow extends RejectedRow {
  readonly cells: Readonly<Record<string, string | null>>
}

interface ChunkOffset {
  readonly chunk: Chunk
  readonly rowsBefore: number
}

/** Turns lines that COPY skipped into rejected rows, with the value and the reason. */
export async function explainSkippedLines(
  session: Session,
  load: Load,
  { skipped: skippedLines, chunk, rowsBefore }: ChunkOffset & { skipped: readonly SkippedLine[] },
): Promise<BadRow[]> {
  if (skippedLines.length === 0) return []
  const lines = findLinesByNumber(
    chunk,
    skippedLines.map(({ line }) => line),
  )
  const rejectedCells = skippedLines.map(({ line, column }) => {
    const cells = toNamedCells(load, lines.get(line) ?? '')
    return { line, column, cells, value: cells[column] ?? null }
  })
  const reasons = await explainMisfits(
    session,
    rejectedCells.map(({ column, value: valueText }) => ({
      column,
      type: load.columns.find(({ name }) => name === column)?.postgres ?? 'text',
      value: valueText ?? '',
    })),
  )
  return rejectedCells.map(({ line, column, cells, value: valueText }, index) => ({
    row: rowsBefore + (chunk.places?.[line - 1] ?? line),
    line: rowsBefore + (chunk.places?.[line - 1] ?? line),
    column,
    value: valueText === null ? null : valueText.slice(0, 500),
    reason: reasons[index] ?? 'The value does not fit its column.',
    raw: lines.get(line) ?? '',
    cells,
  }))
}

export function toNamedCells(load: Load, line: string): Record<string, string | null> {
  const cells = parseLine(line)
  return Object.fromEntries(load.columns.map(({ name }, index) => [name, cells[index] ?? null]))
}

export function toBadRows({ columns }: Load, { rejected = [] }: Chunk, rowsBefore: number): BadRow[] {
  return rejected.map(({ line, reason, raw, cells }, index) => ({
    row: rowsBefore + index + 1,
    line,
    column: null,
    value: null,
    reason,
    raw,
    cells: Object.fromEntries(columns.map(({ field, name }) => [name, cells[field] ?? null])),
  }))
}

/** Throws `RowsRefused` if the load allows no rejected rows, or fewer than there are by now. */
export function assertWithinLimit({ badRows }: Load, newBadRows: readonly BadRow[], earlierBadRows: number): void {
  const [firstBadRow] = newBadRows
  const totalBadRows = earlierBadRows + newBadRows.length
  if (!firstBadRow || (badRows.choice !== 'stop' && totalBadRows <= badRows.most)) return
  const columnText = firstBadRow.column === null ? '' : ` in ${firstBadRow.column}`
  const valueText = firstBadRow.value === null ? '' : ` (${JSON.stringify(firstBadRow.value.slice(0, 80))})`
  const position = firstBadRow.line === firstBadRow.row ? 'Row' : 'Line'
  const example = `${position} ${firstBadRow.line.toLocaleString('en')}${columnText}${valueText}: ${firstBadRow.reason}`
  if (badRows.choice === 'stop') throw new RowsRefused(`A row does not fit. ${example}`)
  throw new RowsRefused(`More rows do not fit than the limit of ${badRows.most.toLocaleString('en')}. ${example}`)
}
