/** A period with one UTC offset; `to` is exclusive. */
export interface OffsetSpan {
  readonly from: number
  readonly to: number
  readonly offset: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Above the largest UTC offset. */
const MAX_OFFSET_MS = 16 * HOUR
/** Cache limit in zone-months; it would grow with every schedule tried. */
const MAX_REMEMBERED = 4000

const formats = new Map<string, Intl.DateTimeFormat>()
const months = new Map<string, readonly OffsetSpan[]>()

export function getOffset(zone: string, instant: number): number {
  if (zone === 'UTC') return 0
  const parts = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)/.exec(getFormat(zone).format(instant)) ?? []
  const [, month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

export const toLocal = (zone: string, instant: number): number => instant + getOffset(zone, instant)

export function listSpansAround(zone: string, localDay: number): readonly OffsetSpan[] {
  return listSpans(zone, localDay - MAX_OFFSET_MS, localDay + DAY + MAX_OFFSET_MS)
}

export function listSpans(zone: string, from: number, to: number): readonly OffsetSpan[] {
  const found: OffsetSpan[] = []
  for (let month = toMonthNumber(from); month <= toMonthNumber(to - 1); month++) {
    for (const span of spansOfMonth(zone, month)) {
      if (span.to <= from || span.from >= to) continue
      const before = found.at(-1)
      if (before?.offset === span.offset) found[found.length - 1] = { ...before, to: span.to }
      else found.push(span)
    }
  }
  return found
}

/** Two instants if the local time is doubled, none if skipped. */
export const toInstants = (local: number, spans: readonly OffsetSpan[]): number[] =>
  spans.flatMap(({ from, to, offset }) => (local - offset >= from && local - offset < to ? [local - offset] : []))

export function findEndOfGap(local: number, spans: readonly OffsetSpan[]): number | undefined {
  const behind = spans.find(({ from, offset }, at) => {
    const before = spans[at - 1]
    return before !== undefined && local - before.offset >= from && local - offset < from
  })
  return behind && Math.ceil((behind.from + behind.offset) / 60_000) * 60_000 - behind.offset
}

function spansOfMonth(zone: string, month: number): readonly OffsetSpan[] {
  const name = `${zone} ${month}`
  const remembered = months.get(name)
  if (remembered) return remembered
  const start = Date.UTC(1970, month, 1)
  const end = Date.UTC(1970, month + 1, 1)
  const spans: OffsetSpan[] = []
  let from = start
  let offset = getOffset(zone, start)
  for (let day = start; day < end; day += DAY) {
    const later = getOffset(zone, day + DAY)
    if (later === offset) continue
    const change = changeBetween(zone, day, day + DAY)
    if (change >= end) break
    spans.push({ from, to: change, offset })
    from = change
    offset = later
  }
  spans.push({ from, to: end, offset })
  if (months.size >= MAX_REMEMBERED) months.clear()
  months.set(name, spans)
  return spans
}

function changeBetween(zone: string, from: number, to: number): number {
  const before = getOffset(zone, from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000
    if (getOffset(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}

function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, format)
  return format
}

const toMonthNumber = (instant: number): number => {
  const date = new Date(instant)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}
