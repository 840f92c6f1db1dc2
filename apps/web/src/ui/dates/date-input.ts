export interface DateFormat {
  /** With a time of the day, `2026-11-15T18:30`, and seconds if they are written; this one where only a day is written. */
  readonly defaultTime?: string | undefined
}

const TEXT = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(:[0-5]\d(?:\.\d{1,6})?)?)?$/
const padTwoDigits = (text: string) => text.padStart(2, '0')

/** On the way to the 18th it reads as the 1st: that is not passed on while somebody types. */
export const isWritten = (text: string): boolean => text === '' || /^\d{4}-\d{2}-\d{2}(?!\d)/.test(text.trim())

/** What was typed as a value; empty for nothing, undefined for what is no day. */
export function parseDateInput(text: string, { defaultTime }: DateFormat): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const [, year = '', month = '', date = '', hours, minutes = '', seconds = ''] = TEXT.exec(trimmed) ?? []
  const day = `${year}-${padTwoDigits(month)}-${padTwoDigits(date)}`
  const at = new Date(`${day}T00:00:00Z`)
  // The 31st of June would become the 1st of July.
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day) return undefined
  if (hours === undefined) return defaultTime === undefined ? day : `${day}T${defaultTime}`
  if (defaultTime === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${day}T${padTwoDigits(hours)}:${minutes}${seconds}`
}

export const formatDateInput = (value: string): string => value.replace('T', ' ')

export const describeFormat = ({ defaultTime }: DateFormat): string =>
  defaultTime === undefined ? 'YYYY-MM-DD' : 'YYYY-MM-DD HH:mm'
