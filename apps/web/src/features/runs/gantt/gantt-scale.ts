import type { TaskRun, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'

export interface TimeRange {
  from: number
  to: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
export const SPANS = [
  { value: '1h', label: '1 hour', ms: HOUR },
  { value: '6h', label: '6 hours', ms: 6 * HOUR },
  { value: '1d', label: '1 day', ms: DAY },
  { value: '7d', label: '7 days', ms: 7 * DAY },
  { value: '30d', label: '30 days', ms: 30 * DAY },
] as const
export type Span = (typeof SPANS)[number]['value']

/** Position of "now": leaves room for planned runs. */
const AHEAD = 0.2

export function toTimeRange(span: Span, end: number | null, now: number): TimeRange {
  const ms = SPANS.find(({ value }) => value === span)?.ms ?? DAY
  const to = end ?? now + ms * AHEAD
  return { from: to - ms, to }
}

/** The closest zoom that shows all runs; a day without any. */
export function fitSpan(runs: readonly Pick<TaskRun, 'due_at'>[], now: number): Span {
  const oldest = Math.min(...runs.map((run) => Date.parse(run.due_at)))
  const fitting = SPANS.find(({ value }) => oldest >= toTimeRange(value, null, now).from)
  return runs.length === 0 ? '1d' : (fitting?.value ?? '30d')
}

export function getNextSpan(span: Span, step: 1 | -1): Span {
  const index = SPANS.findIndex(({ value }) => value === span)
  return SPANS[Math.min(SPANS.length - 1, Math.max(0, index + step))]?.value ?? span
}

/** Clamped to 0–1. */
export function toFraction(instant: number, { from, to }: TimeRange): number {
  return Math.min(1, Math.max(0, (instant - from) / (to - from)))
}

const SECOND = 1000
/** At most doubling: wider gaps would leave a short run on a small screen without a label. */
const STEPS = [
  ...[1, 2, 3, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 3, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 4, 7, 14].map((count) => count * DAY),
]
/** Minimum distance of labels in pixels. */
const TICK = 110
const NARROW_TICK = 72
/** With less room before the end, a label would be truncated. */
const WORD = 52
const SECONDS_WORD = 62

interface Tick {
  instant: number
  text: string
  isDay: boolean
  hasRoom: boolean
}

/** At round local times, without overlapping labels. */
export function buildTicks(range: TimeRange, { width, isNarrow }: { width: number; isNarrow: boolean }): Tick[] {
  const most = Math.max(2, Math.floor(width / (isNarrow ? NARROW_TICK : TICK)))
  const step = STEPS.find((candidate) => (range.to - range.from) / candidate <= most) ?? 14 * DAY
  const word = step < MINUTE ? SECONDS_WORD : WORD
  const midnight = new Date(range.from)
  midnight.setHours(0, 0, 0, 0)
  const passed = step < DAY ? Math.floor((range.from - midnight.getTime()) / step) * step : 0
  const ticks: Tick[] = []
  for (let instant = midnight.getTime() + passed; instant <= range.to; instant = after(instant, step)) {
    if (instant < range.from) continue
    const when = new Date(instant)
    const isDay = when.getHours() === 0 && when.getMinutes() === 0 && when.getSeconds() === 0
    const text = isDay || step >= DAY ? formatDay(when) : formatTime(when, step < MINUTE)
    ticks.push({ instant, isDay, text, hasRoom: (1 - toFraction(instant, range)) * width >= word })
  }
  return ticks
}

/** By calendar: 24-hour days would be off by one hour after a DST change. */
function after(previous: number, step: number): number {
  if (step < DAY) return previous + step
  const next = new Date(previous)
  next.setDate(next.getDate() + step / DAY)
  return next.getTime()
}

const padTwoDigits = (value: number) => String(value).padStart(2, '0')
const formatTime = (date: Date, withSeconds: boolean) =>
  `${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}${withSeconds ? `:${padTwoDigits(date.getSeconds())}` : ''}`
const formatDay = (date: Date) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(date)

export interface Segment extends TimeRange {
  kind: 'wait' | 'work' | 'failed' | 'pause'
}

/** Queued, attempts, and the pauses between them. */
export function toSegments(run: TaskRun, details: TaskRunDetails | undefined, now: number): Segment[] {
  const due = Date.parse(run.due_at)
  const end = run.finished_at === null ? now : Date.parse(run.finished_at)
  if (run.started_at === null) return end > due ? [{ kind: 'wait', from: due, to: end }] : []
  const start = Date.parse(run.started_at)
  const segments: Segment[] = start > due ? [{ kind: 'wait', from: due, to: start }] : []
  const attempts = details?.attempts ?? []
  if (attempts.length === 0) segments.push({ kind: 'work', from: start, to: end })
  attempts.forEach((attempt, instant) => {
    const from = Date.parse(attempt.started_at)
    const to = attempt.finished_at === null ? end : Date.parse(attempt.finished_at)
    const before = attempts[instant - 1]?.finished_at
    if (before) segments.push({ kind: 'pause', from: Date.parse(before), to: from })
    const isLast = instant === attempts.length - 1
    segments.push({ kind: isLast || attempt.status === 'SUCCESS' ? 'work' : 'failed', from, to })
  })
  const retry = run.retry_at === null ? null : Date.parse(run.retry_at)
  const last = attempts.at(-1)?.finished_at
  if (retry !== null) segments.push({ kind: 'pause', from: last ? Date.parse(last) : Math.min(now, retry), to: retry })
  return segments
}

/** Overlapping runs get separate lanes. */
export function assignLanes(bars: readonly { key: string; from: number; to: number }[]): Map<string, number> {
  const ends: number[] = []
  const lanes = new Map<string, number>()
  for (const bar of bars.toSorted((a, b) => a.from - b.from)) {
    const free = ends.findIndex((end) => end <= bar.from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = bar.to
    lanes.set(bar.key, lane)
  }
  return lanes
}

export const usualMs = (runs: readonly TaskRun[]): number =>
  findMiddle(
    runs
      .filter((run) => run.status === 'SUCCESS' && run.started_at && run.finished_at)
      .map((run) => Date.parse(run.finished_at ?? '') - Date.parse(run.started_at ?? '')),
  )

/** The median, which a single stuck run does not move; 0 for none. */
export function findMiddle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const MIN_FIT_MS = 10_000
const MARGIN = 0.06

export function fitRange({ from, to }: TimeRange): TimeRange {
  const ms = Math.max(MIN_FIT_MS, to - from)
  return { from: from - ms * MARGIN, to: from + ms * (1 + MARGIN) }
}

export function zoomRange({ from, to }: TimeRange, step: 1 | -1): TimeRange {
  const middle = (from + to) / 2
  const half = ((to - from) / 2) * (step === 1 ? 2 : 0.5)
  return { from: middle - half, to: middle + half }
}

/** Rounded, so that following the clock does not refetch every second. */
export function roundRange({ from, to }: TimeRange): { from: string; to: string } {
  return {
    from: new Date(Math.floor(from / HOUR) * HOUR - HOUR).toISOString(),
    to: new Date(Math.ceil(to / HOUR) * HOUR).toISOString(),
  }
}
