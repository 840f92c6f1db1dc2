import type { RowBytes } from './data-rows.ts'
import type { Value } from './portal.ts'

const DATA_ROW = 'D'.charCodeAt(0)
const CODE_BYTES = 1
const HEADER_BYTES = 7

/** Truncated after a power cut, or sent by a hostile server. */
const incompleteRowsError = () => new Error('The rows are not complete.')

export function findRowEnd(bytes: Buffer, count: number, from = 0): number {
  let offset = from
  for (let row = 0; row < count; row += 1) {
    if (offset + HEADER_BYTES > bytes.length || bytes[offset] !== DATA_ROW) throw incompleteRowsError()
    offset += CODE_BYTES + bytes.readUInt32BE(offset + CODE_BYTES)
  }
  if (offset > bytes.length) throw incompleteRowsError()
  return offset
}

export const readRowSize = (bytes: Buffer, offset: number): number => bytes.readUInt32BE(offset + CODE_BYTES)

export function decodeRows({ bytes, rows }: RowBytes, range = { skip: 0, count: rows }): Value[][] {
  const decodedRows: Value[][] = []
  let offset = findRowEnd(bytes, range.skip)
  for (let row = 0; row < range.count; row += 1) {
    const end = findRowEnd(bytes, 1, offset)
    decodedRows.push(decodeRow(bytes, offset, end))
    offset = end
  }
  return decodedRows
}

function decodeRow(bytes: Buffer, start: number, end: number): Value[] {
  const values: Value[] = []
  const count = bytes.readUInt16BE(start + HEADER_BYTES - 2)
  let offset = start + HEADER_BYTES
  for (let column = 0; column < count; column += 1) {
    if (offset + 4 > end) throw incompleteRowsError()
    const length = bytes.readInt32BE(offset)
    offset += 4
    if (length < 0) values.push(null)
    else {
      if (offset + length > end) throw incompleteRowsError()
      values.push(bytes.toString('utf8', offset, offset + length))
      offset += length
    }
  }
  return values
}
