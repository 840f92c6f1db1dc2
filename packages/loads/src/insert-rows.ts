import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Session } from '@trellis/workspace-db/session'
import type { Target } from './target.ts'

/** Triggers expect the search path of the workspace's sessions. */
export async function insertWithDataSearchPath(session: Session, text: string): Promise<number> {
  await session.query({ text: 'set local search_path = data' })
  const { rowCount } = await session.query({ text })
  await session.query({ text: 'set local search_path = pg_catalog' })
  return rowCount
}

/** OVERRIDING SYSTEM VALUE. */
export const buildIdentityOverride = (target: Target | undefined, columns: readonly string[]): string =>
  target?.columns.some(({ name, isIdentity }) => isIdentity && columns.includes(name)) ? 'overriding system value' : ''

export async function insertRows(
  session: Session,
  { target, targetTable }: { target: Target | undefined; targetTable: string },
  { sourceTable, columns }: { sourceTable: string; columns: readonly string[] },
): Promise<number> {
  const columnList = columns.map((name) => quoteName(name)).join(', ')
  return await insertWithDataSearchPath(
    session,
    `insert into ${targetTable} (${columnList}) ${buildIdentityOverride(target, columns)} select ${columnList} from ${sourceTable}`,
  )
}
