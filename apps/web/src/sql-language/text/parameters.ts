import { isSign, readTokens, type Token } from '@trellis/sql-grammar/tokens'

export function listParameters(tokens: readonly Token[]): { name: string; start: number; end: number }[] {
  let brackets = 0
  return tokens.flatMap((token, at) => {
    if (isSign(token, '[')) brackets += 1
    if (isSign(token, ']')) brackets = Math.max(0, brackets - 1)
    const name = tokens[at + 1]
    if (brackets > 0 || !isSign(token, ':') || name?.kind !== 'word' || name.start !== token.end) return []
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(name.text)) return []
    return [{ name: name.text, start: token.start, end: name.end }]
  })
}

/** Avoids tokenizing texts without parameters. */
const MAYBE_PARAMETER = /(?<!:):[A-Za-z_]/

export const listParameterNames = (sql: string): string[] =>
  MAYBE_PARAMETER.test(sql) ? [...new Set(listParameters(readTokens(sql)).map(({ name }) => name))] : []
