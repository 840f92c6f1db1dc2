import type { ChartAggregate } from '@trellis/contract/charts/charts.schemas'

export interface Accumulator {
  add(value: string | null): void
  result(): number | null
}

/** Null for NULL, NaN, infinity and text. */
export function parseNumber(text: string | null): number | null {
  if (text === null || text === '') return null
  if (text === 't' || text === 'f') return text === 't' ? 1 : 0
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** Without a column counts rows; with one, its non-null values. */
export function createAccumulator(aggregate: ChartAggregate, hasColumn: boolean): Accumulator {
  switch (aggregate) {
    case 'count':
      return createCount(hasColumn)
    case 'count_distinct':
      return createDistinct()
    case 'none':
    case 'sum':
      return createFold((sum, value) => sum + value)
    case 'min':
      return createFold(Math.min)
    case 'max':
      return createFold(Math.max)
    case 'mean':
      return createList((values) => values.reduce((sum, value) => sum + value, 0) / values.length)
    case 'median':
      return createList(findMedian)
  }
}

function createCount(hasColumn: boolean): Accumulator {
  let count = 0
  return {
    add(value) {
      if (!hasColumn || value !== null) count += 1
    },
    result: () => count,
  }
}

function createDistinct(): Accumulator {
  const seen = new Set<string>()
  return {
    add(value) {
      if (value !== null) seen.add(value)
    },
    result: () => seen.size,
  }
}

function createFold(fold: (before: number, value: number) => number): Accumulator {
  let result: number | null = null
  return {
    add(text) {
      const value = parseNumber(text)
      if (value !== null) result = result === null ? value : fold(result, value)
    },
    result: () => result,
  }
}

function createList(reduce: (values: number[]) => number): Accumulator {
  const values: number[] = []
  return {
    add(text) {
      const value = parseNumber(text)
      if (value !== null) values.push(value)
    },
    result: () => (values.length === 0 ? null : reduce(values)),
  }
}

export function findMedian(values: readonly number[]): number {
  const sorted = Float64Array.from(values).toSorted()
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
