import { type KeyColumn, CANONICAL_FORMS } from './key-kinds.ts'
import type { KeySum } from './key-sum.ts'
import { type Halves, type Span, hashBytes, hashInteger } from './postgres-hash.ts'

export interface KeyCell extends Span {
  isNull: boolean
}

export function setCellValue(cell: KeyCell, value: Uint8Array | null): void {
  cell.isNull = value === null
  cell.bytes = value ?? NOTHING
  cell.from = 0
  cell.to = cell.bytes.length
}

export interface CellHash {
  readonly cells: readonly KeyCell[]
  add(): void
  /** Fast path for a key of one non-negative 31-bit integer. */
  readonly addNumber: ((value: number) => void) | undefined
  /** Resets the sum. */
  take(): KeySum
}

const NOTHING = new Uint8Array()
const TWO_POW_32 = 2 ** 32
const MAX_DIGITS = 15
const MINUS = 45
const ZERO = 48
const scratch = new Uint8Array(64)
const encoder = new TextEncoder()

export function createCellHash(key: readonly KeyColumn[]): CellHash {
  const cells: KeyCell[] = key.map(() => ({ bytes: NOTHING, from: 0, to: 0, isNull: false }))
  const seed: Halves = { high: 0, low: 0 }
  let highs = 0
  let lows = 0
  let rows = 0
  let unhashedRows = 0
  const addNumber = (value: number) => {
    rows += 1
    seed.high = 0
    seed.low = 0
    hashInteger(0, value, seed)
    highs += seed.high
    lows += seed.low >>> 0
  }
  return {
    cells,
    add() {
      rows += 1
      seed.high = 0
      seed.low = 0
      for (let index = 0; index < key.length; index += 1) {
        const cell = cells[index] as KeyCell
        if (cell.isNull) return
        if (!hashCell(key[index] as KeyColumn, cell, seed)) {
          unhashedRows += 1
          return
        }
      }
      highs += seed.high
      lows += seed.low >>> 0
    },
    addNumber: key.length === 1 && key[0]?.kind === 'integer' ? addNumber : undefined,
    take() {
      const sum = { hash: BigInt(highs) * BigInt(TWO_POW_32) + BigInt(lows), rows, unknown: unhashedRows }
      ;[highs, lows, rows, unhashedRows] = [0, 0, 0, 0]
      return sum
    },
  }
}

function hashCell({ kind, maxCharacters: mostCharacters }: KeyColumn, cell: KeyCell, seed: Halves): boolean {
  if (kind === 'integer') return hashDigits(cell, seed) || hashBigInteger(decodeSpan(cell), seed)
  if (kind === 'text') {
    if (cell.to - cell.from > mostCharacters) return false
    hashBytes(cell, seed)
    return true
  }
  const canonicalText = CANONICAL_FORMS[kind](decodeSpan(cell))
  if (canonicalText === undefined || canonicalText.length > scratch.length) return false
  hashBytes({ bytes: scratch, from: 0, to: encoder.encodeInto(canonicalText, scratch).written }, seed)
  return true
}

const decodeSpan = ({ bytes, from, to }: Span) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')

function hashDigits({ bytes, from, to }: Span, seed: Halves): boolean {
  const isNegative = bytes[from] === MINUS
  let offset = isNegative ? from + 1 : from
  if (offset === to || to - offset > MAX_DIGITS) return false
  let value = 0
  for (; offset < to; offset += 1) {
    const digit = (bytes[offset] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return false
    value = value * 10 + digit
  }
  if (isNegative) value = -value
  const high = Math.floor(value / TWO_POW_32)
  hashInteger(high, (value - high * TWO_POW_32) | 0, seed)
  return true
}

function hashBigInteger(text: string, seed: Halves): boolean {
  const digits = text.trim()
  if (!/^[+-]?\d+$/.test(digits)) return false
  const value = BigInt.asIntN(64, BigInt(digits.replace('+', '')))
  hashInteger(Number(value >> 32n), Number(BigInt.asIntN(32, value)), seed)
  return true
}
