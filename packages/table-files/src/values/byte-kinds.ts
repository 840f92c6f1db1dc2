import { COMMA_NUMBER, DATES, KIND, MARK, NUMERIC, TIMESTAMPS, ZONED } from './kinds.ts'
import { isCalendarDay } from './moments.ts'

const ZERO = 48
const NINE = 57
const MINUS = 45
const POINT = 46

const ALONE = new Int32Array(256).fill(-1)
for (const letter of 'tfynTFYN') ALONE[letter.charCodeAt(0)] = KIND.boolean | MARK.word
for (const digit of '0123456789') ALONE[digit.charCodeAt(0)] = NUMERIC

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE

/** Fast path on bytes; -1: use the slow path. Most values never become strings. */
export function detectByteKinds(buffer: Buffer, from: number, to: number): number {
  const length = to - from
  const first = buffer[from] as number
  if (length === 1) return ALONE[first] as number
  if (first > NINE) return isAnswer(buffer, from, length) ? KIND.boolean : -1
  const start = first === MINUS ? from + 1 : from
  let at = start
  while (at < to && isDigit(buffer[at] as number)) at += 1
  if (at === to) return length > 15 || (start > from && buffer[start] === ZERO) ? -1 : wholeKinds(buffer, start, at)
  if (at - start === 4 && start === from && buffer[at] === MINUS && length >= 10)
    return detectTimestamp(buffer, from, length)
  return buffer[at] === POINT && at > start ? fractionKinds(buffer, [from, start, at], to) : -1
}

const ANSWERS = [Buffer.from('true'), Buffer.from('false')]

function isAnswer(buffer: Buffer, from: number, length: number): boolean {
  const answer = ANSWERS[length - 4]
  if (!answer) return false
  for (let at = 0; at < length; at += 1) if (buffer[from + at] !== answer[at]) return false
  return true
}

function fractionKinds(buffer: Buffer, [from, start, point]: readonly [number, number, number], to: number): number {
  let at = point + 1
  while (at < to && isDigit(buffer[at] as number)) at += 1
  if (at !== to || at === point + 1 || wholeKinds(buffer, start, point) === 0) return -1
  // -0.00 loses its sign, which needs a warning.
  if (start > from && buffer[start] === ZERO) return -1
  const kinds = KIND.decimal | KIND.float | (to - from > 15 ? MARK.exact : 0)
  const isGroup = to - point === 4 && point - start <= 3 && buffer[start] !== ZERO
  return isGroup ? kinds | COMMA_NUMBER | MARK.twoNumbers : kinds
}

function wholeKinds(buffer: Buffer, start: number, end: number): number {
  if (start === end) return 0
  return buffer[start] === ZERO && end - start > 1 ? 0 : NUMERIC
}

function parseTwoDigits(buffer: Buffer, at: number): number {
  const [tens, ones] = [buffer[at] as number, buffer[at + 1] as number]
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : 99
}

/** `2024-02-29`, with or without `T12:30:00` and `Z`, `+01` or `+01:00`. */
function detectTimestamp(buffer: Buffer, from: number, length: number): number {
  if (buffer[from + 7] !== MINUS) return -1
  const year = parseTwoDigits(buffer, from) * 100 + parseTwoDigits(buffer, from + 2)
  if (!isCalendarDay(year, parseTwoDigits(buffer, from + 5), parseTwoDigits(buffer, from + 8))) return -1
  if (length === 10) return DATES | TIMESTAMPS | ZONED | MARK.unzoned
  const isMoment =
    (buffer[from + 10] === 84 || buffer[from + 10] === 32) && buffer[from + 13] === 58 && buffer[from + 16] === 58
  if (!isMoment || length < 19) return -1
  if (
    parseTwoDigits(buffer, from + 11) > 23 ||
    parseTwoDigits(buffer, from + 14) > 59 ||
    parseTwoDigits(buffer, from + 17) > 59
  )
    return -1
  if (length === 19) return TIMESTAMPS | ZONED | MARK.unzoned
  return isZone(buffer, from + 19, length - 19) ? ZONED : -1
}

function isZone(buffer: Buffer, at: number, length: number): boolean {
  const sign = buffer[at]
  if (sign === 90) return length === 1
  if ((sign !== 43 && sign !== MINUS) || parseTwoDigits(buffer, at + 1) === 99) return false
  return length === 3 || (length === 6 && buffer[at + 3] === 58 && parseTwoDigits(buffer, at + 4) !== 99)
}
