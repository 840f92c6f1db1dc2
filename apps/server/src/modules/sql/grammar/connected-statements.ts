import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { readSql } from './read-sql.ts'

/** Other statements can do harm even in a read-only transaction, such as COPY to a program. */
const QUERIES = new Set([
  'SelectStmt',
  'ExplainStmt',
  'VariableShowStmt',
  'VariableSetStmt',
  'TransactionStmt',
  'DeclareCursorStmt',
  'FetchStmt',
  'ClosePortalStmt',
])

const READS_ONLY =
  'This connected database is read-only here: SELECT, VALUES, TABLE, EXPLAIN, SHOW and SET run on it. Writing can be allowed in the settings of its connection.'

/** They reach files and programs of the external server. */
const NEVER = new Set(['CopyStmt', 'LoadStmt', 'AlterSystemStmt'])

/** The login's rights are not ours to set, so only queries are allowed unless the connection allows writing. */
export async function assertAllowed(text: string, { isReadOnly }: { isReadOnly: boolean }): Promise<void> {
  const { statements, error } = await readSql.describeStatements(text)
  if (error) {
    const position = [...text.slice(0, error.position)].length + 1
    throw new WorkspaceDbError({ code: 'syntax', sqlState: '42601', message: error.message, position })
  }
  const isAllowed = (type: string) => (isReadOnly ? QUERIES.has(type) : !NEVER.has(type))
  if (statements.every(({ type }) => isAllowed(type))) return
  const message = isReadOnly ? READS_ONLY : 'COPY, LOAD and ALTER SYSTEM do not run on a connected database from here.'
  throw new WorkspaceDbError({ code: 'refused', message })
}
