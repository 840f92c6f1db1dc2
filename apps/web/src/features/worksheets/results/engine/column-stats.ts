import type { ColumnKind } from '@trellis/contract/sql/sql.schemas'
import { findMedian, parseNumber } from '../../../../charts/data/aggregates.ts'
import { formatTime, parseTime } from '../../../../charts/data/time-units.ts'
import type { ResultRows } from '../../sql.queries.ts'

const BINS = 20
const MAX_TOP_VALUES = 50

export interface ColumnStats {
  readonly rows: number
  readonly nulls: number
  readonly empty: number
  readonly distinct: number
  readonly min: string | null
  readonly max: string | null
  readonly mean: number | null
  readonly median: number | null
  readonly sum: number | null
  readonly topValues: readonly { readonly value: string | null; readonly count: number }[]
  readonly bins: readonly { readonly from: string; readonly to: string; readonly count: number }[]
}

interface StatsOf {
  readonly column: number
  readonly kind: ColumnKind
  readonly among: readonly number[]
}

export function computeColumnStats(rows: ResultRows, { column, kind, among }: StatsOf): ColumnStats {
  const counts = new Map<string | null, number>()
  for (const index of among) {
    const value = rows[index]?.[column] ?? null
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const nulls = counts.get(null) ?? 0
  const isTime = kind === 'date' || kind === 'timestamp'
  const isNumber = kind === 'integer' || kind === 'decimal'
  const { numbers, min, max } = isTime
    ? measureNumbers(counts, parseTime)
    : isNumber
      ? measureNumbers(counts, parseNumber)
      : measureTexts(counts)
  return {
    rows: among.length,
    nulls,
    empty: counts.get('') ?? 0,
    distinct: counts.size - (nulls > 0 ? 1 : 0),
    min,
    max,
    ...(isNumber && numbers.length > 0 ? computeMiddle(numbers) : { mean: null, median: null, sum: null }),
    topValues: [...counts]
      .toSorted((count, other) => other[1] - count[1])
      .slice(0, MAX_TOP_VALUES)
      .map(([value, count]) => ({ value, count })),
    bins: countBins(numbers, isTime),
  }
}

type Counts = ReadonlyMap<string | null, number>
interface ValueRange {
  readonly numbers: number[]
  readonly min: string | null
  readonly max: string | null
}

function measureNumbers(counts: Counts, read: (value: string) => number | null): ValueRange {
  const numbers: number[] = []
  let [min, max]: [string | null, string | null] = [null, null]
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [value, count] of counts) {
    const number = value === null ? null : read(value)
    if (number === null) continue
    for (let left = count; left > 0; left -= 1) numbers.push(number)
    if (number < low) [low, min] = [number, value]
    if (number > high) [high, max] = [number, value]
  }
  return { numbers, min, max }
}

function measureTexts(counts: Counts): ValueRange {
  let [min, max]: [string | null, string | null] = [null, null]
  for (const value of counts.keys()) {
    if (value === null) continue
    if (min === null || value < min) min = value
    if (max === null || value > max) max = value
  }
  return { numbers: [], min, max }
}

function computeMiddle(numbers: readonly number[]) {
  const sum = numbers.reduce((total, value) => total + value, 0)
  return { mean: sum / numbers.length, median: findMedian(numbers), sum }
}

function countBins(values: readonly number[], isTime: boolean): ColumnStats['bins'] {
  const low = values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY)
  const high = values.reduce((found, value) => Math.max(found, value), Number.NEGATIVE_INFINITY)
  if (values.length === 0 || low === high) return []
  const size = (high - low) / BINS
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor((value - low) / size))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const toText = (value: number) => (isTime ? formatTime(value, null) : String(Number(value.toPrecision(6))))
  return counts.map((count, bin) => ({ from: toText(low + bin * size), to: toText(low + (bin + 1) * size), count }))
}
