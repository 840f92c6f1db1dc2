const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** `YYYY-MM-DD @ HH:mm` in the reader's own time zone. */
export function formatDateTime(at: Date): string {
  return `${at.getFullYear()}-${padTwoDigits(at.getMonth() + 1)}-${padTwoDigits(at.getDate())} @ ${padTwoDigits(at.getHours())}:${padTwoDigits(at.getMinutes())}`
}

const startOfDay = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())

const formatAgo = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Whole calendar days as a person counts them: something at 23:59 was yesterday a minute later. */
export function formatRelativeTime(at: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / 86_400_000)
  if (days < 0) return formatDateTime(at)
  if (days === 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 7) return formatAgo(days, 'day')
  if (days < 30) return formatAgo(Math.floor(days / 7), 'week')
  if (days < 365) return formatAgo(Math.floor(days / 30), 'month')
  return formatAgo(Math.floor(days / 365), 'year')
}

/** Finer within the hour and the day, for things that happened just now. */
export function formatRecentTime(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  if (minutes >= 0 && minutes < 1) return 'just now'
  if (minutes > 0 && minutes < 60) return formatAgo(minutes, 'minute')
  if (minutes >= 60 && minutes < 24 * 60 && at.getDate() === now.getDate())
    return formatAgo(Math.floor(minutes / 60), 'hour')
  return formatRelativeTime(at, now)
}
