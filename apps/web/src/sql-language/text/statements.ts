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

/** A body of a function that is longer may be cut in its middle: what runs at the cursor is looked for in more. */
export const STATEMENT_WINDOW = 20_000
/** Read for every key, while the person waits for the list. */
export const KEY_WINDOW = 6_000
const STATEMENT_END = ';\n'

/** A text of which a part can be read without the rest. */
export interface ReadableText {
  readonly length: number
  read(start: number, end: number): string
}

/**
 * The part of a long text around a place, cut behind semicolons at the end of lines, so that a keystroke does not cost
 * reading all of it. A text without such a place is not cut.
 */
export function cutAround(sql: ReadableText, offset: number, window: number): { start: number; text: string } {
  if (sql.length <= window * 3) return { start: 0, text: sql.read(0, sql.length) }
  const start = offset <= window ? 0 : findStart(sql, offset - window, offset)
  return { start, text: sql.read(start, findEnd(sql, offset + window, window)) }
}

function findStart(sql: ReadableText, from: number, to: number): number {
  const found = sql.read(from, to).indexOf(STATEMENT_END)
  return found === -1 ? 0 : from + found + STATEMENT_END.length
}

/** Behind the first semicolon that ends a line, else the end of the text. */
function findEnd(sql: ReadableText, from: number, step: number): number {
  for (let at = from; at < sql.length; at += step) {
    // One sign more: the end of a statement may lie across two steps.
    const found = sql.read(at, Math.min(sql.length, at + step + 1)).indexOf(STATEMENT_END)
    if (found !== -1) return at + found + 1
  }
  return sql.length
}
