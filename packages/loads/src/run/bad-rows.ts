import type { Session } from '@trellis/workspace-db/session'
import { explainMisfits } from '../checks.ts'
import type { RejectedRow } from '../rejected-rows.ts'
import type { SkippedLine } from '../copy-csv.ts'
import { parseLine, findLines } from './copy-lines.ts'
import { type Chunk, type Load, RowsRefused } from './load.ts'

export interface BadRow extends RejectedRow {
  readonly cells: Readonly<Record<string, string | null>>
}

interface ChunkOffset {
  readonly chunk: Chunk
  readonly before: number
}

export async function explainSkipped(
  session: Session,
  load: Load,
  { skipped, chunk, before }: ChunkOffset & { skipped: readonly SkippedLine[] },
): Promise<BadRow[]> {
  if (skipped.length === 0) return []
  const lines = findLines(
    chunk,
    skipped.map(({ line }) => line),
  )
  const found = skipped.map(({ line, column }) => {
    const cells = toNamedCells(load, lines.get(line) ?? '')
    return { line, column, cells, value: cells[column] ?? null }
  })
  const reasons = await explainMisfits(
    session,
    found.map(({ column, value }) => ({
      column,
      type: load.columns.find(({ name }) => name === column)?.postgres ?? 'text',
      value: value ?? '',
    })),
  )
  return found.map(({ line, column, cells, value }, at) => ({
    row: before + (chunk.places?.[line - 1] ?? line),
    line: before + (chunk.places?.[line - 1] ?? line),
    column,
    value: value === null ? null : value.slice(0, 500),
    reason: reasons[at] ?? 'The value does not fit its column.',
    raw: lines.get(line) ?? '',
    cells,
  }))
}

export function toNamedCells(load: Load, line: string): Record<string, string | null> {
  const cells = parseLine(line)
  return Object.fromEntries(load.columns.map(({ name }, at) => [name, cells[at] ?? null]))
}

export function toBadRows({ columns }: Load, { rejected = [] }: Chunk, before: number): BadRow[] {
  return rejected.map(({ line, reason, raw, cells }, at) => ({
    row: before + at + 1,
    line,
    column: null,
    value: null,
    reason,
    raw,
    cells: Object.fromEntries(columns.map(({ field, name }) => [name, cells[field] ?? null])),
  }))
}

export function assertWithin({ badRows }: Load, bad: readonly BadRow[], known: number): void {
  const [first] = bad
  const all = known + bad.length
  if (!first || (badRows.choice !== 'stop' && all <= badRows.most)) return
  const where = first.column === null ? '' : ` in ${first.column}`
  const value = first.value === null ? '' : ` (${JSON.stringify(first.value.slice(0, 80))})`
  const place = first.line === first.row ? 'Row' : 'Line'
  const example = `${place} ${first.line.toLocaleString('en')}${where}${value}: ${first.reason}`
  if (badRows.choice === 'stop') throw new RowsRefused(`A row does not fit. ${example}`)
  throw new RowsRefused(`More rows do not fit than the limit of ${badRows.most.toLocaleString('en')}. ${example}`)
}
