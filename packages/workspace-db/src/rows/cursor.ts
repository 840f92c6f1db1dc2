import { badValueError } from './filters.ts'

export interface Cursor {
  readonly scope: string
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
  const { scope, phase, value, tie, offset } = cursor
  const text = Buffer.from(JSON.stringify([scope, phase, value, tie, offset])).toString('base64url')
  return text.length > MAX_CURSOR_LENGTH ? undefined : text
}

export function decodeCursor(text: string, scope: string): Cursor {
  const parts = parseBase64Json(text)
  if (!Array.isArray(parts) || parts.length !== 5) throw invalidCursorError()
  const [encodedScope, phase, value, tie, offset] = parts as unknown[]
  const isValid =
    encodedScope === scope &&
    (phase === 'values' || phase === 'nulls') &&
    (value === null || typeof value === 'string') &&
    isTextArray(tie) &&
    Number.isSafeInteger(offset) &&
    (offset as number) >= 0
  if (!isValid) throw invalidCursorError()
  return { scope, phase, value, tie, offset: offset as number }
}

export function encodeKey(key: { readonly primary: readonly string[] } | { readonly place: string }): string | null {
  const parts = 'place' in key ? ['t', key.place] : ['p', ...key.primary]
  const text = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return text.length > MAX_CURSOR_LENGTH ? null : text
}

export function decodeKey(text: string): { kind: 'primary' | 'place'; values: readonly string[] } {
  const parts = parseBase64Json(text)
  if (!isTextArray(parts) || (parts[0] !== 't' && parts[0] !== 'p'))
    throw badValueError('This is not the key of a row.')
  return { kind: parts[0] === 'p' ? 'primary' : 'place', values: parts.slice(1) }
}

const CTID = /^\(\d{1,10},\d{1,5}\)$/
export function assertCtid(place: string | undefined): string {
  if (place === undefined || !CTID.test(place)) throw invalidCursorError()
  return place
}

export const invalidCursorError = () => badValueError('The list of rows changed. Start again from the first page.')

function isTextArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_TIE_COLUMNS && value.every((item) => typeof item === 'string')
}

function parseBase64Json(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
