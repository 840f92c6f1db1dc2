import type { Span } from '@trellis/sql-grammar/split'
import { isSign, type Token } from '@trellis/sql-grammar/tokens'

/** Commands of psql stand alone on their line: `\d orders`. */
const META_LINE = /^[ \t]*\\[^\n]*$/gm

export const listMetaLines = (sql: string): Span[] =>
  [...sql.matchAll(META_LINE)].map(({ 0: text, index }) => ({ start: index, end: index + text.length }))

/** Blanks of the same length, so that all other places stay the same. */
const toBlank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

export function blankMetaLines(sql: string): string {
  return sql.includes('\\') ? sql.replaceAll(META_LINE, toBlank) : sql
}

/** What runs at the cursor: the statement that begins last before it, and the first one before all of them. */
export function findStatementAt<Place extends Span>(places: readonly Place[], offset: number): Place | undefined {
  return places.findLast(({ start }) => start <= offset) ?? places[0]
}

/** Tokens between the semicolons around the cursor. Behind a semicolon a new statement begins. */
export function readStatementAround(tokens: readonly Token[], offset: number): Token[] {
  const isEnd = (token: Token) => isSign(token, ';')
  const before = tokens.findLastIndex((token) => isEnd(token) && token.end <= offset)
  const after = tokens.findIndex((token) => isEnd(token) && token.start >= offset)
  return tokens.slice(before + 1, after === -1 ? undefined : after).filter(({ kind }) => kind !== 'comment')
}

const WINDOW = 20_000

/**
 * The part of a long text around a place, cut behind semicolons at the end of lines, so that a keystroke does not cost
 * reading all of it. A text without such a place is not cut.
 */
export function cutAround(sql: string, offset: number): { start: number; text: string } {
  if (sql.length <= WINDOW * 3) return { start: 0, text: sql }
  const before = offset <= WINDOW ? 0 : sql.indexOf(';\n', offset - WINDOW) + 2
  const start = before > 1 && before <= offset ? before : 0
  const after = sql.indexOf(';\n', offset + WINDOW)
  return { start, text: sql.slice(start, after === -1 ? undefined : after + 1) }
}
