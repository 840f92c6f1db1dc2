import { ALL_KINDS, ALL_MARKS, COMMA_NUMBER, KIND, MARK, NUMERIC, POINT_NUMBER, TEMPORAL } from '../values/kinds.ts'
import type { DateOrder } from '../values/moments.ts'
import type { TypeName } from '../values/type-names.ts'
import { readCurrency } from '../values/numbers.ts'
import { detectKinds } from '../values/value-kinds.ts'
import { type NumberReach, createReach, reachNumber } from './number-reach.ts'

export interface ColumnProfile {
  readonly header: string
  readonly fitting_types: readonly TypeName[]
  /** Fits nearly every value: few misfits become rejected rows. Missing in older profiles. */
  readonly likely_type?: TypeName
  readonly empty_values: number
  readonly longest: number
  /** Values that must be rewritten for Postgres, e.g. grouped digits or month names. */
  readonly is_grouped: boolean
  readonly decimal_comma?: boolean
  readonly decimals?: MostSigns
  readonly digits?: MostSigns
  /** A number that a double cannot represent. */
  readonly past_double?: string
  readonly null_tokens?: readonly string[]
}

interface MostSigns {
  readonly count: number
  readonly example: string
}

export interface ColumnTally {
  /** Bit set of `KIND`: what all values fit. */
  kinds: number
  /** Kinds that all values but misfits fit; 0 after too many misfits. */
  likelyKinds: number
  misfits: number
  misfit: string
  isLastMisfit: boolean
  /** Typed by the file; the text's look is only an alternative. */
  isTold: boolean
  values: number
  empty: number
  longest: number
  reach: NumberReach
  /** Bit set of `MARK`: oddities that any value has shown. */
  marks: number
  /** The first value with each mark. */
  examples: Map<number, string>
  lastText: string
  currency: string
  /** Digit groups of one length: phone numbers have it, amounts do not. */
  spacedLength: number
  spaced: number
  words: Map<string, number>
  keptWord: string
  forced: string | undefined
}

export const createTally = (): ColumnTally => ({
  kinds: ALL_KINDS,
  likelyKinds: ALL_KINDS,
  misfits: 0,
  misfit: '',
  isLastMisfit: false,
  isTold: false,
  values: 0,
  empty: 0,
  longest: 0,
  reach: createReach(),
  marks: 0,
  examples: new Map(),
  lastText: '',
  currency: '',
  spacedLength: 0,
  spaced: 0,
  words: new Map(),
  keptWord: '',
  forced: undefined,
})

export function countValue(tally: ColumnTally, text: string, found?: number): void {
  tally.values += 1
  if (text.length > tally.longest) tally.longest = text.length
  if (tally.likelyKinds === 0 && tally.kinds === 0) return
  if (text === tally.lastText && found === undefined) {
    if (tally.isLastMisfit) countMisfit(tally, text)
    else if ((tally.marks & MARK.spaced) !== 0) countSpaced(tally, text)
    return
  }
  tally.lastText = text
  let kinds = found ?? detectKinds(text)
  if ((kinds & MARK.currency) !== 0) {
    const currency = readCurrency(text)
    if (tally.currency === '') tally.currency = currency
    if (currency !== '' && tally.currency !== currency) kinds &= ~NUMERIC
  }
  tally.isTold = found !== undefined
  tally.kinds &= found === undefined ? kinds : kinds | detectKinds(text)
  tally.isLastMisfit = (tally.likelyKinds & kinds) === 0
  if (tally.isLastMisfit) return countMisfit(tally, text)
  tally.likelyKinds &= kinds
  if ((kinds & NUMERIC) !== 0) reachNumber(tally.reach, text, kinds)
  if ((kinds & ALL_MARKS) !== 0) recordMarks(tally, text, kinds & ALL_MARKS)
}

export function countForced(tally: ColumnTally, text: string): void {
  tally.forced ??= text
  tally.values += 1
  tally.longest = Math.max(tally.longest, text.length)
  tally.kinds = 0
  tally.likelyKinds = 0
}

export function recordMarks(tally: ColumnTally, text: string, marks: number): void {
  if ((marks & MARK.spaced) !== 0) countSpaced(tally, text)
  const newMarks = marks & ~tally.marks
  if (newMarks === 0) return
  tally.marks |= marks
  for (const mark of Object.values(MARK)) if ((newMarks & mark) !== 0) tally.examples.set(mark, text)
}

function countSpaced(tally: ColumnTally, text: string): void {
  tally.spaced += 1
  const length = /[.,]/.test(text) ? -1 : text.replaceAll(/\D/g, '').length
  if (tally.spacedLength === 0) tally.spacedLength = length
  else if (tally.spacedLength !== length) tally.spacedLength = -1
}

/** Misfits tolerated before the share is meaningful. */
const MISFITS_ANYWAY = 10
const MISFIT_SHARE = 0.05

function countMisfit(tally: ColumnTally, text: string): void {
  tally.misfits += 1
  if (tally.misfits === 1) tally.misfit = text
  const isTooMany = tally.misfits > MISFITS_ANYWAY && tally.misfits > tally.values * MISFIT_SHARE
  // Postgres would read 007 as 7: if some values are codes, all are.
  if (isTooMany || ((tally.likelyKinds & TEMPORAL) === 0 && /\d/.test(text))) tally.likelyKinds = 0
}

const MIN_PHONE_DIGITS = 7

const isPhone = ({ spaced, values, spacedLength }: ColumnTally) =>
  spaced === values && values > 1 && spacedLength >= MIN_PHONE_DIGITS

/** Misfits are recognised only among numbers and dates. */
export function computeLikelyKinds(tally: ColumnTally): number {
  const { kinds, likelyKinds, misfits, values } = tally
  if (isPhone(tally)) return 0
  if (tally.isTold && misfits === 0) return likelyKinds & ALL_KINDS
  if (tally.isTold && kinds !== 0) return misfits > values * MISFIT_SHARE ? 0 : likelyKinds & (NUMERIC | TEMPORAL)
  return kinds !== 0 || misfits > values * MISFIT_SHARE ? kinds : likelyKinds & (NUMERIC | TEMPORAL)
}

export function findComma(tally: ColumnTally): boolean | undefined {
  const kinds = computeLikelyKinds(tally)
  if (tally.values === 0 || (kinds & NUMERIC) === 0) return undefined
  if ((kinds & COMMA_NUMBER) === 0) return false
  return (kinds & POINT_NUMBER) === 0 ? true : undefined
}

export const isTwoNumbers = (tally: ColumnTally): boolean =>
  (tally.marks & MARK.twoNumbers) !== 0 && (computeLikelyKinds(tally) & NUMERIC) !== 0 && findComma(tally) === undefined

const ORDER_BITS = { ymd: 0, dmy: 1, mdy: 2 } as const

export interface DateOrderFound {
  readonly order: DateOrder
  readonly isAmbiguous: boolean
  /** Columns that decide the order, and those that fit both. */
  readonly votes: { readonly dmy: number; readonly mdy: number }
  readonly open: readonly ColumnTally[]
}

/** By majority; undefined without ambiguous dates. */
export function findDateOrder(tallies: readonly ColumnTally[]): DateOrderFound | undefined {
  const votes = { dmy: 0, mdy: 0 }
  const open: ColumnTally[] = []
  for (const tally of tallies) {
    const kinds = computeLikelyKinds(tally)
    if (tally.values === 0 || (kinds & TEMPORAL) === 0) continue
    const can = (order: DateOrder) =>
      (kinds & ((KIND.dateYmd | KIND.timestampYmd | KIND.zonedYmd) << ORDER_BITS[order])) !== 0
    if (can('ymd')) continue
    if (can('dmy') && can('mdy')) open.push(tally)
    else if (can('dmy')) votes.dmy += 1
    else votes.mdy += 1
  }
  if (open.length + votes.dmy + votes.mdy === 0) return undefined
  const order = votes.mdy > votes.dmy ? 'mdy' : 'dmy'
  return { order, isAmbiguous: votes.dmy === 0 && votes.mdy === 0, votes, open }
}

export interface ColumnReading {
  readonly order: DateOrder
  readonly isCommaDecimal: boolean
}

function fittingTypes(tally: ColumnTally, reading: ColumnReading, kinds = tally.kinds): TypeName[] {
  if (tally.values === 0) return ['text']
  const shift = ORDER_BITS[reading.order]
  const comma = reading.isCommaDecimal ? 3 : 0
  const has = (kind: number) => (kinds & kind) !== 0
  const isFloatFirst = (tally.marks & MARK.scientific) !== 0 && (tally.marks & MARK.exact) === 0
  const fractions: [boolean, TypeName][] = [
    [has(KIND.decimal << comma), 'decimal'],
    [has(KIND.float << comma), 'float'],
  ]
  const found: [boolean, TypeName][] = [
    [has(KIND.boolean), 'boolean'],
    [has(KIND.integer << comma), 'integer'],
    ...(isFloatFirst ? fractions.toReversed() : fractions),
    [has(KIND.dateYmd << shift), 'date'],
    [has(KIND.timestampYmd << shift), 'timestamp'],
    [has(KIND.zonedYmd << shift), 'timestamptz'],
    [has(KIND.time), 'time'],
    [has(KIND.interval), 'interval'],
    [has(KIND.uuid), 'uuid'],
    [has(KIND.json), 'json'],
  ]
  const types = found.filter(([fits]) => fits).map(([, type]) => type)
  return isPhone(tally) ? ['text', ...types] : [...types, 'text']
}

export function toColumnProfile(header: string, tally: ColumnTally, reading: ColumnReading): ColumnProfile {
  const likely = fittingTypes(tally, reading, computeLikelyKinds(tally))[0] ?? 'text'
  return {
    header,
    fitting_types: fittingTypes(tally, reading),
    likely_type: likely,
    empty_values: tally.empty,
    longest: tally.longest,
    is_grouped:
      (tally.marks & MARK.rewritten) !== 0 || (reading.isCommaDecimal && (tally.marks & MARK.twoNumbers) !== 0),
    decimal_comma: reading.isCommaDecimal,
    decimals: reading.isCommaDecimal ? tally.reach.comma : tally.reach.point,
    digits: { count: tally.reach.digits, example: tally.reach.digitsExample },
    ...(tally.reach.pastDouble !== undefined && { past_double: tally.reach.pastDouble }),
  }
}
