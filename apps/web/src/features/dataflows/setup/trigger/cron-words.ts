import { CRON_FIELDS, type CronField } from '@trellis/contract/dataflows/cron'
import { MONTHS, WEEKDAYS } from '@trellis/contract/dataflows/schedules'

export interface CronFieldText {
  name: CronField
  label: string
  help: string
}

export const CRON_FIELD_TEXTS: readonly CronFieldText[] = [
  { name: 'minute', label: 'Minute', help: '0–59, or * for every minute' },
  { name: 'hour', label: 'Hour', help: '0–23, or * for every hour' },
  { name: 'dayOfMonth', label: 'Day of month', help: '1–31, or * or ? for any' },
  { name: 'month', label: 'Month', help: '1–12, or * for every month' },
  { name: 'dayOfWeek', label: 'Day of week', help: '1 (Monday) – 7 (Sunday), or * or ? for any' },
  { name: 'year', label: 'Year', help: '1970–2199, or * for every year' },
]

/** Missing fields are empty; surplus ones stay with the last. */
export function splitCronParts(expression: string): string[] {
  const words = expression.trim() === '' ? [] : expression.trim().split(/\s+/)
  const last = CRON_FIELDS.length - 1
  return CRON_FIELDS.map((_, index) => (index === last ? words.slice(index).join(' ') : (words[index] ?? '')))
}

/** A cleared field becomes `*`: an empty one would shift the others. */
export function withCronPart(expression: string, index: number, text: string): string {
  const parts = splitCronParts(expression)
  parts[index] = text.replaceAll(/\s+/g, '').replace(/^[*?](?=\d)/, '')
  const isEmpty = parts.every((part) => part === '')
  return isEmpty ? '' : parts.map((part) => part || '*').join(' ')
}

/** Undefined when it cannot be parsed. */
export function describeCronPart(name: CronField, part: string): string {
  if (part === '*' || part === '?') return ANY[name]
  if (!/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(part)) return ''
  const words = part.split(',').map((item) => {
    const [from = '', to] = item.split('-')
    return to === undefined
      ? formatCronValue(name, from)
      : `${formatCronValue(name, from)} to ${formatCronValue(name, to)}`
  })
  return `${PREFIX[name]} ${joinWords(words)}`
}

const ANY: Record<CronField, string> = {
  minute: 'every minute',
  hour: 'every hour',
  dayOfMonth: 'any day of the month',
  month: 'every month',
  dayOfWeek: 'any day of the week',
  year: 'every year',
}

const PREFIX: Record<CronField, string> = {
  minute: 'at minute',
  hour: 'at hour',
  dayOfMonth: 'on day',
  month: 'in',
  dayOfWeek: 'on',
  year: 'in',
}

function formatCronValue(name: CronField, text: string): string {
  const value = Number(text)
  if (name === 'month') return MONTHS[value - 1] ?? text
  if (name === 'dayOfWeek') return dayName(WEEKDAYS[value - 1] ?? text)
  return String(value)
}

export const dayName = (day: string): string => `${day.slice(0, 1).toUpperCase()}${day.slice(1)}`

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
