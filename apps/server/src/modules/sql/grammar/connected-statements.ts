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

/** We do not set the rights of the login on a connected database, so only queries are sent there. */
export async function assertQuery(text: string): Promise<void> {
  const { statements, error } = await readSql.describeStatements(text)
  if (error) {
    const position = [...text.slice(0, error.position)].length + 1
    throw new WorkspaceDbError({ code: 'syntax', sqlState: '42601', message: error.message, position })
  }
  if (statements.every(({ type }) => QUERIES.has(type))) return
  const message = 'A connected database is only read from here: SELECT, VALUES, TABLE, EXPLAIN, SHOW and SET run on it.'
  throw new WorkspaceDbError({ code: 'refused', message })
}
