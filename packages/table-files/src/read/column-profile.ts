import { ALL_KINDS, KIND, NUMERIC, TEMPORAL, isGrouped, kindsOf } from './value-kinds.ts'

type TypeName =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'time'
  | 'uuid'
  | 'json'

export interface ColumnProfile {
  readonly header: string
  /** Types every value fits, the best one first; text always is among them. */
  readonly fitting_types: readonly TypeName[]
  /** The best type nearly every value fits: a few wrong values make bad rows, not a column of text. Profiles of before lack it. */
  readonly likely_type?: TypeName
  readonly empty_values: number
  readonly longest: number
  /** Digits in groups somewhere. */
  readonly is_grouped: boolean
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy'
const ORDER_BITS = { ymd: 0, dmy: 1, mdy: 2 } as const

/** What is known of a column while its values go by. */
export interface ColumnTally {
  kinds: number
  /** What all values could be but for the misfits; nothing once there are too many of those. */
  likelyKinds: number
  misfits: number
  isLastMisfit: boolean
  values: number
  empty: number
  longest: number
  isGrouped: boolean
  lastText: string
}

export const newTally = (): ColumnTally => ({
  kinds: ALL_KINDS,
  likelyKinds: ALL_KINDS,
  misfits: 0,
  isLastMisfit: false,
  values: 0,
  empty: 0,
  longest: 0,
  isGrouped: false,
  lastText: '',
})

export function countValue(tally: ColumnTally, text: string, isCommaDecimal: boolean): void {
  tally.values += 1
  if (text.length > tally.longest) tally.longest = text.length
  if (tally.likelyKinds === 0) return
  if (text === tally.lastText) {
    if (tally.isLastMisfit) countMisfit(tally, text)
    return
  }
  tally.lastText = text
  const reading = { isCommaDecimal }
  const kinds = kindsOf(text, reading)
  tally.kinds &= kinds
  tally.isLastMisfit = (tally.likelyKinds & kinds) === 0
  if (tally.isLastMisfit) return countMisfit(tally, text)
  tally.likelyKinds &= kinds
  if ((tally.likelyKinds & NUMERIC) !== 0 && !tally.isGrouped && isGrouped(text, reading)) tally.isGrouped = true
}

/** So many are looked past while too little of the file is read to speak of a share. */
const MISFITS_ANYWAY = 10
const MISFIT_SHARE = 0.05

function countMisfit(tally: ColumnTally, text: string): void {
  tally.misfits += 1
  const isTooMany = tally.misfits > MISFITS_ANYWAY && tally.misfits > tally.values * MISFIT_SHARE
  // Postgres would take 007 for the number 7: where some values are codes, all are.
  if (isTooMany || ((tally.likelyKinds & TEMPORAL) === 0 && /\d/.test(text))) tally.likelyKinds = 0
}

/** Wrong values are told apart from text only where the others are numbers or moments. */
function likelyKindsOf({ kinds, likelyKinds, misfits, values }: ColumnTally): number {
  return kinds !== 0 || misfits > values * MISFIT_SHARE ? kinds : likelyKinds & (NUMERIC | TEMPORAL)
}

/** The order that most columns of dates can be read in; `undefined` when there are none that need one. */
export function findDateOrder(tallies: readonly ColumnTally[]): { order: DateOrder; isAmbiguous: boolean } | undefined {
  const votes = { dmy: 0, mdy: 0 }
  let open = 0
  for (const tally of tallies) {
    const kinds = likelyKindsOf(tally)
    if (tally.values === 0 || (kinds & TEMPORAL) === 0) continue
    const can = (order: DateOrder) =>
      (kinds & ((KIND.dateYmd | KIND.timestampYmd | KIND.zonedYmd) << ORDER_BITS[order])) !== 0
    if (can('ymd')) continue
    if (can('dmy') && can('mdy')) open += 1
    else if (can('dmy')) votes.dmy += 1
    else votes.mdy += 1
  }
  if (open + votes.dmy + votes.mdy === 0) return undefined
  return { order: votes.mdy > votes.dmy ? 'mdy' : 'dmy', isAmbiguous: votes.dmy === 0 && votes.mdy === 0 }
}

function fittingTypes(tally: ColumnTally, order: DateOrder, kinds = tally.kinds): TypeName[] {
  if (tally.values === 0) return ['text']
  const shift = ORDER_BITS[order]
  const has = (kind: number) => (kinds & kind) !== 0
  const found: [boolean, TypeName][] = [
    [has(KIND.boolean), 'boolean'],
    [has(KIND.integer) && !tally.isGrouped, 'integer'],
    [has(KIND.decimal), 'decimal'],
    [has(KIND.float), 'float'],
    [has(KIND.dateYmd << shift), 'date'],
    [has(KIND.timestampYmd << shift), 'timestamp'],
    [has(KIND.zonedYmd << shift), 'timestamptz'],
    [has(KIND.time), 'time'],
    [has(KIND.uuid), 'uuid'],
    [has(KIND.json), 'json'],
  ]
  return [...found.filter(([fits]) => fits).map(([, type]) => type), 'text']
}

export function profileOf(header: string, tally: ColumnTally, order: DateOrder): ColumnProfile {
  return {
    header,
    fitting_types: fittingTypes(tally, order),
    likely_type: fittingTypes(tally, order, likelyKindsOf(tally))[0] ?? 'text',
    empty_values: tally.empty,
    longest: tally.longest,
    is_grouped: tally.isGrouped,
  }
}
