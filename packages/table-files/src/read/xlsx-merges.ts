import { asBuffer } from './byte-source.ts'
import { limitInflation } from './unpack.ts'
import type { Workbook } from './xlsx-parts.ts'

/** Only the first cell holds the value. */
export interface MergedCells {
  readonly ref: string
  readonly column: number
  readonly from: number
  readonly to: number
}

const ROWS_END = 'sheetData'
const MAX_MERGES = 100_000
const MAX_TAIL_BYTES = 16 * 1024 * 1024
const RANGE = /mergeCell\s[^>]*?ref="(([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7}))"/g

/** Merged ranges follow the rows, so the part is unpacked once without parsing. */
export async function readMergedCells(
  { zip }: Workbook,
  entry: Workbook['sheets'][number]['entry'],
): Promise<MergedCells[]> {
  let tail = ''
  let isBehindRows = false
  for await (const chunk of limitInflation(zip.read(entry), entry.compressedSize)) {
    tail += asBuffer(chunk).toString('latin1')
    if (!isBehindRows) {
      const end = /<\/(?:\w+:)?sheetData>|<(?:\w+:)?sheetData\s*\/>/.exec(tail)
      isBehindRows = end !== null
      tail = end ? tail.slice(end.index) : tail.slice(-(ROWS_END.length + 40))
    }
    if (tail.length > MAX_TAIL_BYTES) break
  }
  if (!isBehindRows) return []
  return [...tail.matchAll(RANGE)]
    .slice(0, MAX_MERGES)
    .map(([, ref = '', letters = '', from, to]) => ({
      ref,
      column: columnAt(letters),
      from: Number(from),
      to: Number(to),
    }))
    .filter(({ from, to }) => to > from)
}

export function columnAt(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

interface MergedCell {
  readonly cell: string
  readonly kinds: number
  readonly to: number
}

export function createMergeFiller(merges: readonly MergedCells[]) {
  const starts = new Map<number, MergedCells[]>()
  for (const merge of merges) starts.set(merge.from, [...(starts.get(merge.from) ?? []), merge])
  const held = new Map<number, MergedCell>()
  let filled = 0
  let example = ''
  return {
    fill({ line, cells, kinds }: { line: number; cells: (string | null)[]; kinds: number[] }): void {
      for (const [column, { cell, kinds: own, to }] of held) {
        if (line > to) held.delete(column)
        else if ((cells[column] ?? null) === null) {
          while (cells.length < column) {
            cells.push(null)
            kinds.push(0)
          }
          cells[column] = cell
          kinds[column] = own
          filled += 1
        }
      }
      for (const { ref, column, to } of starts.get(line) ?? []) {
        const cell = cells[column] ?? null
        if (cell === null) continue
        held.set(column, { cell, kinds: kinds[column] ?? 0, to })
        example ||= `${ref}, “${cell.slice(0, 60)}”`
      }
    },
    warnings: (): string[] =>
      filled === 0
        ? []
        : [
            `Cells that are merged over several rows hold one value, such as ${example}; it is loaded into each of these rows (${filled.toLocaleString('en')} cells filled).`,
          ],
  }
}
