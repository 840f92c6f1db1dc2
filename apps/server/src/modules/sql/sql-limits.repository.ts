import { insertScoped, scoped, type WorkspaceScope } from '@trellis/control-db/scoped'

interface LimitsRow {
  readonly max_row_limit: number | null
  readonly max_timeout_seconds: number | null
}

export async function findLimits(ctx: WorkspaceScope): Promise<LimitsRow | undefined> {
  return await scoped(ctx, 'sql_limits')
    .select(['max_row_limit', 'max_timeout_seconds'])
    .where('workspace_id', '=', ctx.workspace.id)
    .executeTakeFirst()
}

export async function saveLimits(
  ctx: WorkspaceScope,
  patch: { max_row_limit?: number | undefined; max_timeout_seconds?: number | undefined },
): Promise<void> {
  const current = await findLimits(ctx)
  const limits = {
    max_row_limit: patch.max_row_limit ?? current?.max_row_limit ?? null,
    max_timeout_seconds: patch.max_timeout_seconds ?? current?.max_timeout_seconds ?? null,
  }
  await insertScoped(ctx, 'sql_limits', { workspace_id: ctx.workspace.id, ...limits })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(limits))
    .execute()
}
