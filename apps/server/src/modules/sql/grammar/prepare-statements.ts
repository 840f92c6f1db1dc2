import { toSourceOffset } from '@trellis/sql-grammar/bind-parameters'
import type { Parameters, SqlProblem } from '@trellis/contract/sql/sql.schemas'
import type { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { StoredRequest } from '../sql-jobs.repository.ts'
import { readSql } from './read-sql.ts'

export interface PreparedStatement {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly values: readonly (string | null)[]
  /** EXPLAIN ANALYZE executes the statement, so it is rolled back. */
  readonly isRolledBack: boolean
  /** Maps Postgres' 1-based character position to the submitted text. */
  toOffset(position: number): number
}

/** Unscannable SQL is one statement: Postgres reports the error. */
export async function listStatements(sql: string): Promise<{ start: number; end: number }[]> {
  return (await readSql.splitStatements(sql)) ?? [{ start: 0, end: sql.length }]
}

export function findStatementAt<Place extends { start: number }>(places: readonly Place[], offset: number): Place[] {
  const place = places.findLast(({ start }) => start <= offset) ?? places[0]
  return place ? [place] : []
}

export async function prepareStatement(
  sql: string,
  { start, end }: { start: number; end: number },
  { parameters, explain }: Pick<StoredRequest, 'parameters' | 'explain'>,
): Promise<PreparedStatement> {
  const source = sql.slice(start, end)
  const boundSql = await readSql.bindParameters({ sql: source, types: toCasts(parameters) })
  const prefix = EXPLAIN[explain]
  return {
    start,
    end,
    text: prefix + boundSql.text,
    values: boundSql.names.map((name) => parameters[name]?.value ?? null),
    isRolledBack: explain === 'analyze',
    toOffset: (position) =>
      start + toSourceOffset(boundSql.pieces, toUnits(prefix + boundSql.text, position) - prefix.length),
  }
}

const EXPLAIN = {
  none: '',
  plan: 'explain (format json, verbose) ',
  analyze: 'explain (analyze, buffers, verbose, format json) ',
} as const

const toCasts = (parameters: Parameters): ReadonlyMap<string, string> =>
  new Map(Object.entries(parameters).map(([name, { type }]) => [name, type]))

/** Postgres counts characters, JavaScript UTF-16 units. */
function toUnits(text: string, position: number): number {
  let units = 0
  for (let character = 1; character < position && units < text.length; character += 1) {
    units += (text.codePointAt(units) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1
  }
  return units
}

const LAST_OF_ONE_UNIT = 0xffff

export function toProblem(error: WorkspaceDbError, statement?: PreparedStatement): SqlProblem {
  const { message, hint, code, sqlState, position } = error
  return {
    message,
    hint: hint ?? null,
    code: sqlState ?? code,
    position: position === undefined || !statement ? null : statement.toOffset(position),
  }
}
