import type { Db } from '@trellis/control-db/database'
import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface KeptLabel {
  readonly schema: string
  readonly table: string
  readonly label_id: number
}

export interface DeletionRow {
  readonly code: string
  readonly integration_code: string
  readonly kind: 'table' | 'schema'
  readonly schema_name: string
  readonly table_name: string | null
  readonly tables: number
  readonly rows_estimate: number
  readonly size_bytes: number
  readonly labels: readonly KeptLabel[]
  readonly is_moved: boolean
  readonly deleted_at: Date
  readonly purge_at: Date
  readonly deleted_by_name: string | null
}

export interface NewDeletion extends Omit<
  DeletionRow,
  'is_moved' | 'deleted_by_name' | 'tables' | 'rows_estimate' | 'size_bytes' | 'labels'
> {
  readonly deleted_by: number
}

export async function insertDeletion(ctx: WorkspaceScope, deletion: NewDeletion): Promise<void> {
  const figures = { tables: 0, rows_estimate: 0, size_bytes: 0, labels: '[]' }
  await insertScoped(ctx, 'recycle_bin', { ...deletion, ...figures, workspace_id: ctx.workspace.id }).execute()
}

export async function markMoved(
  ctx: WorkspaceScope,
  code: string,
  { labels, ...figures }: Pick<DeletionRow, 'tables' | 'rows_estimate' | 'size_bytes' | 'labels'>,
): Promise<void> {
  await updateScoped(ctx, 'recycle_bin')
    .set({ ...figures, labels: JSON.stringify(labels), is_moved: true })
    .where('workspace_id', '=', ctx.workspace.id)
    .where('code', '=', code)
    .execute()
}

export async function deleteDeletion(ctx: WorkspaceScope, code: string): Promise<void> {
  await deleteScoped(ctx, 'recycle_bin').where('workspace_id', '=', ctx.workspace.id).where('code', '=', code).execute()
}

const select = (ctx: WorkspaceScope) =>
  scoped(ctx, 'recycle_bin')
    .leftJoin('profiles', 'profiles.id', 'recycle_bin.deleted_by')
    .select(['code', 'integration_code', 'kind', 'schema_name', 'table_name', 'tables', 'rows_estimate', 'size_bytes'])
    .select(['labels', 'is_moved', 'deleted_at', 'purge_at'])
    .select(
      sql<string | null>`nullif(trim(concat(profiles.first_name, ' ', profiles.surname)), '')`.as('deleted_by_name'),
    )
    .where('recycle_bin.workspace_id', '=', ctx.workspace.id)

export async function findDeletions(ctx: WorkspaceScope): Promise<DeletionRow[]> {
  return await select(ctx).where('is_moved', '=', true).orderBy('deleted_at', 'desc').execute()
}

export async function findDeletion(ctx: WorkspaceScope, code: string): Promise<DeletionRow | undefined> {
  return await select(ctx).where('code', '=', code).executeTakeFirst()
}

export interface DueDeletion {
  readonly code: string
  readonly account_id: number
  readonly workspace_id: number
  readonly integration_code: string
  readonly schema_name: string
  readonly table_name: string | null
  readonly is_moved: boolean
}

export async function findDue(
  { db }: { readonly db: Db },
  { now, cutBefore }: { now: Date; cutBefore: Date },
): Promise<DueDeletion[]> {
  return await db
    .selectFrom('recycle_bin')
    .innerJoin('workspaces', 'workspaces.id', 'recycle_bin.workspace_id')
    .select([
      'code',
      'recycle_bin.account_id',
      'workspace_id',
      'integration_code',
      'schema_name',
      'table_name',
      'is_moved',
    ])
    .where('workspaces.deleted_at', 'is', null)
    .where((is) =>
      is.or([
        is('purge_at', '<=', now),
        is.and([is('is_moved', '=', false), is('recycle_bin.deleted_at', '<', cutBefore)]),
      ]),
    )
    // Older deletions may depend on younger ones, so they are purged first.
    .orderBy('recycle_bin.deleted_at')
    .limit(200)
    .execute()
}

export async function markFound({ db }: { readonly db: Db }, code: string): Promise<void> {
  await db.updateTable('recycle_bin').set({ is_moved: true }).where('code', '=', code).execute()
}

export async function deleteDue({ db }: { readonly db: Db }, code: string): Promise<void> {
  await db.deleteFrom('recycle_bin').where('code', '=', code).execute()
}
