import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'
import type { AnyDb, Db } from '@trellis/control-db/database'
import { type AccountScope, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { PROVISION_VERSION } from '@trellis/workspace-db/provision'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

const columns = [
  'workspaces.id',
  'workspaces.trellis_code',
  'workspaces.name',
  'workspace_address',
  'workspaces.state',
  'workspaces.created_at',
] as const

interface Row {
  id: number
  trellis_code: string
  name: string
  workspace_address: string
  state: Workspace['state']
  created_at: Date
}

export const toWorkspace = (row: Row, account_trellis_code: string): Workspace => ({
  ...row,
  created_at: row.created_at.toISOString(),
  account_trellis_code,
})

function selectWorkspaces(ctx: AccountScope) {
  return scoped(ctx, 'workspaces').where('workspaces.deleted_at', 'is', null)
}

export async function findWorkspaces(
  ctx: AccountScope,
  where: { id?: number; address?: string; visibleTo?: number } = {},
): Promise<Row[]> {
  return await selectWorkspaces(ctx)
    .select(columns)
    .$if(where.id !== undefined, (query) => query.where('workspaces.id', '=', where.id as number))
    .$if(where.address !== undefined, (query) => query.where('workspace_address', '=', where.address as string))
    .$if(where.visibleTo !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('workspace_members')
            .select('workspace_members.role')
            .whereRef('workspace_members.workspace_id', '=', 'workspaces.id')
            .where('workspace_members.profile_id', '=', where.visibleTo as number),
        ),
      ),
    )
    .orderBy('workspaces.name')
    .orderBy('workspaces.id')
    .execute()
}

export async function countWorkspaces(ctx: { readonly db: AnyDb }, accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from workspaces where account_id = ${accountId} and deleted_at is null`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** Undefined if the address is taken, also by a deleted workspace that can be restored. */
export async function insertWorkspace(
  ctx: AccountScope,
  workspace: { trellis_code: string; name: string; workspace_address: string; created_by: number },
): Promise<Row | undefined> {
  return await insertScoped(ctx, 'workspaces', { ...workspace, state: 'provisioning' })
    .onConflict((conflict) => conflict.columns(['account_id', 'workspace_address']).doNothing())
    .returning(['id', 'trellis_code', 'name', 'workspace_address', 'state', 'created_at'])
    .executeTakeFirst()
}

export async function lockWorkspaceName(ctx: AccountScope, id: number): Promise<string> {
  const row = await scoped(ctx, 'workspaces').select('name').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  return row.name
}

export async function renameWorkspace(ctx: AccountScope, id: number, name: string): Promise<Row> {
  return await updateScoped(ctx, 'workspaces')
    .set({ name, updated_at: new Date() })
    .where('id', '=', id)
    .returning(['id', 'trellis_code', 'name', 'workspace_address', 'state', 'created_at'])
    .executeTakeFirstOrThrow()
}

export async function markDeleted(ctx: AccountScope, address: string, by: number): Promise<string | undefined> {
  const row = await updateScoped(ctx, 'workspaces')
    .set({ deleted_at: sql`now()`, deleted_by: by })
    .where('workspace_address', '=', address)
    .where('deleted_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export async function findForProvisioning({ db }: WithDb, id: number) {
  return await db
    .selectFrom('workspaces')
    .select(['id', 'account_id', 'state', 'database_key', 'database_credentials', 'cluster_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function markOnline({ db }: WithDb, id: number, credentials: string): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ state: 'online', database_credentials: credentials, database_version: PROVISION_VERSION })
    .where('id', '=', id)
    .execute()
}

export async function markFailed({ db }: WithDb, id: number): Promise<void> {
  await db.updateTable('workspaces').set({ state: 'failed' }).where('id', '=', id).execute()
}

export async function findLiving({ db }: WithDb, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map((row) => row.id))
}
