import {
  type AccountScope,
  deleteScoped,
  insertScoped,
  scoped,
  updateScoped,
  type WorkspaceScope,
} from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface AiProjectRow {
  readonly id: number
  readonly trellis_code: string
  readonly name: string
  readonly description: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly table_count: number
  readonly conversation_count: number
}

export interface ProjectTable {
  readonly integration_code: string
  readonly schema_name: string
  readonly table_name: string
}

const selectProjects = (ctx: WorkspaceScope) =>
  scoped(ctx, 'ai_projects')
    .select(['id', 'trellis_code', 'name', 'description', 'created_at', 'updated_at'])
    .select([
      sql<number>`(select count(*)::int from ai_project_tables t where t.project_id = ai_projects.id)`.as(
        'table_count',
      ),
      sql<number>`(select count(*)::int from ai_conversations c where c.project_id = ai_projects.id)`.as(
        'conversation_count',
      ),
    ])
    .where('workspace_id', '=', ctx.workspace.id)

export async function findAiProjects(
  ctx: WorkspaceScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<AiProjectRow[]> {
  return await selectProjects(ctx).orderBy('name').orderBy('id').limit(limit).offset(offset).execute()
}

export async function countAiProjects(ctx: WorkspaceScope): Promise<number> {
  const row = await scoped(ctx, 'ai_projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findAiProject(ctx: WorkspaceScope, code: string): Promise<AiProjectRow | undefined> {
  return await selectProjects(ctx).where('trellis_code', '=', code).executeTakeFirst()
}

export async function findAiProjectById(ctx: WorkspaceScope, id: number): Promise<AiProjectRow | undefined> {
  return await selectProjects(ctx).where('id', '=', id).executeTakeFirst()
}

export async function insertAiProject(
  ctx: WorkspaceScope,
  project: { trellis_code: string; name: string; description: string; created_by: number },
): Promise<boolean> {
  const row = await insertScoped(ctx, 'ai_projects', { ...project, workspace_id: ctx.workspace.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateAiProjectRow(
  ctx: WorkspaceScope,
  id: number,
  change: { name?: string; description?: string; updated_at: Date },
): Promise<void> {
  await updateScoped(ctx, 'ai_projects').set(change).where('id', '=', id).execute()
}

export async function deleteAiProjectRow(ctx: WorkspaceScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'ai_projects').where('id', '=', id).execute()
}

export async function findProjectTables(ctx: AccountScope, projectId: number): Promise<ProjectTable[]> {
  return await scoped(ctx, 'ai_project_tables')
    .select(['integration_code', 'schema_name', 'table_name'])
    .where('project_id', '=', projectId)
    .orderBy('integration_code')
    .orderBy('schema_name')
    .orderBy('table_name')
    .execute()
}

export async function replaceProjectTables(
  ctx: AccountScope,
  place: { projectId: number; integrationCode: string },
  tables: readonly { schema_name: string; table_name: string }[],
): Promise<void> {
  await deleteScoped(ctx, 'ai_project_tables')
    .where('project_id', '=', place.projectId)
    .where('integration_code', '=', place.integrationCode)
    .execute()
  for (const { schema_name, table_name } of tables) {
    await insertScoped(ctx, 'ai_project_tables', {
      project_id: place.projectId,
      integration_code: place.integrationCode,
      schema_name,
      table_name,
    })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
