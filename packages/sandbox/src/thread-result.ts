import type { WireColumn } from './wire.ts'

export interface Head {
  readonly kind: WireColumn['kind']
  readonly gaps?: readonly number[]
  readonly count: number
}
export type ThreadResult =
  | { readonly shape: 'nothing' | 'rows' }
  | { readonly shape: 'columns'; readonly names: readonly string[]; readonly heads: readonly Head[] }
  | { readonly fault: 'code' | 'output'; readonly message: string; readonly stack?: string }

const UNREADABLE: ThreadResult = { fault: 'output', message: 'What came back could not be read as columns or rows.' }

/** Postgres' limit for a table. */
export const MAX_COLUMNS = 1600
export const TOO_MANY_COLUMNS = 'More than 1,600 columns came back.'

/** The code can tamper with JSON.stringify, so the text is validated. */
export function readThreadResult(text: string): ThreadResult {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return UNREADABLE
  }
  if (!isRecord(found)) return UNREADABLE
  const { fault, message, stack, shape, names, heads } = found
  if (fault === 'code' || fault === 'output') {
    return { fault, message: String(message), ...(typeof stack === 'string' ? { stack } : {}) }
  }
  if (shape === 'nothing' || shape === 'rows') return { shape }
  if (shape !== 'columns' || !Array.isArray(names) || !Array.isArray(heads)) return UNREADABLE
  if (names.length > MAX_COLUMNS) return { fault: 'output', message: TOO_MANY_COLUMNS }
  if (names.length !== heads.length || !names.every((name) => typeof name === 'string')) return UNREADABLE
  return heads.every(isHead) ? { shape, names, heads } : UNREADABLE
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function isHead(head: unknown): head is Head {
  if (!isRecord(head)) return false
  const { kind, gaps, count } = head
  if (!isCount(count)) return false
  if (kind !== 'numbers' && kind !== 'json' && kind !== 'texts') return false
  return gaps === undefined || (Array.isArray(gaps) && gaps.every((at) => isCount(at) && at < count))
}
