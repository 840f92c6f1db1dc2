import type { Node } from 'libpg-query'
import { type SqlStatement, parseSql } from './parse.ts'
import { readTokens } from './tokens.ts'

type ColumnPath = readonly string[]

export interface SqlExpression {
  readonly pieces: readonly (string | ColumnPath)[]
}

const PREFIX = 'select '
const NAME = '(?:"(?:[^"]|"")*"|[\\p{L}_][\\p{L}\\p{N}_$]*)'
const COLUMN = new RegExp(`${NAME}(?:\\s*\\.\\s*${NAME})*`, 'uy')

export async function parseExpression(text: string): Promise<SqlExpression | { problem: string }> {
  // A trailing comment would swallow what follows the expression in a query.
  if (readTokens(text).some(({ kind }) => kind === 'comment')) return { problem: 'Leave out comments.' }
  const sql = `${PREFIX}${text}`
  const { statements, errors } = await parseSql(sql)
  const [statement, second] = statements
  if (errors[0]) return { problem: `This is not an SQL expression: ${errors[0].message}.` }
  const expression =
    statement && !second && statement.end === sql.trimEnd().length ? getOnlyTarget(statement) : undefined
  if (!statement || !expression) return { problem: 'Write one expression, without SELECT, FROM or a name.' }
  const nodes: FoundNodes = { columns: [], problem: undefined }
  walk(expression, nodes)
  if (nodes.problem !== undefined) return { problem: nodes.problem }
  return { pieces: cut(sql, statement, nodes.columns) }
}

const TARGET_FIELDS = new Set(['targetList', 'limitOption', 'op'])

function getOnlyTarget({ node }: SqlStatement): Node | undefined {
  if (!('SelectStmt' in node)) return undefined
  const { SelectStmt: select } = node
  if (Object.keys(select).some((field) => !TARGET_FIELDS.has(field))) return undefined
  const [target, second] = select.targetList ?? []
  if (!target || second || !('ResTarget' in target) || target.ResTarget.name !== undefined) return undefined
  return target.ResTarget.val
}

interface FoundColumn {
  readonly location: number
  readonly path: ColumnPath
}
interface FoundNodes {
  readonly columns: FoundColumn[]
  problem: string | undefined
}

function walk(value: unknown, nodes: FoundNodes): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, nodes)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [kind, child] of Object.entries(value)) {
    if (kind === 'SubLink') nodes.problem = 'Leave out subqueries.'
    else if (kind === 'ParamRef') nodes.problem = 'Leave out parameters.'
    else if (kind === 'over') nodes.problem = 'Leave out window functions.'
    else if (kind === 'ColumnRef') addColumn(child as ColumnReference, nodes)
    else walk(child, nodes)
  }
}

interface ColumnReference {
  readonly fields?: readonly Node[]
  readonly location?: number
}

function addColumn({ fields = [], location = 0 }: ColumnReference, nodes: FoundNodes): void {
  const path = fields.flatMap((field) => ('String' in field ? [field.String.sval ?? ''] : []))
  if (path.length < fields.length) nodes.problem = 'Name single columns instead of *.'
  else nodes.columns.push({ location, path })
}

function cut(sql: string, { toOffset }: SqlStatement, columns: readonly FoundColumn[]): SqlExpression['pieces'] {
  const pieces: (string | ColumnPath)[] = []
  let at = PREFIX.length
  for (const { location, path } of columns.toSorted((a, b) => a.location - b.location)) {
    const start = toOffset(location)
    COLUMN.lastIndex = start
    const end = start + (COLUMN.exec(sql)?.[0].length ?? 0)
    pieces.push(sql.slice(at, start), path)
    at = end
  }
  return [...pieces, sql.slice(at).trimEnd()]
}
