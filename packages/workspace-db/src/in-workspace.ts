import type pg from 'pg'
import type { Cluster } from './cluster.ts'
import { toWorkspaceDbError } from './errors.ts'
import { toWorkspaceNames, type WorkspaceNames } from './names.ts'
import { lockWorkspaceDatabase } from './remove.ts'

/**
 * As administrator, serialised per workspace. Never run user code here: no views, no triggers, no functions outside
 * pg_catalog.
 */
export async function withWorkspaceAdmin<T>(
  cluster: Cluster,
  key: string,
  work: (client: pg.Client, names: WorkspaceNames) => Promise<T>,
): Promise<T> {
  const names = toWorkspaceNames(key)
  try {
    // The lock belongs to the cluster, since provisioning and removal take it from outside the database.
    return await cluster.withAdmin(undefined, async (admin) => {
      await lockWorkspaceDatabase(admin, names)
      return await cluster.withAdmin(names.database, async (client) => {
        await client.query('begin')
        await client.query("set local lock_timeout = '5s'")
        await client.query("set local statement_timeout = '2min'")
        const result = await work(client, names)
        await client.query('commit')
        return result
      })
    })
  } catch (error) {
    throw toWorkspaceDbError(error)
  }
}
