import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { readSql } from './read-sql.ts'

/** Each runs in a transaction that can only read; what is not in here can do harm in one too, such as COPY to a program. */
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

/** They reach the files and programs of somebody else's server, where the login has the right. */
const NEVER = new Set(['CopyStmt', 'LoadStmt', 'AlterSystemStmt'])

/**
 * We do not set the rights of the login on a connected database, so only queries are sent there unless the connection
 * allows writing.
 */
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
