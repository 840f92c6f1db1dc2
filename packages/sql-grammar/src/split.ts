import { MAX_SQL_LENGTH } from './run-grammar.ts'
import { isSign, readTokens, type Token } from './tokens.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

interface StatementTokens extends Span {
  readonly tokens: readonly Token[]
}

/** Without these characters there is one statement and no need for tokens. Non-ASCII blanks may be part of a name. */
const MAY_BE_SEVERAL = /["'$;\u0080-\uffff]|--|\/\*/

export const isOneStatement = (sql: string): boolean => !MAY_BE_SEVERAL.test(sql)

function listSingleStatement(sql: string): Span[] {
  const text = sql.trim()
  const start = sql.length - sql.trimStart().length
  return text === '' ? [] : [{ start, end: start + text.length }]
}

/** Undefined if a quote or comment is left open. */
export function splitStatements(sql: string): Span[] | undefined {
  if (sql.length > MAX_SQL_LENGTH || sql.includes('\0')) return undefined
  if (isOneStatement(sql)) return listSingleStatement(sql)
  const tokens = readTokens(sql)
  if (tokens.some(({ isOpen }) => isOpen)) return undefined
  return listStatements(tokens).map(({ start, end }) => ({ start, end }))
}

export function listStatements(tokens: readonly Token[]): StatementTokens[] {
  const statements: StatementTokens[] = []
  let current: Token[] = []
  let parentheses = 0
  let bodies = 0
  let previous = ''
  const finish = () => {
    const [first] = current
    const last = current.at(-1)
    if (first && last) statements.push({ start: first.start, end: last.end, tokens: current })
    current = []
  }
  for (const token of tokens) {
    if (token.kind === 'comment') continue
    if (isSign(token, ';') && parentheses <= 0 && bodies === 0) {
      finish()
      parentheses = 0
      previous = ''
      continue
    }
    const word = token.text.toLowerCase()
    if (word === '(') parentheses += 1
    if (word === ')') parentheses -= 1
    // A function body in standard SQL contains semicolons.
    if ((word === 'atomic' && previous === 'begin') || (word === 'case' && bodies > 0)) bodies += 1
    if (word === 'end' && bodies > 0) bodies -= 1
    previous = word
    current.push(token)
  }
  finish()
  return statements
}
