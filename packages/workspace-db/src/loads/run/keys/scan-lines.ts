import { cellsOf } from '../copy-lines.ts'
import { type CellHash, setMeant } from './cell-hash.ts'

const TAB = 9
const NEWLINE = 10
const BACKSLASH = 92

/** Keys of whole lines of COPY text; for each column the place of its value in the key, or -1. */
export function scanLines(given: Uint8Array, places: readonly number[], hash: CellHash): void {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const size = bytes.length
  const cells = places.map((place) => hash.cells[place])
  const last = places.findLastIndex((place) => place >= 0)
  let at = 0
  while (at < size) {
    for (let column = 0; column <= last; column += 1) {
      const from = at
      let isEscaped = false
      for (; at < size; at += 1) {
        const byte = bytes[at]
        if (byte === TAB || byte === NEWLINE) break
        if (byte === BACKSLASH) isEscaped = true
      }
      const cell = cells[column]
      if (cell) {
        cell.bytes = bytes
        cell.from = from
        cell.to = at
        cell.isNull = false
        if (isEscaped) setMeant(cell, unescaped(bytes.toString('utf8', from, at)))
      }
      if (column < last && bytes[at] === TAB) at += 1
    }
    hash.add()
    const end = bytes.indexOf(NEWLINE, at)
    at = end < 0 ? size : end + 1
  }
}

function unescaped(written: string): Uint8Array | null {
  const [value = null] = cellsOf(written)
  return value === null ? null : Buffer.from(value)
}
