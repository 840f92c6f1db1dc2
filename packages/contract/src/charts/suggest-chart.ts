import type { ColumnKind } from '../sql/sql.schemas.ts'
import type { ChartAggregate, ChartKind, ChartSpec } from './charts.schemas.ts'

export interface ChartColumn {
  readonly name: string
  readonly kind: ColumnKind
}
export type ChartRows = readonly (readonly (string | null)[])[]

/** Enough to tell a category from free text. */
const SAMPLE_ROWS = 2000
const MAX_BARS = 20
const MAX_SPLITS = 8
const MAX_SCALE_RATIO = 20
const MIN_ORDINALS = 3

interface Profile extends ChartColumn {
  readonly distinct: number
  readonly filled: number
  readonly isKey: boolean
  readonly peak: number
  /** A weekday or rank number: a position, not a measure. */
  readonly isOrdinal: boolean
}

/** Guesses a chart from column types, names and distinct values. Null when nothing can be plotted. */
export function suggestChart(columns: readonly ChartColumn[], rows: ChartRows): ChartSpec | null {
  const profiles = columns.map((column, at) => profileColumn(column, rows.slice(0, SAMPLE_ROWS), at))
  const times = profiles.filter(({ kind, filled }) => (kind === 'date' || kind === 'timestamp') && filled > 0)
  const numbers = profiles.filter(({ kind, filled, isKey }) => isNumber(kind) && filled > 0 && !isKey)
  const categories = profiles.filter(({ kind, distinct }) => (kind === 'text' || kind === 'boolean') && distinct > 0)
  if (rows.length === 0) return null
  const [time] = times
  const [number] = numbers
  if (rows.length === 1 && number) return toSpec('big_number', { numbers: numbers.slice(0, 4), aggregate: 'none' })
  if (time && time.distinct > 1) return suggestOverTime(time, { numbers, categories })
  const category = categories.find(({ distinct }) => distinct > 1) ?? categories[0]
  if (category && number) return suggestBars(category, numbers)
  const [first, second] = profiles.filter(({ kind, filled }) => isNumber(kind) && filled > 0)
  if (first && second) {
    const isSequence = first.isKey || first.distinct === first.filled
    return isSequence && isRising(rows, columns.indexOf(findColumn(columns, first)))
      ? toSpec('line', { x: first.name, numbers: [second], aggregate: 'none', sort: 'x_asc' })
      : toSpec('scatter', { x: first.name, numbers: [second], aggregate: 'none' })
  }
  if (category && category.distinct < category.filled) return suggestBars(category, [])
  return number ? toSpec('big_number', { numbers: [number], aggregate: 'sum' }) : null
}

const isNumber = (kind: ColumnKind): boolean => kind === 'integer' || kind === 'decimal'
const findColumn = (columns: readonly ChartColumn[], { name }: ChartColumn) =>
  columns.find((column) => column.name === name) ?? { name, kind: 'text' as const }

function profileColumn(column: ChartColumn, rows: ChartRows, at: number): Profile {
  const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null)
  const distinct = new Set(values).size
  const isKey =
    column.kind === 'integer' && /(^|_)(id|key|no|number|year)$/i.test(column.name) && distinct === values.length
  const peak = isNumber(column.kind)
    ? values.reduce((most, value) => Math.max(most, Math.abs(Number(value)) || 0), 0)
    : 0
  const isOrdinal =
    column.kind === 'integer' &&
    values.length === rows.length &&
    values.length >= MIN_ORDINALS &&
    values.every((value, index) => index === 0 || Number(value) === Number(values[index - 1]) + 1)
  return { ...column, distinct, filled: values.length, isKey, peak, isOrdinal }
}

function suggestOverTime(time: Profile, { numbers, categories }: { numbers: Profile[]; categories: Profile[] }) {
  const isRepeated = time.distinct < time.filled
  const split = isRepeated
    ? categories.find(({ distinct }) => distinct > 1 && distinct <= MAX_SPLITS && distinct * 2 <= time.filled)
    : undefined
  const aggregate = isRepeated ? 'sum' : 'none'
  return toSpec('line', {
    x: time.name,
    numbers: split ? numbers.slice(0, 1) : pickOneScale(numbers).slice(0, 3),
    aggregate,
    sort: 'x_asc',
    ...(split && { split_by: split.name }),
  })
}

/** On a shared axis a much smaller measure would be a flat line. */
function pickOneScale(numbers: readonly Profile[]): Profile[] {
  const largest = Math.max(0, ...numbers.map(({ peak }) => peak))
  return numbers.filter(({ peak }) => peak * MAX_SCALE_RATIO >= largest)
}

function suggestBars(category: Profile, numbers: readonly Profile[]) {
  const measures = numbers.filter(({ isOrdinal }) => !isOrdinal)
  const isOrdered = measures.length > 0 && measures.length < numbers.length && category.distinct === category.filled
  return toSpec('bar', {
    x: category.name,
    numbers: (isOrdered ? measures : numbers).slice(0, 1),
    aggregate: category.distinct < category.filled ? 'sum' : 'none',
    sort: isOrdered && category.distinct <= MAX_BARS ? 'none' : 'y_desc',
    top: category.distinct > MAX_BARS ? MAX_BARS : null,
  })
}

function isRising(rows: ChartRows, at: number): boolean {
  const values = rows.slice(0, SAMPLE_ROWS).map((row) => Number(row[at]))
  return values.every((value, index) => index === 0 || value > (values[index - 1] ?? value))
}

type Parts = Partial<Omit<ChartSpec, 'y' | 'kind'>> & {
  readonly numbers: readonly ChartColumn[]
  readonly aggregate: ChartAggregate
}

function toSpec(kind: ChartKind, { numbers, aggregate, ...parts }: Parts): ChartSpec {
  return {
    kind,
    title: '',
    x: null,
    y:
      numbers.length > 0
        ? numbers.map(({ name }) => ({ column: name, aggregate }))
        : [{ column: null, aggregate: 'count' }],
    split_by: null,
    time_unit: 'auto',
    sort: 'none',
    top: null,
    show_other: true,
    is_stacked: false,
    show_labels: false,
    format: { style: 'number', decimals: null, prefix: '', suffix: '' },
    ...parts,
  }
}
