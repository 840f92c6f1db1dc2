import { parseLine } from '../copy-lines.ts'
import { type CellHash, setCellValue } from './cell-hash.ts'

const TAB = 9
const NEWLINE = 10
const BACKSLASH = 92

/** Hashes the key of each line of COPY text. `places`: for each column, its index in `hash.cells`, or -1. */
export function hashTextLines(chunk: Uint8Array, cellIndexes: readonly number[], hash: CellHash): void {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  const size = bytes.length
  const cells = cellIndexes.map((index) => hash.cells[index])
  const lastKeyColumn = cellIndexes.findLastIndex((index) => index >= 0)
  const add = lastKeyColumn === 0 ? hash.addNumber : undefined
  const skipLineNumbers = (lineStart: number) => (add ? skipNumbers(bytes, lineStart, add) : lineStart)
  for (let offset = skipLineNumbers(0); offset < size; offset = skipLineNumbers(offset)) {
    for (let column = 0; column <= lastKeyColumn; column += 1) {
      const cellStart = offset
      let isEscaped = false
      for (; offset < size; offset += 1) {
        const byte = bytes[offset]
        if (byte === TAB || byte === NEWLINE) break
        if (byte === BACKSLASH) isEscaped = true
      }
      const cell = cells[column]
      if (cell) {
        cell.bytes = bytes
        cell.from = cellStart
        cell.to = offset
        cell.isNull = false
        if (isEscaped) setCellValue(cell, unescapeCell(bytes.toString('utf8', cellStart, offset)))
      }
      if (column < lastKeyColumn && bytes[offset] === TAB) offset += 1
    }
    hash.add()
    const end = bytes.indexOf(NEWLINE, offset)
    offset = end < 0 ? size : end + 1
  }
}

const ZERO = 48
const NINE = 57
const MAX_DIGITS = 9

/** Fast path for a numeric first column; returns where it ends. */
function skipNumbers(bytes: Buffer, start: number, add: (value: number) => void): number {
  let lineStart = start
  while (lineStart < bytes.length) {
    let offset = lineStart
    let value = 0
    let byte = bytes[offset] ?? 0
    while (byte >= ZERO && byte <= NINE && offset - lineStart < MAX_DIGITS) {
      value = value * 10 + byte - ZERO
      offset += 1
      byte = bytes[offset] ?? 0
    }
    if (offset === lineStart || (byte !== TAB && byte !== NEWLINE)) return lineStart
    add(value)
    const end = bytes.indexOf(NEWLINE, offset)
    lineStart = end < 0 ? bytes.length : end + 1
  }
  return lineStart
}

function unescapeCell(written: string): Uint8Array | null {
  const [value = null] = parseLine(written)
  return value === null ? null : Buffer.from(value)
}
