import type { CsvRecords } from '../load.ts'
import { type CellHash, type KeyCell, setValue } from './cell-hash.ts'

const NEWLINE = 10
const RETURN = 13

type CsvLayout = Pick<CsvRecords, 'delimiter' | 'quote' | 'columns' | 'emptyIsNull'>

export function hashCsvRecords(
  bytes: Uint8Array,
  { csv, places }: { csv: CsvLayout; places: readonly number[] },
  hash: CellHash,
): void {
  const signs: Signs = { delimiter: csv.delimiter.charCodeAt(0), quote: csv.quote.charCodeAt(0) }
  const cells = csv.columns.map((name, column) => {
    const cell = hash.cells[places[column] ?? -1]
    return cell && { cell, isEmptyNull: csv.emptyIsNull.includes(name), quote: signs.quote }
  })
  let at = 0
  while (at < bytes.length) {
    for (let column = 0, isEnd = false; !isEnd; column += 1) {
      const from = at
      at = endOfCell(bytes, from, signs)
      const wanted = cells[column]
      if (wanted) setCell(wanted, bytes, { from, to: at })
      isEnd = bytes[at] !== signs.delimiter
      at += 1
    }
    if (bytes[at - 1] === RETURN && bytes[at] === NEWLINE) at += 1
    hash.add()
  }
}

interface Signs {
  readonly delimiter: number
  readonly quote: number
}

function endOfCell(bytes: Uint8Array, from: number, { delimiter, quote }: Signs): number {
  let isQuoted = false
  let at = from
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) isQuoted = !isQuoted
    else if (!isQuoted && (byte === delimiter || byte === NEWLINE || byte === RETURN)) break
  }
  return at
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
  if (hasQuotes) setValue(cell, isEmptyNull && to - from === 2 ? null : unquoteCell(bytes.subarray(from, to), quote))
}

/** Doubled quotes. */
function unquoteCell(cell: Uint8Array, quote: number): Uint8Array {
  const meant = new Uint8Array(cell.length)
  let size = 0
  let isQuoted = false
  for (let at = 0; at < cell.length; at += 1) {
    const byte = cell[at] as number
    if (byte !== quote) meant[size++] = byte
    else if (!isQuoted) isQuoted = true
    else if (cell[at + 1] === quote) {
      meant[size++] = quote
      at += 1
    } else isQuoted = false
  }
  return meant.subarray(0, size)
}
