import { Tooltip } from '../overlays/Tooltip.tsx'
import { formatDateTime, formatRecentTime, formatRelativeTime } from './date-text.ts'

/** A moment in the reader's time zone; hovering shows it to the second. */
export function DateTime({ value, format = 'exact' }: { value: string; format?: 'exact' | 'relative' | 'recent' }) {
  const at = new Date(value)
  const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(at)
  const now = new Date()
  const text =
    format === 'exact'
      ? formatDateTime(at)
      : format === 'relative'
        ? formatRelativeTime(at, now)
        : formatRecentTime(at, now)
  return (
    <Tooltip text={exact}>
      <time dateTime={value}>{text}</time>
    </Tooltip>
  )
}
