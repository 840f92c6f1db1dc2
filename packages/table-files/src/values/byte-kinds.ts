import { COMMA_NUMBER, DATES, KIND, MARK, NUMERIC, TIMESTAMPS, ZONED } from './kinds.ts'
import { isCalendarDay } from './moments.ts'

const ZERO = 48
const NINE = 57
const MINUS = 45
const POINT = 46
const COLON = 58
/** Longer numbers may lose digits in a double, or not fit a bigint. */
const SAFE_LENGTH = 15
const MAX_WHOLE_LENGTH = 18

const ALONE = new Int32Array(256).fill(-1)
for (const letter of 'tfynTFYN') ALONE[letter.charCodeAt(0)] = KIND.boolean | MARK.word
for (const digit of '0123456789') ALONE[digit.charCodeAt(0)] = NUMERIC

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE

function skipDigits(buffer: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && isDigit(buffer[at] as number)) at += 1
  return at
}

/** A value in a buffer. The object is reused. */
export interface Cell {
  buffer: Buffer
  from: number
  to: number
}

/** Fast path on bytes, without an allocation; -1: use the slow path. Most values never become strings. */
export function detectByteKinds(buffer: Buffer, from: number, to: number): number {
  const length = to - from
  const first = buffer[from] as number
  if (length === 1) return ALONE[first] as number
  if (length === UUID_LENGTH && HEX[first] !== 0) return detectUuid(buffer, from)
  if (first > NINE) return isAnswer(buffer, from, length) ? KIND.boolean : -1
  const isDay = length >= 10 && buffer[from + 4] === MINUS && first !== MINUS
  return isDay ? detectTimestamp(buffer, from, length) : detectNumber(buffer, from, to)
}

function detectNumber(buffer: Buffer, from: number, to: number): number {
  const start = buffer[from] === MINUS ? from + 1 : from
  const end = skipDigits(buffer, start, to)
  if (end === start) return -1
  // 007 is a code. -0 and -0.00 lose their sign, which needs a warning.
  const isZero = buffer[start] === ZERO
  if (isZero && (end > start + 1 || start > from)) return end === to && start === from ? 0 : -1
  const exact = to - from > SAFE_LENGTH ? MARK.exact : 0
  if (end === to) return to - from > MAX_WHOLE_LENGTH ? -1 : NUMERIC | exact
  if (buffer[end] !== POINT || end + 1 === to || skipDigits(buffer, end + 1, to) !== to) return -1
  const isGroup = to - end === 4 && end - start <= 3 && !isZero
  return KIND.decimal | KIND.float | exact | (isGroup ? COMMA_NUMBER | MARK.twoNumbers : 0)
}

const ANSWERS = [Buffer.from('true'), Buffer.from('false')]

function isAnswer(buffer: Buffer, from: number, length: number): boolean {
  const answer = ANSWERS[length - 4]
  if (!answer) return false
  for (let at = 0; at < length; at += 1) if (buffer[from + at] !== answer[at]) return false
  return true
}

/** Lower-case letters and digits are 1, upper-case letters 2. */
const HEX = new Uint8Array(256)
for (const sign of '0123456789abcdef') HEX[sign.charCodeAt(0)] = 1
for (const sign of 'ABCDEF') HEX[sign.charCodeAt(0)] = 2
const UUID_LENGTH = 36

const isDashPlace = (at: number) => at === 8 || at === 13 || at === 18 || at === 23

function detectUuid(buffer: Buffer, from: number): number {
  let signs = 0
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const byte = buffer[from + at] as number
    if (isDashPlace(at) ? byte !== MINUS : HEX[byte] === 0) return -1
    signs |= HEX[byte] as number
  }
  return KIND.uuid | ((signs & 2) === 0 ? 0 : MARK.capitals)
}

/** 99 if they are no digits: too much for a month, a day or a clock. */
function parseTwoDigits(buffer: Buffer, at: number): number {
  const tens = (buffer[at] as number) - ZERO
  const ones = (buffer[at + 1] as number) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 99
}

/** `2024-02-29`, with or without `T12:30:00`, `.123456` and `Z`, `+01` or `+01:00`. */
function detectTimestamp(buffer: Buffer, from: number, length: number): number {
  if (buffer[from + 7] !== MINUS || skipDigits(buffer, from, from + 4) !== from + 4) return -1
  const year = parseTwoDigits(buffer, from) * 100 + parseTwoDigits(buffer, from + 2)
  if (!isCalendarDay(year, parseTwoDigits(buffer, from + 5), parseTwoDigits(buffer, from + 8))) return -1
  if (length === 10) return DATES | TIMESTAMPS | ZONED | MARK.unzoned
  if (length < 19 || !isClock(buffer, from + 10)) return -1
  const to = from + length
  let at = from + 19
  if (at < to && buffer[at] === POINT) {
    const end = skipDigits(buffer, at + 1, to)
    if (end === at + 1 || end - at > 7) return -1
    at = end
  }
  if (at === to) return TIMESTAMPS | ZONED | MARK.unzoned
  return isZone(buffer, at, to - at) ? ZONED : -1
}

/** `T12:30:00` or ` 12:30:00`. */
function isClock(buffer: Buffer, at: number): boolean {
  const first = buffer[at]
  if ((first !== 84 && first !== 32) || buffer[at + 3] !== COLON || buffer[at + 6] !== COLON) return false
  return (
    parseTwoDigits(buffer, at + 1) <= 23 && parseTwoDigits(buffer, at + 4) <= 59 && parseTwoDigits(buffer, at + 7) <= 59
  )
}

function isZone(buffer: Buffer, at: number, length: number): boolean {
  const sign = buffer[at]
  if (sign === 90) return length === 1
  if ((sign !== 43 && sign !== MINUS) || (length !== 3 && length !== 6)) return false
  if (parseTwoDigits(buffer, at + 1) === 99) return false
  return length === 3 || (buffer[at + 3] === COLON && parseTwoDigits(buffer, at + 4) !== 99)
}
