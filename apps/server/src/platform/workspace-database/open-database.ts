import type { AnyDb } from '@trellis/control-db/database'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { PROVISION_VERSION, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import type { WorkspaceCredentials } from '@trellis/workspace-db/provision/credentials'
import { AppError } from '../app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../ctx.ts'
import {
  type DatabaseRow,
  findWorkspaceDatabase,
  findOwnDatabase,
  findIntegrationPlatform,
  raiseVersion,
} from './workspace-databases.ts'

export interface OpenDatabase {
  readonly integrationCode: string
  readonly kind: 'managed'
  readonly name: string
  readonly workspaceId: number
  readonly cluster: Cluster
  readonly clusterId: number
  readonly key: string
  readonly database: string
  readonly credentials: WorkspaceCredentials
}

export const managedCode = (workspaceCode: string) => `${workspaceCode}-db`

export const credentialsPlace = (workspaceId: number) => ({
  scope: `workspace:${workspaceId}`,
  field: 'database_credentials',
})

/** The only access of requests to a workspace's own database. Connected databases are refused here. */
export async function openDatabase(ctx: WorkspaceCtx, integrationCode: string): Promise<OpenDatabase> {
  if (integrationCode !== managedCode(ctx.workspace.code)) throw await notOurs(ctx, integrationCode)
  return await open(ctx, await findOwnDatabase(ctx, ctx.workspace.id))
}

export async function openWorkspaceDatabase(
  ctx: SystemCtx,
  { workspaceId, integrationCode }: { workspaceId: number; integrationCode: string },
): Promise<OpenDatabase> {
  const row = await findWorkspaceDatabase(ctx, workspaceId)
  if (row && managedCode(row.trellis_code) !== integrationCode) throw noDatabase()
  return await open(ctx, row)
}

const ONLY_LOOKED_INTO =
  'This is a connected database: it can be looked into and exported from here, not changed. Use a tool of its owner.'

async function notOurs(ctx: WorkspaceCtx, code: string): Promise<AppError> {
  const platform = await findIntegrationPlatform(ctx, { workspaceId: ctx.workspace.id, code })
  const isDatabase = platform !== undefined && ctx.ports.platforms.find(platform)?.openDatabase !== undefined
  return isDatabase ? new AppError('forbidden', ONLY_LOOKED_INTO) : noDatabase()
}

const noDatabase = () => new AppError('not_found', 'There is nothing at this address, or you have no access to it.')

const upgrades = new Map<string, Promise<void>>()

/** Concurrent requests of a page share one upgrade. */
async function upgradeOnce(key: string, upgrade: (key: string) => Promise<void>): Promise<void> {
  let upgrading = upgrades.get(key)
  if (!upgrading) {
    upgrading = upgrade(key).finally(() => upgrades.delete(key))
    upgrades.set(key, upgrading)
  }
  await upgrading
}

async function open(
  ctx: Pick<SystemCtx, 'ports'> & { db: AnyDb },
  row: DatabaseRow | undefined,
): Promise<OpenDatabase> {
  if (!row) throw noDatabase()
  if (row.state !== 'online' || !row.database_key || !row.database_credentials) {
    throw new AppError('unavailable', 'The database of this workspace is not ready yet. Try again in a moment.')
  }
  const sealed = await ctx.ports.secrets.open(ctx, credentialsPlace(row.id), row.database_credentials)
  const credentials = JSON.parse(sealed) as WorkspaceCredentials
  const cluster = await ctx.ports.cluster.openById(ctx, row.cluster_id)
  if (row.database_version < PROVISION_VERSION) {
    await upgradeOnce(row.database_key, async (key) => {
      await provisionWorkspaceDatabase(cluster, { key, credentials })
      await raiseVersion(ctx, row.id, PROVISION_VERSION)
    })
  }
  return {
    integrationCode: managedCode(row.trellis_code),
    kind: 'managed',
    name: row.name,
    workspaceId: row.id,
    cluster,
    clusterId: row.cluster_id,
    key: row.database_key,
    database: toWorkspaceNames(row.database_key).database,
    credentials,
  }
}
