import { formatDateTime } from '../../ui/data/date-text.ts'

const padTwoDigits = (value: number) => String(value).padStart(2, '0')
const toUtcDay = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())

/** Past times are shown as about to happen. */
export function formatDueTime(at: Date, now: Date): string {
  const minutes = Math.ceil((at.getTime() - now.getTime()) / 60_000)
  if (minutes <= 0) return 'now'
  if (minutes < 60) return `in ${minutes} min`
  const clock = `${padTwoDigits(at.getHours())}:${padTwoDigits(at.getMinutes())}`
  const days = Math.round((toUtcDay(at) - toUtcDay(now)) / 86_400_000)
  if (days === 0) return `at ${clock}`
  return days === 1 ? `tomorrow ${clock}` : formatDateTime(at)
}

export function formatTimeAgo(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / (24 * 60))} d ago`
}
