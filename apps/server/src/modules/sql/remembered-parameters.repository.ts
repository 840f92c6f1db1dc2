import type { Parameters } from '@trellis/contract/sql/sql.schemas'
import { insertScoped, scoped } from '@trellis/control-db/scoped'
import type { PersonScope } from './sql-jobs.repository.ts'

export async function getRememberedParameters(ctx: PersonScope, fileId: string): Promise<{ parameters: Parameters }> {
  const row = await scoped(ctx, 'sql_parameters')
    .select('parameters')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return { parameters: (row?.parameters ?? {}) as Parameters }
}

export async function rememberParameters(
  ctx: PersonScope,
  { fileId, parameters, now }: { fileId: string; parameters: Parameters; now: Date },
): Promise<void> {
  const values = { parameters: JSON.stringify(parameters), updated_at: now }
  const place = { workspace_id: ctx.workspace.id, profile_id: ctx.actor.profileId, file_id: fileId }
  await insertScoped(ctx, 'sql_parameters', { ...place, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'profile_id', 'file_id']).doUpdateSet(values))
    .execute()
}
