import type { Node, RawStmt } from 'libpg-query'
import { type Positions, createPositions } from './positions.ts'
import { runParser } from './run-grammar.ts'
import { type Span, splitStatements } from './split.ts'
import { type StatementKind, getStatementKind } from './statement-kind.ts'

export interface SqlStatement extends Span {
  readonly kind: StatementKind
  readonly type: string
  readonly node: Node
  toOffset(location: number | undefined): number
}

interface SqlFault {
  readonly message: string
  readonly position: number
}

export interface ParsedSql {
  readonly statements: readonly SqlStatement[]
  readonly errors: readonly SqlFault[]
}

export async function parseSql(sql: string): Promise<ParsedSql> {
  const wholeParsedSql = await parsePart(sql, 0)
  if (wholeParsedSql.errors.length === 0 || !/;\s*\S/.test(sql)) return wholeParsedSql
  const spans = splitStatements(sql)
  if (!spans || spans.length < 2) return wholeParsedSql
  const statements: SqlStatement[] = []
  const errors: SqlFault[] = []
  for (const { start, end } of spans) {
    const part = await parsePart(sql.slice(start, end), start)
    statements.push(...part.statements)
    errors.push(...part.errors)
  }
  return errors.length === 0 ? wholeParsedSql : { statements, errors }
}

async function parsePart(sql: string, begin: number): Promise<ParsedSql> {
  const outcome = await runParser(sql)
  const positions = createPositions(sql)
  if ('error' in outcome) {
    const { message, offset } = outcome.error
    return { statements: [], errors: [{ message, position: begin + positions.fromCodePoints(offset) }] }
  }
  return { statements: outcome.value.flatMap((raw) => toStatement(raw, { sql, begin, positions })), errors: [] }
}

interface Part {
  readonly sql: string
  readonly begin: number
  readonly positions: Positions
}

function toStatement({ stmt, stmt_location = 0, stmt_len }: RawStmt, { sql, begin, positions }: Part): SqlStatement[] {
  const [type] = Object.keys(stmt ?? {})
  if (!stmt || type === undefined) return []
  const from = positions.fromBytes(stmt_location)
  const to = stmt_len ? positions.fromBytes(stmt_location + stmt_len) : sql.length
  const text = sql.slice(from, to)
  const start = begin + from + countBlank(text)
  return [
    {
      kind: getStatementKind(stmt),
      type,
      node: stmt,
      start,
      end: Math.max(start, begin + from + text.trimEnd().length),
      toOffset: (location) => begin + positions.fromBytes(Math.max(0, location ?? 0)),
    },
  ]
}

/** The grammar counts leading comments as part of the statement. */
const countBlank = (text: string): number =>
  /^(?:\s+|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.exec(text)?.[0].length ?? 0
