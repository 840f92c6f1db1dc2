import { Tooltip } from '../overlays/Tooltip.tsx'
import { dateTimeText, recentText, relativeText } from './date-text.ts'

/** A moment in the reader's time zone; hovering shows it to the second. */
export function DateTime({ value, format = 'exact' }: { value: string; format?: 'exact' | 'relative' | 'recent' }) {
  const at = new Date(value)
  const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' }).format(at)
  const now = new Date()
  const text =
    format === 'exact' ? dateTimeText(at) : format === 'relative' ? relativeText(at, now) : recentText(at, now)
  return (
    <Tooltip text={exact}>
      <time dateTime={value}>{text}</time>
    </Tooltip>
  )
}
