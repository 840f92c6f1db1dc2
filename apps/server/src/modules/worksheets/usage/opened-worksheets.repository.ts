import { insertScoped, scoped, type WorkspaceScope } from '@trellis/control-db/scoped'

type PersonScope = WorkspaceScope & { readonly actor: { readonly profileId: number } }

interface OpenedRow {
  readonly project_id: number
  readonly file_id: string
  readonly opened_at: Date
}

const MAX_READ = 40

export async function upsertOpened(
  ctx: PersonScope,
  file: { projectId: number; fileId: string; at: Date },
): Promise<void> {
  await insertScoped(ctx, 'opened_worksheets', {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    project_id: file.projectId,
    file_id: file.fileId,
    opened_at: file.at,
  })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'profile_id', 'project_id', 'file_id']).doUpdateSet({ opened_at: file.at }),
    )
    .execute()
}

export async function findOpened(ctx: PersonScope): Promise<OpenedRow[]> {
  return await scoped(ctx, 'opened_worksheets')
    .select(['project_id', 'file_id', 'opened_at'])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .orderBy('opened_at', 'desc')
    .limit(MAX_READ)
    .execute()
}
