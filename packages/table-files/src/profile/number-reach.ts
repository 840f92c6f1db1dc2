import type { Cell } from '../values/byte-kinds.ts'
import { KIND, MARK, NUMERIC } from '../values/kinds.ts'
import { plainNumber } from '../values/numbers.ts'

const [POINT, ZERO, NINE] = [46, 48, 57]
const POINT_FRACTION = KIND.decimal | KIND.float
const COMMA_FRACTION = KIND.commaDecimal | KIND.commaFloat
/** Digits that a double always preserves. */
export const SAFE_DIGITS = 15

interface Decimals {
  count: number
  example: string
}

export interface NumberReach {
  readonly point: Decimals
  readonly comma: Decimals
  digits: number
  digitsExample: string
  /** The first number that a double cannot represent. */
  pastDouble: string | undefined
}

export const createReach = (): NumberReach => ({
  point: { count: 0, example: '' },
  comma: { count: 0, example: '' },
  digits: 0,
  digitsExample: '',
  pastDouble: undefined,
})

/** Works on bytes; creates a string only if a number is wider than those before. */
export function reachBytes(reach: NumberReach, { buffer, from, to }: Cell): void {
  let point = from
  while (point < to && buffer[point] !== POINT) point += 1
  let end = to
  if (point < to) while (buffer[end - 1] === ZERO) end -= 1
  let first = from
  while (first < end && !isCounted(buffer[first] as number)) first += 1
  const digits = end - first - (first < point && point < end ? 1 : 0)
  const isMore = end - point - 1 > reach.point.count || digits > reach.digits
  if (!isMore && (digits <= SAFE_DIGITS || reach.pastDouble !== undefined)) return
  reachNumber(reach, buffer.toString('latin1', from, to), NUMERIC)
}

const isCounted = (byte: number) => byte > ZERO && byte <= NINE

export function reachNumber(reach: NumberReach, text: string, kinds: number): void {
  if (!isWider(reach, text, kinds)) return
  const isPoint = (kinds & POINT_FRACTION) !== 0
  const isComma = (kinds & COMMA_FRACTION) !== 0
  if (isPoint) recordDecimals(reach.point, text, plainNumber(text, false))
  if (isComma) recordDecimals(reach.comma, text, plainNumber(text, true))
  const number = plainNumber(text, !isPoint)
  const digits = countDigits(number)
  if (digits > reach.digits) {
    reach.digits = digits
    reach.digitsExample = text
  }
  if (digits > SAFE_DIGITS && reach.pastDouble === undefined && !isKeptByDouble(number)) reach.pastDouble = text
}

function isWider(reach: NumberReach, text: string, kinds: number): boolean {
  if ((kinds & (POINT_FRACTION | COMMA_FRACTION)) === 0) return false
  if ((kinds & MARK.scientific) !== 0) return true
  if (text.length > reach.digits + 1 || (text.length > SAFE_DIGITS && reach.pastDouble === undefined)) return true
  return countBehind(text, '.') > reach.point.count || countBehind(text, ',') > reach.comma.count
}

const countBehind = (text: string, sign: '.' | ',') => {
  const at = text.lastIndexOf(sign)
  return at < 0 ? 0 : text.length - 1 - at
}

export function mergeReach(into: NumberReach, from: NumberReach): void {
  for (const sign of ['point', 'comma'] as const)
    if (from[sign].count > into[sign].count) Object.assign(into[sign], from[sign])
  if (from.digits > into.digits) {
    into.digits = from.digits
    into.digitsExample = from.digitsExample
  }
  into.pastDouble ??= from.pastDouble
}

function recordDecimals(most: Decimals, text: string, number: string): void {
  const count = countDecimals(number)
  if (count <= most.count) return
  most.count = count
  most.example = text
}

const NUMBER = /^-?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** A cell may hold millions of zeros, in which `0+$` would try every one as the first. */
function withoutLastZeros(digits: string): string {
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end -= 1
  return digits.slice(0, end)
}

function countDecimals(number: string): number {
  const match = NUMBER.exec(number)
  return match ? Math.max(0, withoutLastZeros(match[2] ?? '').length - Number(match[3] ?? 0)) : 0
}

/** Trailing zeros of integers count, as a real loses a digit there. */
function countDigits(number: string): number {
  const [, whole = '', fraction = '', exponent] = NUMBER.exec(number) ?? []
  return `${whole}${withoutLastZeros(fraction)}`.replace(/^0+/, '').length + (exponent === undefined ? 0 : 1)
}

const isKeptByDouble = (number: string): boolean => toDigits(String(Number(number))) === toDigits(number)

function toDigits(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? []
  const digits = `${whole}${fraction}`
  const zeros = /^0*/.exec(digits)?.[0].length ?? 0
  return `${withoutLastZeros(digits.slice(zeros))}e${Number(exponent) + whole.length - zeros}`
}
