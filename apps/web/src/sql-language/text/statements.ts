import type { Span } from '@trellis/sql-grammar/split'
import { isSign, type Token } from '@trellis/sql-grammar/tokens'

/** psql commands stand alone on their line: `\d orders`. */
const META_LINE = /^[ \t]*\\[^\n]*$/gm

export const listMetaLines = (sql: string): Span[] =>
  [...sql.matchAll(META_LINE)].map(({ 0: text, index }) => ({ start: index, end: index + text.length }))

/** Keeps offsets. */
const toBlank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

export function blankMetaLines(sql: string): string {
  return sql.includes('\\') ? sql.replaceAll(META_LINE, toBlank) : sql
}

export function findStatementAt<Place extends Span>(places: readonly Place[], offset: number): Place | undefined {
  return places.findLast(({ start }) => start <= offset) ?? places[0]
}

export function readStatementAround(tokens: readonly Token[], offset: number): Token[] {
  const isEnd = (token: Token) => isSign(token, ';')
  const before = tokens.findLastIndex((token) => isEnd(token) && token.end <= offset)
  const after = tokens.findIndex((token) => isEnd(token) && token.start >= offset)
  return tokens.slice(before + 1, after === -1 ? undefined : after).filter(({ kind }) => kind !== 'comment')
}

/** Large enough that a long function body is not cut where it runs. */
export const STATEMENT_WINDOW = 20_000
/** Smaller: parsed on every keystroke. */
export const KEY_WINDOW = 6_000
const STATEMENT_END = ';\n'

export interface ReadableText {
  readonly length: number
  read(start: number, end: number): string
}

/**
 * Cuts a long text at semicolons around the cursor, so that a keystroke does not parse all of it. Uncut when there are
 * none.
 */
export function sliceAround(sql: ReadableText, offset: number, window: number): { start: number; text: string } {
  if (sql.length <= window * 3) return { start: 0, text: sql.read(0, sql.length) }
  const start = offset <= window ? 0 : findStart(sql, offset - window, offset)
  return { start, text: sql.read(start, findEnd(sql, offset + window, window)) }
}

function findStart(sql: ReadableText, from: number, to: number): number {
  const found = sql.read(from, to).indexOf(STATEMENT_END)
  return found === -1 ? 0 : from + found + STATEMENT_END.length
}

function findEnd(sql: ReadableText, from: number, step: number): number {
  for (let at = from; at < sql.length; at += step) {
    // One character more: a statement end may span two steps.
    const found = sql.read(at, Math.min(sql.length, at + step + 1)).indexOf(STATEMENT_END)
    if (found !== -1) return at + found + 1
  }
  return sql.length
}
