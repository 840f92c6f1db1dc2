import { Temporal } from 'temporal-polyfill'

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

export const getOffset = (zone: string, instant: number): number =>
  zone === 'UTC' ? 0 : toOffset(toZoned(zone, instant))

export const toLocal = (zone: string, instant: number): number => instant + getOffset(zone, instant)

export function listSpansAround(zone: string, localDay: number): readonly OffsetSpan[] {
  return listSpans(zone, localDay - MAX_OFFSET_MS, localDay + DAY + MAX_OFFSET_MS)
}

export function listSpans(zone: string, from: number, to: number): readonly OffsetSpan[] {
  if (zone === 'UTC') return [{ from, to, offset: 0 }]
  const spans: OffsetSpan[] = []
  let start: Temporal.ZonedDateTime | null = toZoned(zone, from)
  while (start && start.epochMilliseconds < to) {
    const next: Temporal.ZonedDateTime | null = start.getTimeZoneTransition('next')
    const end = Math.min(next?.epochMilliseconds ?? to, to)
    spans.push({ from: start.epochMilliseconds, to: end, offset: toOffset(start) })
    start = next
  }
  return spans
}

/** Two instants if the local time is doubled, none if skipped. */
export const toInstants = (local: number, spans: readonly OffsetSpan[]): number[] =>
  spans.flatMap(({ from, to, offset }) => (local - offset >= from && local - offset < to ? [local - offset] : []))

export function findEndOfGap(local: number, spans: readonly OffsetSpan[]): number | undefined {
  const spanAfterGap = spans.find(({ from, offset }, index) => {
    const previousSpan = spans[index - 1]
    return previousSpan !== undefined && local - previousSpan.offset >= from && local - offset < from
  })
  return spanAfterGap && Math.ceil((spanAfterGap.from + spanAfterGap.offset) / 60_000) * 60_000 - spanAfterGap.offset
}

const toZoned = (zone: string, instant: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant)).toZonedDateTimeISO(zone)

const toOffset = ({ offsetNanoseconds }: Temporal.ZonedDateTime): number => offsetNanoseconds / 1_000_000
