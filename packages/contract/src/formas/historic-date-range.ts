import * as z from 'zod/mini'

export const TIMEFRAMES = ['startingDate', 'rangeDates'] as const
const MAX_YEARS_BACK = 5

const IsoDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
export const HistoricDateRange = z.object({
  dataTimeframe: z.enum(TIMEFRAMES),
  startDate: z.nullable(IsoDate),
  endDate: z.nullable(IsoDate),
})
export type HistoricDateRange = z.infer<typeof HistoricDateRange>

export interface DateRangeProblems {
  startDate?: string
  endDate?: string
}

/** Dates compare as text because they are ISO 8601. */
export function findDateRangeProblems(range: HistoricDateRange, today: string): DateRangeProblems {
  const { startDate, endDate } = range
  const isRange = range.dataTimeframe === 'rangeDates'
  const problems: DateRangeProblems = {}
  if (!startDate) problems.startDate = 'Required field'
  else if (startDate < subtractYears(today, MAX_YEARS_BACK)) {
    problems.startDate = "Start date can't be more than 5 years in the past."
  } else if (startDate > today) problems.startDate = 'Both start and end dates must be today or earlier.'
  else if (isRange && endDate && startDate > endDate) problems.startDate = "Start date can't be after the end date."
  if (!isRange) return problems
  if (!endDate) problems.endDate = 'Required field'
  else if (endDate > today) problems.endDate = 'Both start and end dates must be today or earlier.'
  else if (startDate && endDate < startDate) problems.endDate = 'End date must be after or the same as start date.'
  return problems
}

/** Inclusive; null until both dates are set. */
export function countDaysIn({ startDate, endDate }: Pick<HistoricDateRange, 'startDate' | 'endDate'>): number | null {
  if (!startDate || !endDate || endDate < startDate) return null
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / 86_400_000) + 1
}

/** 29 February becomes 28 February in other years. */
function subtractYears(day: string, years: number): string {
  const wanted = `${Number(day.slice(0, 4)) - years}${day.slice(4)}`
  const exists = new Date(`${wanted}T00:00:00Z`).toISOString().startsWith(wanted)
  return exists ? wanted : `${wanted.slice(0, 8)}28`
}
