import { formatDateTime } from '../../ui/data/date-text.ts'

const padTwoDigits = (value: number) => String(value).padStart(2, '0')
const toUtcDay = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())

/** Past times are shown as about to happen. */
export function formatDueTime(dueAt: Date, now: Date): string {
  const minutes = Math.ceil((dueAt.getTime() - now.getTime()) / 60_000)
  if (minutes <= 0) return 'now'
  if (minutes < 60) return `in ${minutes} min`
  const clock = `${padTwoDigits(dueAt.getHours())}:${padTwoDigits(dueAt.getMinutes())}`
  const days = Math.round((toUtcDay(dueAt) - toUtcDay(now)) / 86_400_000)
  if (days === 0) return `at ${clock}`
  return days === 1 ? `tomorrow ${clock}` : formatDateTime(dueAt)
}

export function formatTimeAgo(pastDate: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - pastDate.getTime()) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} d ago`
}
