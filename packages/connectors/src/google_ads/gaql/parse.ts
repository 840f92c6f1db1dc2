import { joinWithOr } from '../../shared/join-with-or.ts'
import type { Condition, Literal, Name, Operator, Ordering, Parameter, Position, Problem, Query } from './query.ts'
import { isList } from './query.ts'
import type { Token } from './tokens.ts'
import { GaqlFault, tokenize } from './tokens.ts'

const MAX_LENGTH = 100_000
const CLAUSES = ['SELECT', 'FROM', 'WHERE', 'ORDER BY', 'LIMIT', 'PARAMETERS'] as const
const OPENERS = ['SELECT', 'FROM', 'WHERE', 'ORDER', 'LIMIT', 'PARAMETERS']
/** Never a name, so that a missing name is reported at its place. */
const RESERVED = new Set([...OPENERS, 'AND', 'OR', 'BY', 'HAVING', 'GROUP'])

export type ParsedQuery = { readonly query: Query } | { readonly problem: Problem }

export function parseGaql(text: string): ParsedQuery {
  try {
    if (text.length > MAX_LENGTH)
      throw new GaqlFault({ line: 1, column: 1 }, 'The query is longer than 100,000 characters.')
    return { query: readQuery(createReader(tokenize(text))) }
  } catch (fault) {
    if (fault instanceof GaqlFault) return { problem: fault.problem }
    throw fault
  }
}

interface Reader {
  peek(): Token
  take(): Token
  isAt(...words: string[]): boolean
  skip(word: string): Token | null
}

function createReader(tokens: readonly Token[]): Reader {
  let position = 0
  const end = tokens.at(-1) as Token
  const peek = () => tokens[position] ?? end
  const isAt = (...words: string[]) => peek().kind !== 'string' && words.includes(peek().text.toUpperCase())
  const take = () => {
    const token = peek()
    position += 1
    return token
  }
  return { peek, take, isAt, skip: (word) => (isAt(word) ? take() : null) }
}

const describeToken = (token: Token) => (token.kind === 'end' ? 'the query ends here' : `${token.text} stands here`)

function readQuery(reader: Reader): Query {
  if (reader.peek().kind === 'end') throw new GaqlFault(reader.peek(), 'The query is empty. It begins with SELECT.')
  expect(reader, 'SELECT', 'A query begins with SELECT')
  const select = readList(reader, () => readName(reader, 'a field, for example campaign.id'))
  expect(reader, 'FROM', 'After the fields comes FROM and a resource')
  const from = readName(reader, 'a resource, for example campaign')
  const where = reader.skip('WHERE') ? readConditions(reader) : []
  const orderBy = readOrderBy(reader)
  const limit = reader.skip('LIMIT') ? readLimit(reader) : null
  const parameters = reader.skip('PARAMETERS') ? readList(reader, () => readParameter(reader)) : []
  refuseRest(reader)
  return { select, from, where, orderBy, limit, parameters }
}

function expect(reader: Reader, word: string, rule: string): void {
  if (reader.skip(word)) return
  const token = reader.peek()
  if (word === 'FROM' && token.kind === 'word' && !RESERVED.has(token.text.toUpperCase())) {
    throw new GaqlFault(
      token,
      `Fields are separated by commas, and FROM comes after the last one; ${describeToken(token)}.`,
    )
  }
  throw new GaqlFault(token, `${rule}; ${describeToken(token)}.`)
}

function readList<T>(reader: Reader, readOne: () => T): T[] {
  const items = [readOne()]
  while (reader.skip(',')) items.push(readOne())
  return items
}

function readName(reader: Reader, what: string): Name {
  const token = reader.peek()
  if (token.kind === 'string') throw new GaqlFault(token, `Names stand without quotation marks. Write ${what}.`)
  if (token.kind !== 'word' || RESERVED.has(token.text.toUpperCase())) {
    throw new GaqlFault(token, `Here belongs ${what}; ${describeToken(token)}.`)
  }
  if (!/^[a-z]\w*(\.\w+)*$/i.test(token.text)) {
    throw new GaqlFault(
      token,
      `${token.text} is no name: words joined by single dots, the first beginning with a letter.`,
    )
  }
  reader.take()
  return { name: token.text, line: token.line, column: token.column }
}

function readConditions(reader: Reader): Condition[] {
  const conditions = [readCondition(reader)]
  while (reader.skip('AND')) conditions.push(readCondition(reader))
  const token = reader.peek()
  if (reader.isAt('OR')) {
    throw new GaqlFault(
      token,
      'GAQL has no OR. All conditions hold together (AND); for several values of one field use IN ( … ).',
    )
  }
  if (reader.isAt(',')) throw new GaqlFault(token, 'Conditions are joined by AND, not by commas.')
  return conditions
}

function readCondition(reader: Reader): Condition {
  if (reader.isAt('(')) throw new GaqlFault(reader.peek(), 'Conditions cannot stand in brackets; join them with AND.')
  if (reader.isAt('NOT')) {
    throw new GaqlFault(reader.peek(), 'NOT stands after the field: NOT IN, NOT LIKE, NOT REGEXP_MATCH or IS NOT NULL.')
  }
  const field = readName(reader, 'a field, for example campaign.status')
  const { line, column } = reader.peek()
  const operator = readOperator(reader)
  return { field, operator, operatorAt: { line, column }, values: readValues(reader, operator) }
}

const SIGNS = ['=', '!=', '<', '>', '<=', '>=']
const ALLOWED =
  '=, !=, <, >, <=, >=, IN, NOT IN, LIKE, NOT LIKE, CONTAINS ANY, CONTAINS ALL, CONTAINS NONE, IS NULL, IS NOT NULL, DURING, BETWEEN, REGEXP_MATCH or NOT REGEXP_MATCH'

function readOperator(reader: Reader): Operator {
  const first = reader.take()
  const word = first.kind === 'string' ? '' : first.text.toUpperCase()
  if (SIGNS.includes(word) || ['IN', 'LIKE', 'DURING', 'BETWEEN', 'REGEXP_MATCH'].includes(word))
    return word as Operator
  if (word === 'NOT') return `NOT ${readKeyword(reader, 'NOT', ['IN', 'LIKE', 'REGEXP_MATCH'])}` as Operator
  if (word === 'CONTAINS') return `CONTAINS ${readKeyword(reader, 'CONTAINS', ['ANY', 'ALL', 'NONE'])}` as Operator
  if (word === 'IS') {
    if (reader.skip('NULL')) return 'IS NULL'
    if (!reader.skip('NOT'))
      throw new GaqlFault(reader.peek(), `After IS comes NULL or NOT NULL; ${describeToken(reader.peek())}.`)
    readKeyword(reader, 'IS NOT', ['NULL'])
    return 'IS NOT NULL'
  }
  throw new GaqlFault(first, `After a field comes ${ALLOWED}; ${describeToken(first)}.`)
}

function readKeyword(reader: Reader, before: string, words: readonly string[]): string {
  const found = words.find((word) => reader.isAt(word))
  if (!found)
    throw new GaqlFault(reader.peek(), `After ${before} comes ${joinWithOr(words)}; ${describeToken(reader.peek())}.`)
  reader.take()
  return found
}

function readValues(reader: Reader, operator: Operator): Literal[] {
  if (operator.startsWith('IS')) return []
  if (isList(operator)) return readBracketed(reader, operator)
  if (reader.isAt('(')) throw new GaqlFault(reader.peek(), `${operator} takes one value. For a list use IN ( … ).`)
  const first = readLiteral(reader)
  if (operator !== 'BETWEEN') return [first]
  if (!reader.skip('AND'))
    throw new GaqlFault(reader.peek(), `BETWEEN needs AND and a second value; ${describeToken(reader.peek())}.`)
  return [first, readLiteral(reader)]
}

function readBracketed(reader: Reader, operator: Operator): Literal[] {
  if (!reader.skip('('))
    throw new GaqlFault(reader.peek(), `${operator} needs a list in brackets; ${describeToken(reader.peek())}.`)
  if (reader.isAt(')')) throw new GaqlFault(reader.peek(), 'The list is empty. Name at least one value.')
  const values = readList(reader, () => readLiteral(reader))
  const [first] = values
  const odd = values.find(({ kind }) => kind !== first?.kind)
  if (odd)
    throw new GaqlFault(
      odd,
      'The values of a list are all texts, all numbers or all words; this one is of another kind.',
    )
  if (!reader.skip(')'))
    throw new GaqlFault(reader.peek(), `The list is not closed: , or ) belongs here; ${describeToken(reader.peek())}.`)
  return values
}

function readLiteral(reader: Reader): Literal {
  const token = reader.peek()
  if (token.kind === 'end' || token.kind === 'sign' || reader.isAt(...RESERVED)) {
    throw new GaqlFault(
      token,
      `Here belongs a value: a number, a word, or a text in quotation marks; ${describeToken(token)}.`,
    )
  }
  if (token.kind === 'word' && token.text.includes('.')) {
    throw new GaqlFault(
      token,
      `A field can only be compared with a value. Put ${token.text} in quotation marks if it is a text.`,
    )
  }
  reader.take()
  return { kind: token.kind, text: token.text, line: token.line, column: token.column }
}

function readOrderBy(reader: Reader): Ordering[] {
  if (!reader.skip('ORDER')) return []
  if (!reader.skip('BY')) throw new GaqlFault(reader.peek(), `After ORDER comes BY; ${describeToken(reader.peek())}.`)
  return readList(reader, () => {
    const field = readName(reader, 'a field to order by')
    const direction = reader.skip('ASC') ? ('ASC' as const) : reader.skip('DESC') ? ('DESC' as const) : null
    return { field, direction }
  })
}

function readLimit(reader: Reader): Position & { count: number } {
  const token = reader.take()
  const count = Number(token.text)
  if (token.kind !== 'number' || !/^[1-9]\d*$/.test(token.text) || !Number.isSafeInteger(count)) {
    throw new GaqlFault(token, `LIMIT takes a whole number from 1 on; ${describeToken(token)}.`)
  }
  return { count, line: token.line, column: token.column }
}

function readParameter(reader: Reader): Parameter {
  const name = readName(reader, 'a parameter: include_drafts or omit_unselected_resource_names')
  if (!reader.skip('='))
    throw new GaqlFault(reader.peek(), `After a parameter comes =; ${describeToken(reader.peek())}.`)
  return { name, value: readLiteral(reader) }
}

const ORDER = `The clauses come in this order: ${CLAUSES.join(', ')}.`

function refuseRest(reader: Reader): void {
  const token = reader.peek()
  if (token.kind === 'end') return
  const word = token.text.toUpperCase()
  if (word === 'HAVING') throw new GaqlFault(token, 'GAQL has no HAVING. Conditions on metrics stand in WHERE.')
  if (word === 'GROUP')
    throw new GaqlFault(token, 'GAQL has no GROUP BY. Rows are grouped by the attributes and segments selected.')
  if (word === 'OFFSET') throw new GaqlFault(token, 'GAQL has no OFFSET. All pages are read by themselves.')
  if (word === 'AND' || word === 'OR') throw new GaqlFault(token, `${word} joins conditions and stands only in WHERE.`)
  if (OPENERS.includes(word)) throw new GaqlFault(token, `${word} is too late here or comes twice. ${ORDER}`)
  if (word === 'AS') throw new GaqlFault(token, 'GAQL has no AS. Columns can be renamed in the data model.')
  throw new GaqlFault(
    token,
    `The query should be over here or go on with another clause; ${describeToken(token)}. ${ORDER}`,
  )
}
