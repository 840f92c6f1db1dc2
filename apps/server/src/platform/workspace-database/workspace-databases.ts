import type { AnyDb, Db } from '@trellis/control-db/database'
import { type AccountScope, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

const columns = [
  'id',
  'trellis_code',
  'name',
  'state',
  'database_key',
  'database_credentials',
  'database_version',
  'cluster_id',
] as const

export interface DatabaseRow {
  readonly id: number
  readonly trellis_code: string
  readonly name: string
  readonly state: 'provisioning' | 'online' | 'failed'
  readonly database_key: string | null
  readonly database_credentials: string | null
  readonly database_version: number
  readonly cluster_id: number
}

export async function findOwnDatabase(ctx: AccountScope, workspaceId: number): Promise<DatabaseRow | undefined> {
  return await scoped(ctx, 'workspaces').select(columns).where('id', '=', workspaceId).executeTakeFirst()
}

export async function findWorkspaceDatabase(
  ctx: { readonly db: Db },
  workspaceId: number,
): Promise<DatabaseRow | undefined> {
  return await ctx.db
    .selectFrom('workspaces')
    .select(columns)
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findIntegrationPlatform(
  ctx: AccountScope,
  { workspaceId, code }: { workspaceId: number; code: string },
): Promise<string | undefined> {
  const row = await scoped(ctx, 'integrations')
    .select('platform_code')
    .where('workspace_id', '=', workspaceId)
    .where('trellis_code', '=', code)
    .where('state', '<>', 'ARCHIVED')
    .executeTakeFirst()
  return row?.platform_code
}

export async function raiseVersion(
  { db }: { readonly db: AnyDb },
  workspaceId: number,
  version: number,
): Promise<void> {
  await sql`update workspaces set database_version = ${version} where id = ${workspaceId}`.execute(db)
}
