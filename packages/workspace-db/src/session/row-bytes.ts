import type { RowBytes } from './data-rows.ts'
import type { Value } from './portal.ts'

const DATA_ROW = 'D'.charCodeAt(0)
const CODE_BYTES = 1
const HEADER_BYTES = 7

/** Truncated after a power cut, or sent by a hostile server. */
const brokenRows = () => new Error('The rows are not complete.')

export function findRowEnd(bytes: Buffer, count: number, from = 0): number {
  let at = from
  for (let row = 0; row < count; row += 1) {
    if (at + HEADER_BYTES > bytes.length || bytes[at] !== DATA_ROW) throw brokenRows()
    at += CODE_BYTES + bytes.readUInt32BE(at + CODE_BYTES)
  }
  if (at > bytes.length) throw brokenRows()
  return at
}

export const readRowSize = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at + CODE_BYTES)

export function decodeRows({ bytes, rows }: RowBytes, range = { skip: 0, count: rows }): Value[][] {
  const found: Value[][] = []
  let at = findRowEnd(bytes, range.skip)
  for (let row = 0; row < range.count; row += 1) {
    const end = findRowEnd(bytes, 1, at)
    found.push(decodeRow(bytes, at, end))
    at = end
  }
  return found
}

function decodeRow(bytes: Buffer, start: number, end: number): Value[] {
  const values: Value[] = []
  const count = bytes.readUInt16BE(start + HEADER_BYTES - 2)
  let at = start + HEADER_BYTES
  for (let column = 0; column < count; column += 1) {
    if (at + 4 > end) throw brokenRows()
    const length = bytes.readInt32BE(at)
    at += 4
    if (length < 0) values.push(null)
    else {
      if (at + length > end) throw brokenRows()
      values.push(bytes.toString('utf8', at, at + length))
      at += length
    }
  }
  return values
}
