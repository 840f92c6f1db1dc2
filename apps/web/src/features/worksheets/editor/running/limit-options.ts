import type { SqlLimits } from '@trellis/contract/sql/sql.schemas'

const ROW_LIMITS = [100, 500, 1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000]
const TIMEOUTS = [10, 30, 60, 120, 300, 600, 1800, 3600]

const toOptions = (numbers: readonly number[], selected: number, max: number): number[] =>
  [...new Set([...numbers.filter((number) => number <= max), max, Math.min(selected, max)])].toSorted((a, b) => a - b)

export const listRowLimits = (selected: number, limits: SqlLimits): number[] =>
  toOptions(ROW_LIMITS, selected, limits.max_row_limit)

export const listTimeouts = (selected: number, limits: SqlLimits): number[] =>
  toOptions(TIMEOUTS, selected, limits.max_timeout_seconds)

export const formatSeconds = (seconds: number): string =>
  seconds % 3600 === 0 ? `${seconds / 3600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
