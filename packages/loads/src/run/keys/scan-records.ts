import type { CsvRecords } from '../load.ts'
import { type CellHash, type KeyCell, setCellValue } from './cell-hash.ts'

const NEWLINE = 10
const RETURN = 13

type CsvLayout = Pick<CsvRecords, 'delimiter' | 'quote' | 'columns' | 'emptyIsNull'>

export function hashCsvRecords(
  bytes: Uint8Array,
  { csv, cellIndexes }: { csv: CsvLayout; cellIndexes: readonly number[] },
  hash: CellHash,
): void {
  const delimiters: Delimiters = { delimiter: csv.delimiter.charCodeAt(0), quote: csv.quote.charCodeAt(0) }
  const cells = csv.columns.map((name, column) => {
    const cell = hash.cells[cellIndexes[column] ?? -1]
    return cell && { cell, isEmptyNull: csv.emptyIsNull.includes(name), quote: delimiters.quote }
  })
  let offset = 0
  while (offset < bytes.length) {
    for (let column = 0, isEnd = false; !isEnd; column += 1) {
      const from = offset
      offset = findCellEnd(bytes, from, delimiters)
      const keyCell = cells[column]
      if (keyCell) setCell(keyCell, bytes, { from, to: offset })
      isEnd = bytes[offset] !== delimiters.delimiter
      offset += 1
    }
    if (bytes[offset - 1] === RETURN && bytes[offset] === NEWLINE) offset += 1
    hash.add()
  }
}

interface Delimiters {
  readonly delimiter: number
  readonly quote: number
}

function findCellEnd(bytes: Uint8Array, from: number, { delimiter, quote }: Delimiters): number {
  let isQuoted = false
  let offset = from
  for (; offset < bytes.length; offset += 1) {
    const byte = bytes[offset]
    if (byte === quote) isQuoted = !isQuoted
    else if (!isQuoted && (byte === delimiter || byte === NEWLINE || byte === RETURN)) break
  }
  return offset
}

interface CellTarget {
  readonly cell: KeyCell
  readonly isEmptyNull: boolean
  readonly quote: number
}

function setCell(
  { cell, isEmptyNull, quote }: CellTarget,
  bytes: Uint8Array,
  span: { from: number; to: number },
): void {
  const { from, to } = span
  cell.bytes = bytes
  cell.from = from
  cell.to = to
  cell.isNull = from === to
  const hasQuotes = bytes.subarray(from, to).includes(quote)
  if (hasQuotes)
    setCellValue(cell, isEmptyNull && to - from === 2 ? null : unquoteCell(bytes.subarray(from, to), quote))
}

/** Doubled quotes. */
function unquoteCell(cell: Uint8Array, quote: number): Uint8Array {
  const unquoted = new Uint8Array(cell.length)
  let size = 0
  let isQuoted = false
  for (let offset = 0; offset < cell.length; offset += 1) {
    const byte = cell[offset] as number
    if (byte !== quote) unquoted[size++] = byte
    else if (!isQuoted) isQuoted = true
    else if (cell[offset + 1] === quote) {
      unquoted[size++] = quote
      offset += 1
    } else isQuoted = false
  }
  return unquoted.subarray(0, size)
}
