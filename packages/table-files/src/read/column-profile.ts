import { ALL_KINDS, DATES, KIND, NUMERIC, TIMESTAMPS, ZONED, isGrouped, kindsOf } from './value-kinds.ts'

export type TypeName =
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
  values: number
  empty: number
  longest: number
  isGrouped: boolean
  lastText: string
}

export const newTally = (): ColumnTally => ({
  kinds: ALL_KINDS,
  values: 0,
  empty: 0,
  longest: 0,
  isGrouped: false,
  lastText: '',
})

export function countValue(tally: ColumnTally, text: string, isCommaDecimal: boolean): void {
  tally.values += 1
  if (text.length > tally.longest) tally.longest = text.length
  if (tally.kinds === 0 || text === tally.lastText) return
  tally.lastText = text
  const reading = { isCommaDecimal }
  tally.kinds &= kindsOf(text, reading)
  if ((tally.kinds & NUMERIC) !== 0 && !tally.isGrouped && isGrouped(text, reading)) tally.isGrouped = true
}

/** The order that most columns of dates can be read in; `undefined` when there are none that need one. */
export function findDateOrder(tallies: readonly ColumnTally[]): { order: DateOrder; isAmbiguous: boolean } | undefined {
  const votes = { dmy: 0, mdy: 0 }
  let open = 0
  for (const { kinds, values } of tallies) {
    if (values === 0 || (kinds & (DATES | TIMESTAMPS | ZONED)) === 0) continue
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

export function fittingTypes(tally: ColumnTally, order: DateOrder): TypeName[] {
  const { kinds, values } = tally
  if (values === 0) return ['text']
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
    empty_values: tally.empty,
    longest: tally.longest,
    is_grouped: tally.isGrouped,
  }
}
