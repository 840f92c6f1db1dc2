import type { RestCursor } from '@trellis/contract/integrations/rest-manifest'
import type { ExpressionValue } from './filters.ts'
import { ConnectorError } from '../connector-error.ts'

const DAY = 86_400_000

/** A cursor value: milliseconds since 1970, or the number itself. */
export type CursorValue = number

export interface Window {
  readonly start: CursorValue
  /** Undefined for a numeric cursor, which has no known end. */
  readonly end: CursorValue | undefined
  readonly isLast: boolean
}

export function formatCursorValue(
  { kind, format }: Pick<RestCursor, 'kind' | 'format'>,
  index: CursorValue,
): string | number {
  if (kind === 'number' || format === 'number') return index
  switch (format) {
    case 'unix':
      return Math.floor(index / 1000)
    case 'unix_ms':
      return index
    case 'date':
      return new Date(index).toISOString().slice(0, 10)
    case 'iso':
      return new Date(index).toISOString()
  }
}

export function parseCursorValue(
  { kind, format }: Pick<RestCursor, 'kind' | 'format'>,
  value: unknown,
): CursorValue | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const index =
    kind === 'number' || format === 'number' || isNumeric(value) ? parseNumberTime(format, value) : parseTextTime(value)
  if (Number.isNaN(index)) return undefined
  return kind === 'date' ? toStartOfDay(index) : index
}

const isNumeric = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d{5,}$/.test(value))
const parseNumberTime = (format: RestCursor['format'], value: unknown) => Number(value) * (format === 'unix' ? 1000 : 1)
const parseTextTime = (value: unknown) => {
  if (typeof value !== 'string') return Number.NaN
  // A time without a zone is UTC; Date.parse would assume the machine's zone.
  const isZoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(value) || !value.includes(':')
  return Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`)
}
const toStartOfDay = (index: CursorValue) => Math.floor(index / DAY) * DAY

/** The form stored in a checkpoint; strings sort like times. */
export function toCheckpointValue({ kind }: Pick<RestCursor, 'kind'>, index: CursorValue): string | number {
  if (kind === 'number') return index
  return kind === 'date' ? new Date(index).toISOString().slice(0, 10) : new Date(index).toISOString()
}

export function parseCheckpointValue(cursor: Pick<RestCursor, 'kind'>, value: unknown): CursorValue {
  const index = cursor.kind === 'number' ? Number(value) : Date.parse(String(value))
  if (Number.isNaN(index))
    throw new ConnectorError('system', 'The state of an earlier read can no longer be understood.')
  return index
}

export const toTemplateValue = ({ kind }: Pick<RestCursor, 'kind'>, index: CursorValue | undefined): ExpressionValue =>
  index === undefined ? null : kind === 'number' ? index : new Date(index)

export const withLookback = ({ kind, lookback_days = 0 }: RestCursor, index: CursorValue): CursorValue =>
  kind === 'number' ? index : index - lookback_days * DAY

/**
 * Windows of days include both ends. Windows of instants share them, as the platform may count finer than milliseconds.
 */
export function* listWindows(
  cursor: RestCursor,
  start: CursorValue,
  until: CursorValue | undefined,
): Generator<Window> {
  const { kind, step_days: days } = cursor
  if (kind === 'number' || until === undefined) return yield { start, end: until, isLast: true }
  const unit = isDaily(cursor) ? DAY : cursor.format === 'unix' ? 1000 : 1
  const begin = Math.floor(start / unit) * unit
  const last = Math.floor(until / unit) * unit
  if (begin > last) return
  if (days === undefined) return yield { start: begin, end: last, isLast: true }
  const gap = isDaily(cursor) ? DAY : 0
  for (let from = begin; ;) {
    const end = Math.min(last, from + days * DAY - gap)
    const isLast = end >= last
    yield { start: from, end, isLast }
    if (isLast) return
    from = end + gap
  }
}

const isDaily = ({ kind, format }: RestCursor) => kind === 'date' || format === 'date'

/** A record returned for two windows counts in the later one. */
export function isInWindow(cursor: RestCursor, { end, isLast }: Window, index: CursorValue | undefined): boolean {
  if (index === undefined || end === undefined || isLast || isDaily(cursor)) return true
  return index < end
}
