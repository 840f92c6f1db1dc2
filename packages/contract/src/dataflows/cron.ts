export const CRON_FORMAT_MESSAGE =
  'Invalid CRON expression format. Must contain 6 fields: minute hour day-of-month month day-of-week year'
export const CRON_DAYS_MESSAGE = "Either day-of-month or day-of-week must be '?' or '*'"

const FIRST_YEAR = 1970
export const LAST_YEAR = 2199

export const CRON_FIELDS = [
  { name: 'minute', min: 0, max: 59, message: 'Minute must be between 0 and 59, or *' },
  { name: 'hour', min: 0, max: 23, message: 'Hour must be between 0 and 23, or *' },
  { name: 'dayOfMonth', min: 1, max: 31, message: 'Day of month must be between 1 and 31, or * or ?' },
  { name: 'month', min: 1, max: 12, message: 'Month must be between 1 and 12, or *' },
  {
    name: 'dayOfWeek',
    min: 1,
    max: 7,
    message: 'Day of week must be between 1 (Monday) and 7 (Sunday), or * or ?',
  },
  { name: 'year', min: FIRST_YEAR, max: LAST_YEAR, message: 'Year must be between 1970 and 2199, or *' },
] as const

export type CronField = (typeof CRON_FIELDS)[number]['name']

/** Sorted, without duplicates; null allows every value. */
type CronExpression = Readonly<Record<CronField, readonly number[] | null>>

export type CronReading = { expression: CronExpression; problem: null } | { expression: null; problem: string }

const FIELD_SHAPE = /^(?:\*|\?|\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/

/** Returns the first error in field order. An empty text is not checked. */
export function readCron(text: string): CronReading {
  const words = text.trim().split(/\s+/)
  if (words.length !== CRON_FIELDS.length || !words.every((word) => FIELD_SHAPE.test(word))) {
    return { expression: null, problem: CRON_FORMAT_MESSAGE }
  }
  const fields: Partial<Record<CronField, readonly number[] | null>> = {}
  for (const [position, field] of CRON_FIELDS.entries()) {
    const values = parseCronValues(words[position] ?? '', field)
    if (values === undefined) return { expression: null, problem: field.message }
    fields[field.name] = values
  }
  if (fields.dayOfMonth !== null && fields.dayOfWeek !== null) return { expression: null, problem: CRON_DAYS_MESSAGE }
  return { expression: fields as CronExpression, problem: null }
}

export const findCronProblem = (text: string): string | null => readCron(text).problem

function parseCronValues(word: string, field: (typeof CRON_FIELDS)[number]): readonly number[] | null | undefined {
  if (word === '*') return null
  if (word === '?') return field.name === 'dayOfMonth' || field.name === 'dayOfWeek' ? null : undefined
  const values = new Set<number>()
  for (const item of word.split(',')) {
    const [from = Number.NaN, to = from] = item.split('-').map(Number)
    if (!(from >= field.min && to <= field.max && from <= to)) return undefined
    for (let value = from; value <= to; value++) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}
