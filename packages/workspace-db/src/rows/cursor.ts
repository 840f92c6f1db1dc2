import { badValue } from './filters.ts'

export interface Cursor {
  readonly of: string
  /** Rows with NULL in the sort column are read separately. */
  readonly phase: 'values' | 'nulls'
  readonly value: string | null
  /** Tie-breaker: key or ctid. */
  readonly tie: readonly string[]
  readonly offset: number
}

/** Must fit into a URL. */
const MAX_CURSOR_LENGTH = 15_000
const MAX_TIE_COLUMNS = 40

export function encodeCursor(cursor: Cursor): string | undefined {
  const { of, phase, value, tie, offset } = cursor
  const text = Buffer.from(JSON.stringify([of, phase, value, tie, offset])).toString('base64url')
  return text.length > MAX_CURSOR_LENGTH ? undefined : text
}

export function decodeCursor(text: string, of: string): Cursor {
  const parts = parse(text)
  if (!Array.isArray(parts) || parts.length !== 5) throw notACursor()
  const [madeFor, phase, value, tie, offset] = parts as unknown[]
  const isValid =
    madeFor === of &&
    (phase === 'values' || phase === 'nulls') &&
    (value === null || typeof value === 'string') &&
    isTexts(tie) &&
    Number.isSafeInteger(offset) &&
    (offset as number) >= 0
  if (!isValid) throw notACursor()
  return { of, phase, value, tie, offset: offset as number }
}

export function encodeKey(key: { readonly primary: readonly string[] } | { readonly place: string }): string | null {
  const parts = 'place' in key ? ['t', key.place] : ['p', ...key.primary]
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return text.length > MAX_CURSOR_LENGTH ? null : text
}

export function decodeKey(text: string): { kind: 'primary' | 'place'; values: readonly string[] } {
  const parts = parse(text)
  if (!isTexts(parts) || (parts[0] !== 't' && parts[0] !== 'p')) throw badValue('This is not the key of a row.')
  return { kind: parts[0] === 'p' ? 'primary' : 'place', values: parts.slice(1) }
}

const PLACE = /^\(\d{1,10},\d{1,5}\)$/
export function assertPlace(place: string | undefined): string {
  if (place === undefined || !PLACE.test(place)) throw notACursor()
  return place
}

export const notACursor = () => badValue('The list of rows changed. Start again from the first page.')

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_TIE_COLUMNS && value.every((item) => typeof item === 'string')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
