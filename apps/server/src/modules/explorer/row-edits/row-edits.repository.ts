import type { Db } from '@trellis/control-db/database'
import { insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { TableKey } from '../labels.repository.ts'

type OwnScope = WorkspaceScope & { readonly actor: { readonly profileId: number } }

interface StoredEdit {
  readonly id: string
  readonly rows: number
  readonly inverse: string
  readonly applied_at: Date
}

export async function insertRowEdit(
  ctx: OwnScope,
  table: TableKey,
  edit: { rows: number; inverse: string; appliedAt: Date; expiresAt: Date },
): Promise<string> {
  const row = await insertScoped(ctx, 'row_edits', {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    integration_code: table.integration_trellis_code,
    schema_name: table.schema_name,
    table_name: table.table_name,
    rows: edit.rows,
    inverse: edit.inverse,
    applied_at: edit.appliedAt,
    undone_at: null,
    expires_at: edit.expiresAt,
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const selectUndoable = (ctx: OwnScope, table: TableKey, now: Date) =>
  scoped(ctx, 'row_edits')
    .select(['id', 'rows', 'inverse', 'applied_at'])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('integration_code', '=', table.integration_trellis_code)
    .where('schema_name', '=', table.schema_name)
    .where('table_name', '=', table.table_name)
    .where('undone_at', 'is', null)
    .where('expires_at', '>', now)

export async function findRowEdit(
  ctx: OwnScope,
  table: TableKey,
  { id, now }: { id: string; now: Date },
): Promise<StoredEdit | undefined> {
  return await selectUndoable(ctx, table, now).where('id', '=', id).executeTakeFirst()
}

export async function findLastRowEdit(ctx: OwnScope, table: TableKey, now: Date): Promise<StoredEdit | undefined> {
  return await selectUndoable(ctx, table, now).orderBy('applied_at', 'desc').limit(1).executeTakeFirst()
}

export async function markUndone(ctx: OwnScope, id: string, now: Date): Promise<void> {
  await updateScoped(ctx, 'row_edits').set({ undone_at: now, inverse: '' }).where('id', '=', id).execute()
}

export async function deleteExpiredRowEdits({ db }: { readonly db: Db }, now: Date): Promise<void> {
  await db.deleteFrom('row_edits').where('expires_at', '<=', now).execute()
}
