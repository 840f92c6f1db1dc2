import type { Node, SelectStmt } from 'libpg-query'

/** `write` changes or locks rows, `ddl` changes definitions and rights; `utility`: SET, transactions, DO, CALL. */
export type StatementKind = 'read' | 'write' | 'ddl' | 'utility'

const WRITES = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'TruncateStmt', 'RefreshMatViewStmt'])
const DDL =
  /^(?:Create|Alter|Drop|Comment|Grant|Revoke|Define|View|Index|Rename|Rule|Composite|SecLabel|ImportForeign|ReassignOwned)/

export function getStatementKind(node: Node): StatementKind {
  if ('SelectStmt' in node) return getQueryKind(node.SelectStmt)
  if ('ExplainStmt' in node) {
    const { query, options = [] } = node.ExplainStmt
    return query && options.some(isAnalyze) ? getStatementKind(query) : 'read'
  }
  if ('CopyStmt' in node) {
    const { is_from, is_program, filename, query } = node.CopyStmt
    if (is_from) return 'write'
    if (is_program || filename) return 'utility'
    return query ? getStatementKind(query) : 'read'
  }
  if ('PrepareStmt' in node) return node.PrepareStmt.query ? getStatementKind(node.PrepareStmt.query) : 'utility'
  if ('DeclareCursorStmt' in node) {
    return node.DeclareCursorStmt.query ? getStatementKind(node.DeclareCursorStmt.query) : 'utility'
  }
  const [type = ''] = Object.keys(node)
  if (WRITES.has(type)) return 'write'
  return DDL.test(type) ? 'ddl' : 'utility'
}

function getQueryKind(select: SelectStmt): StatementKind {
  if (select.intoClause) return 'ddl'
  return isWriting(select) ? 'write' : 'read'
}

function isWriting(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isWriting)
  if (value === null || typeof value !== 'object') return false
  if ('lockingClause' in value) return true
  return Object.entries(value).some(([key, inner]) => WRITES.has(key) || isWriting(inner))
}

const FALSE = new Set(['false', 'off', '0', 'no'])

function isAnalyze(option: Node): boolean {
  if (!('DefElem' in option) || option.DefElem.defname !== 'analyze') return false
  const { arg } = option.DefElem
  if (!arg) return true
  if ('String' in arg) return !FALSE.has((arg.String.sval ?? '').toLowerCase())
  if ('Boolean' in arg) return arg.Boolean.boolval === true
  return !('Integer' in arg) || (arg.Integer.ival ?? 0) !== 0
}
