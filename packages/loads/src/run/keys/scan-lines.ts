import { parseLine } from '../copy-lines.ts'
import { type CellHash, setValue } from './cell-hash.ts'

const TAB = 9
const NEWLINE = 10
const BACKSLASH = 92

/** Hashes the key of each line of COPY text. `places`: for each column, its index in `hash.cells`, or -1. */
export function hashTextLines(given: Uint8Array, places: readonly number[], hash: CellHash): void {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const size = bytes.length
  const cells = places.map((index) => hash.cells[index])
  const last = places.findLastIndex((index) => index >= 0)
  const add = last === 0 ? hash.addNumber : undefined
  const skipLineNumbers = (line: number) => (add ? skipNumbers(bytes, line, add) : line)
  for (let at = skipLineNumbers(0); at < size; at = skipLineNumbers(at)) {
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
        if (isEscaped) setValue(cell, unescapeCell(bytes.toString('utf8', from, at)))
      }
      if (column < last && bytes[at] === TAB) at += 1
    }
    hash.add()
    const end = bytes.indexOf(NEWLINE, at)
    at = end < 0 ? size : end + 1
  }
}

const ZERO = 48
const NINE = 57
const MAX_DIGITS = 9

/** Fast path for a numeric first column; returns where it ends. */
function skipNumbers(bytes: Buffer, from: number, add: (value: number) => void): number {
  let line = from
  while (line < bytes.length) {
    let at = line
    let value = 0
    let byte = bytes[at] ?? 0
    while (byte >= ZERO && byte <= NINE && at - line < MAX_DIGITS) {
      value = value * 10 + byte - ZERO
      at += 1
      byte = bytes[at] ?? 0
    }
    if (at === line || (byte !== TAB && byte !== NEWLINE)) return line
    add(value)
    const end = bytes.indexOf(NEWLINE, at)
    line = end < 0 ? bytes.length : end + 1
  }
  return line
}

function unescapeCell(written: string): Uint8Array | null {
  const [value = null] = parseLine(written)
  return value === null ? null : Buffer.from(value)
}
