/** `{{ name.part | filter: 'argument' }}`. The language has names, filters and literals only. */
interface FilterCall {
  readonly name: string
  readonly argument: string | number | undefined
}

export interface Expression {
  readonly value: { readonly name: readonly string[] } | { readonly literal: string | number }
  readonly filters: readonly FilterCall[]
}

export type TemplatePart = string | Expression

export class ExpressionFault extends Error {}

const TOKEN =
  /\s*(?:(?<name>[A-Za-z_$][\w$-]*)|(?<number>-?\d+(?:\.\d+)?)|'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<sign>[.|:]))/y

interface Token {
  readonly kind: 'name' | 'literal' | 'sign'
  readonly text: string | number
}

export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open === -1) break
    const close = text.indexOf('}}', open + 2)
    if (close === -1) throw new ExpressionFault('"{{" is never closed by "}}".')
    if (open > at) parts.push(text.slice(at, open))
    parts.push(parseExpression(text.slice(open + 2, close)))
    at = close + 2
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

function parseExpression(text: string): Expression {
  const tokens = tokenize(text)
  const parts = [[]] as Token[][]
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === '|') parts.push([])
    else parts.at(-1)?.push(token)
  }
  const [value = [], ...filters] = parts
  return { value: parseValue(value), filters: filters.map((filter) => parseFilter(filter)) }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex
    const groups = pattern.exec(text)?.groups
    if (!groups) throw new ExpressionFault(`"${text.slice(start).trim()}" is not understood.`)
    const { name, number, single, double, sign } = groups
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else tokens.push({ kind: 'literal', text: number === undefined ? (single ?? double ?? '') : Number(number) })
  }
  return tokens
}

function parseValue(tokens: readonly Token[]): Expression['value'] {
  const [first] = tokens
  if (!first) throw new ExpressionFault('There is nothing between "{{" and "}}".')
  if (first.kind === 'literal' && tokens.length === 1) return { literal: first.text }
  const isName = tokens.every(({ kind, text }, index) => (index % 2 === 0 ? kind === 'name' : text === '.'))
  if (!isName || tokens.length % 2 === 0) {
    throw new ExpressionFault(`"${tokens.map(({ text }) => text).join(' ')}" is neither a name nor a value.`)
  }
  return { name: tokens.filter((_, index) => index % 2 === 0).map(({ text }) => String(text)) }
}

function parseFilter(tokens: readonly Token[]): FilterCall {
  const [name, colon, argument] = tokens
  const isRight =
    name?.kind === 'name' &&
    (tokens.length === 1 || (tokens.length === 3 && colon?.text === ':' && argument?.kind === 'literal'))
  if (!isRight) throw new ExpressionFault(`"${tokens.map(({ text }) => text).join(' ')}" is not a filter.`)
  return { name: String(name.text), argument: argument?.text }
}
