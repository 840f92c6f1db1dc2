type TokenKind = 'word' | 'quoted' | 'string' | 'number' | 'operator' | 'punctuation' | 'comment'

export interface Token {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
  readonly text: string
  readonly isOpen: boolean
}

const LETTER = 'A-Za-z_\\u0080-\\uffff'
const WORD = new RegExp(`[${LETTER}][${LETTER}0-9$]*`, 'y')
const DOLLAR = new RegExp(`\\$(?:[${LETTER}][${LETTER}0-9]*)?\\$`, 'y')
const PARAMETER = /\$\d+/y
const NUMBER =
  /(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y
const SPACE = /[\s\u00a0]+/y
/** Adjacent literals on consecutive lines are one string, which keeps its escaping mode. */
const ESCAPED = /[eE]'(?:[^'\\]|\\[^]|''|'[ \t\f\v]*[\n\r]\s*')*/y
const PLAIN = /(?:[bBxXnN]|[uU]&)?'[^']*(?:'(?:'|[ \t\f\v]*[\n\r]\s*')[^']*)*/y
const QUOTED = /(?:[uU]&)?"[^"]*(?:""[^"]*)*/y
const LINE_END = /[\n\r]/g
const DOUBLE = /::|:=|\.\./y
const OPERATOR = /[-+*/<>=~!@#%^&|`?]+/y

const SINGLE = new Set('(),;[]')
const MAYBE_SPECIAL = new Set('-/eEbBxXnNuU\'"$')
const QUOTES = [
  ['string', ESCAPED, "'"],
  ['string', PLAIN, "'"],
  ['quoted', QUOTED, '"'],
] as const

/** Tokenises like PostgreSQL, but without WebAssembly, and tolerates unfinished SQL while it is being typed. */
export function readTokens(sql: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(sql)?.[0]
  }
  const push = (kind: TokenKind, end: number, isOpen = false) => {
    tokens.push({ kind, start: at, end, text: sql.slice(at, end), isOpen })
    at = end
  }
  const pushClosed = (kind: TokenKind, body: string, close: string) => {
    const end = at + body.length
    const isOpen = sql[end] !== close
    push(kind, isOpen ? end : end + 1, isOpen)
  }
  const readSpecial = (first: string): boolean => {
    if (first === '-' && sql[at + 1] === '-') {
      LINE_END.lastIndex = at
      push('comment', LINE_END.exec(sql)?.index ?? sql.length)
      return true
    }
    if (first === '/' && sql[at + 1] === '*') {
      const end = findCommentEnd(sql, at)
      push('comment', end ?? sql.length, end === undefined)
      return true
    }
    for (const [kind, pattern, close] of QUOTES) {
      const body = match(pattern)
      if (body === undefined) continue
      pushClosed(kind, body, close)
      return true
    }
    const dollar = first === '$' ? match(DOLLAR) : undefined
    if (dollar === undefined) return false
    const end = sql.indexOf(dollar, at + dollar.length)
    push('string', end === -1 ? sql.length : end + dollar.length, end === -1)
    return true
  }
  while (at < sql.length) {
    const first = sql[at] as string
    if (SINGLE.has(first)) {
      push('punctuation', at + 1)
      continue
    }
    const space = first <= ' ' || first >= '\u0080' ? match(SPACE) : undefined
    if (space !== undefined) at += space.length
    else if (MAYBE_SPECIAL.has(first) && readSpecial(first)) continue
    else {
      const isDigit = first >= '0' && first <= '9'
      const word = isDigit ? undefined : match(WORD)
      const number = word === undefined ? (match(NUMBER) ?? match(PARAMETER)) : undefined
      const operator = word === undefined && number === undefined ? (match(DOUBLE) ?? match(OPERATOR)) : undefined
      if (word !== undefined) push('word', at + word.length)
      else if (number !== undefined) push('number', at + number.length)
      else if (operator !== undefined) push('operator', at + operatorLength(operator))
      else push('punctuation', at + 1)
    }
  }
  return tokens
}

function findCommentEnd(sql: string, start: number): number | undefined {
  const edge = /\/\*|\*\//g
  edge.lastIndex = start
  let depth = 0
  for (let match = edge.exec(sql); match; match = edge.exec(sql)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return match.index + 2
  }
  return undefined
}

/** An operator ends before a comment, and at + or - unless it contains certain other characters. */
function operatorLength(operator: string): number {
  if (operator === '::' || operator === ':=' || operator === '..') return 2
  const comment = operator.search(/--|\/\*/)
  let length = comment > 0 ? comment : operator.length
  if (!/[~!@#%^&|`?]/.test(operator.slice(0, length)))
    while (length > 1 && /[-+]/.test(operator[length - 1] ?? '')) length -= 1
  return length
}

export const isWord = (token: Token | undefined, ...words: string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text.toLowerCase())

export const isSign = (token: Token | undefined, sign: string): boolean =>
  token !== undefined && (token.kind === 'punctuation' || token.kind === 'operator') && token.text === sign

export const isName = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'quoted'

export function toName({ kind, text, isOpen }: Token): string {
  if (kind !== 'quoted') return text.toLowerCase()
  const inner = text.replace(/^[uU]&/, '').slice(1, isOpen ? undefined : -1)
  return inner.replaceAll('""', '"')
}
