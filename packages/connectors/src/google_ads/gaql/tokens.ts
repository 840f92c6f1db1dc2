import type { Position, Problem } from './query.ts'

export interface Token extends Position {
  readonly kind: 'word' | 'number' | 'string' | 'sign' | 'end'
  readonly text: string
}

export class GaqlFault extends Error {
  readonly problem: Problem

  constructor(position: Position, message: string) {
    super(message)
    this.problem = { line: position.line, column: position.column, message }
  }
}

const SHAPES: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['number', /-?\d+(?:\.\d+)?(?![\w.])/y],
  ['word', /\w[\w.]*/y],
  ['string', /'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*"/y],
  ['sign', /!=|<=|>=|[=<>(),]/y],
]

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  let lineStart = 0
  let offset = 0
  while (offset < text.length) {
    const place = { line, column: offset - lineStart + 1 }
    const found = shapeAt(text, offset)
    if (!found) throw new GaqlFault(place, explainUnexpectedCharacter(text, offset))
    if (found.kind !== 'space') tokens.push({ kind: found.kind, text: found.text, ...place })
    for (const { index } of found.text.matchAll(/\n/g)) {
      line += 1
      lineStart = offset + index + 1
    }
    offset += found.text.length
  }
  tokens.push({ kind: 'end', text: '', line, column: offset - lineStart + 1 })
  return tokens
}

function shapeAt(text: string, offset: number) {
  for (const [kind, shape] of SHAPES) {
    shape.lastIndex = offset
    const match = shape.exec(text)
    // `==` and `<>` are reported as a whole, not at their second character.
    if (match && !(kind === 'sign' && /^(==|<>)/.test(text.slice(offset, offset + 2)))) return { kind, text: match[0] }
  }
  return null
}

const UNEXPECTED_CHARACTERS: readonly (readonly [RegExp, string])[] = [
  [/^(--|\/\*|#|\/\/)/, 'GAQL has no comments. Take this one out.'],
  [/^;/, 'A query ends without a semicolon. Take it out.'],
  [/^\*/, 'GAQL has no *. Name each field you want, for example campaign.id.'],
  [/^==/, 'Two values are compared with = here, not ==.'],
  [/^<>/, 'Different values are found with != here, not <>.'],
  [/^!/, 'A lone ! means nothing. To find different values write !=.'],
  [/^['"]/, 'This text is not closed: its second quotation mark is missing on this line.'],
  [/^[‘’“”`]/, 'Put texts in straight quotation marks: \' or ".'],
  [/^\[/, 'Lists stand in round brackets: ( … ).'],
  [/^\./, 'A name cannot begin with a dot.'],
]

function explainUnexpectedCharacter(text: string, offset: number): string {
  const rest = text.slice(offset, offset + 2)
  const known = UNEXPECTED_CHARACTERS.find(([shape]) => shape.test(rest))
  return (
    known?.[1] ??
    `The character ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0))} has no meaning in GAQL.`
  )
}
