const DAY = 86_400_000
const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/

/** Milliseconds since 1970; UTC without an offset. Null if it is not a date. */
export function parse(text) {
  const found = typeof text === 'string' ? PATTERN.exec(text.trim()) : null
  if (!found) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset = 'Z'] = found
  const at = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second, Math.trunc(+`0.${fraction}` * 1000))
  if (new Date(Date.UTC(+year, +month - 1, +day)).getUTCDate() !== +day || +month < 1 || +month > 12 || +hour > 24)
    return null
  return at - offsetOf(offset)
}

function offsetOf(text) {
  if (text === 'Z') return 0
  const digits = text.slice(1).replace(':', '').padEnd(4, '0')
  return (text[0] === '-' ? -1 : 1) * (+digits.slice(0, 2) * 60 + +digits.slice(2, 4)) * 60_000
}

const iso = (at) => (at === null ? null : new Date(at).toISOString())
const change = (text, work) => {
  const at = parse(text)
  return at === null ? null : work(new Date(at))
}

export const day = (text) => iso(parse(text))?.slice(0, 10) ?? null
export const year = (text) => change(text, (date) => date.getUTCFullYear())
export const month = (text) => change(text, (date) => date.getUTCMonth() + 1)
/** 1 is Monday, 7 is Sunday. */
export const weekday = (text) => change(text, (date) => date.getUTCDay() || 7)
export const isWeekend = (text) => change(text, (date) => (date.getUTCDay() || 7) > 5)
export const quarter = (text) => change(text, (date) => Math.floor(date.getUTCMonth() / 3) + 1)

export const addDays = (text, days) => change(text, (date) => iso(date.getTime() + days * DAY).slice(0, 10))
/** Clamped to the end of the month: January 31 plus one month is the end of February. */
export const addMonths = (text, months) =>
  change(text, (date) => {
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
    const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
    return iso(first.setUTCDate(Math.min(date.getUTCDate(), last))).slice(0, 10)
  })
export function daysBetween(from, to) {
  const [a, b] = [parse(day(from)), parse(day(to))]
  return a === null || b === null ? null : Math.round((b - a) / DAY)
}

export const startOf = (unit, text) =>
  change(text, (date) => {
    const [fullYear, monthOfYear] = [date.getUTCFullYear(), date.getUTCMonth()]
    const starts = {
      week: () => date.getTime() - ((date.getUTCDay() || 7) - 1) * DAY,
      month: () => Date.UTC(fullYear, monthOfYear, 1),
      quarter: () => Date.UTC(fullYear, monthOfYear - (monthOfYear % 3), 1),
      year: () => Date.UTC(fullYear, 0, 1),
    }
    if (!Object.hasOwn(starts, unit)) throw new Error(`There is no "${unit}". There are: week, month, quarter, year.`)
    return iso(starts[unit]()).slice(0, 10)
  })

export function daysFrom(from, to) {
  const count = daysBetween(from, to)
  return count === null || count < 0 ? [] : Array.from({ length: count + 1 }, (_, at) => addDays(from, at))
}
