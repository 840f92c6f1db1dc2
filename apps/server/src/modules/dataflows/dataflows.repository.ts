import type { Db } from '@trellis/control-db/database'
import { insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import { type Selectable, type Updateable, sql } from 'kysely'

export type DataflowRow = Selectable<Tables['dataflows']>

export async function findDataflows(ctx: WorkspaceScope): Promise<DataflowRow[]> {
  return await scoped(ctx, 'dataflows')
    .selectAll()
    .where('workspace_id', '=', ctx.workspace.id)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export async function countDataflows(ctx: WorkspaceScope): Promise<number> {
  const { count } = await scoped(ctx, 'dataflows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

const selectByCode = (ctx: WorkspaceScope, code: string) =>
  scoped(ctx, 'dataflows').selectAll().where('workspace_id', '=', ctx.workspace.id).where('trellis_code', '=', code)

export async function findDataflow(ctx: WorkspaceScope, code: string): Promise<DataflowRow | undefined> {
  return await selectByCode(ctx, code).where('deleted_at', 'is', null).executeTakeFirst()
}

export async function lockDataflow(ctx: WorkspaceScope, code: string): Promise<DataflowRow | undefined> {
  return await selectByCode(ctx, code).where('deleted_at', 'is', null).forNoKeyUpdate().executeTakeFirst()
}

export async function lockDeletedDataflow(ctx: WorkspaceScope, code: string): Promise<DataflowRow | undefined> {
  return await selectByCode(ctx, code).where('deleted_at', 'is not', null).forNoKeyUpdate().executeTakeFirst()
}

export async function insertDataflow(
  ctx: WorkspaceScope & { actor: { profileId: number } },
  values: { trellis_code: string; name: string; description: string; folder_id: number | null; position: number },
): Promise<DataflowRow> {
  const { profileId } = ctx.actor
  return await insertScoped(ctx, 'dataflows', {
    ...values,
    workspace_id: ctx.workspace.id,
    created_by: profileId,
    updated_by: profileId,
    deleted_at: null,
  })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateDataflowRow(
  ctx: WorkspaceScope,
  id: number,
  values: Updateable<Tables['dataflows']>,
): Promise<DataflowRow> {
  return await updateScoped(ctx, 'dataflows').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function touchDataflow(ctx: WorkspaceScope & { actor: { profileId: number } }, id: number): Promise<void> {
  await updateScoped(ctx, 'dataflows')
    .set({ updated_at: sql<Date>`clock_timestamp()` as never, updated_by: ctx.actor.profileId })
    .where('id', '=', id)
    .returning(sql`pg_notify('trellis_runs', 'flow:' || id)`.as('told'))
    .execute()
}

/** Returns how many were deleted. */
export async function deleteRowsDeletedBefore(
  { db }: { readonly db: Db },
  table: 'dataflows' | 'task_blocks',
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = db.selectFrom(table).select('id').where('deleted_at', '<', before).limit(limit)
  const { numDeletedRows } = await db.deleteFrom(table).where('id', 'in', rows).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function renewWebhookKey(ctx: WorkspaceScope, id: number): Promise<number> {
  const row = await updateDataflowRow(ctx, id, { webhook_key_number: sql<number>`webhook_key_number + 1` as never })
  return row.webhook_key_number
}
