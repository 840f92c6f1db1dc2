import { type AccountScope, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface ProjectRow {
  readonly id: number
  readonly trellis_code: string
  readonly name: string
  readonly description: string
  readonly live_seq: number
  readonly object_bytes: number
  readonly created_at: Date
}
const COLUMNS = ['id', 'trellis_code', 'name', 'description', 'live_seq', 'object_bytes', 'created_at'] as const

const selectProjects = (ctx: WorkspaceScope) =>
  scoped(ctx, 'worksheet_projects')
    .select(COLUMNS)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('deleted_at', 'is', null)

export async function findProjects(ctx: WorkspaceScope): Promise<ProjectRow[]> {
  return await selectProjects(ctx).orderBy('name').orderBy('id').execute()
}

export async function findProject(ctx: WorkspaceScope, code: string): Promise<ProjectRow | undefined> {
  return await selectProjects(ctx).where('trellis_code', '=', code).executeTakeFirst()
}

/** Everything that moves main holds this lock. */
export async function lockProject(ctx: WorkspaceScope, code: string): Promise<ProjectRow | undefined> {
  return await selectProjects(ctx).where('trellis_code', '=', code).forUpdate().executeTakeFirst()
}

export async function insertProject(
  ctx: WorkspaceScope,
  project: { trellis_code: string; name: string; description: string; created_by: number | null },
): Promise<ProjectRow | undefined> {
  return await insertScoped(ctx, 'worksheet_projects', { ...project, workspace_id: ctx.workspace.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

export async function updateProjectRow(
  ctx: WorkspaceScope,
  id: number,
  change: { name?: string; description?: string; deleted_at?: Date; live_seq?: number },
): Promise<void> {
  await updateScoped(ctx, 'worksheet_projects').set(change).where('id', '=', id).execute()
}

export async function addObjectBytes(ctx: AccountScope, projectId: number, bytes: number): Promise<number> {
  const { object_bytes } = await updateScoped(ctx, 'worksheet_projects')
    .set({ object_bytes: sql`object_bytes + ${bytes}` })
    .where('id', '=', projectId)
    .returning('object_bytes')
    .executeTakeFirstOrThrow()
  return object_bytes
}

export async function hasFile(
  ctx: WorkspaceScope,
  { fileId, profileId }: { fileId: string; profileId: number },
): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select exists (
      select from worksheet_projects p
       where p.account_id = ${ctx.account.id} and p.workspace_id = ${ctx.workspace.id} and p.deleted_at is null
         and (exists (select from worksheet_changes c where c.project_id = p.id and c.file_id = ${fileId})
              or exists (select from worksheet_branches b join worksheet_drafts d on d.branch_id = b.id
                          where b.project_id = p.id and b.profile_id = ${profileId} and d.file_id = ${fileId}))
    ) as is_there`.execute(ctx.db)
  return rows[0]?.is_there === true
}

export async function findEditorSettings(ctx: AccountScope, profileId: number): Promise<object> {
  const row = await scoped(ctx, 'editor_settings')
    .select('settings')
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  return row?.settings ?? {}
}

export async function mergeEditorSettings(ctx: AccountScope, profileId: number, change: object): Promise<object> {
  const settings = JSON.stringify(change)
  const row = await insertScoped(ctx, 'editor_settings', { profile_id: profileId, settings })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'profile_id'])
        .doUpdateSet({ settings: sql`editor_settings.settings || excluded.settings` }),
    )
    .returning('settings')
    .executeTakeFirstOrThrow()
  return row.settings
}
