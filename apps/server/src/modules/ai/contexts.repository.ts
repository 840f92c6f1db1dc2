import { deleteScoped, insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'

export interface ContextRow {
  readonly id: number
  readonly trellis_code: string
  readonly project_id: number | null
  readonly project_code: string | null
  readonly kind: 'text' | 'synonym' | 'verified_question' | 'metric'
  readonly name: string
  readonly text: string
  readonly sql: string | null
  readonly integration_code: string | null
  readonly problem: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const all = (ctx: WorkspaceScope) =>
  scoped(ctx, 'ai_contexts')
    .leftJoin('ai_projects', 'ai_projects.id', 'ai_contexts.project_id')
    .select([
      'ai_contexts.id',
      'ai_contexts.trellis_code',
      'ai_contexts.project_id',
      'ai_projects.trellis_code as project_code',
      'ai_contexts.kind',
      'ai_contexts.name',
      'ai_contexts.text',
      'ai_contexts.sql',
      'ai_contexts.integration_code',
      'ai_contexts.problem',
      'ai_contexts.created_at',
      'ai_contexts.updated_at',
    ])
    .where('ai_contexts.workspace_id', '=', ctx.workspace.id)

export async function findContexts(
  ctx: WorkspaceScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<ContextRow[]> {
  return await all(ctx).orderBy('ai_contexts.id', 'desc').limit(limit).offset(offset).execute()
}

const MAX_USED = 500

export async function findContextsOfProject(ctx: WorkspaceScope, projectId: number): Promise<ContextRow[]> {
  return await all(ctx)
    .where((where) =>
      where.or([where('ai_contexts.project_id', '=', projectId), where('ai_contexts.project_id', 'is', null)]),
    )
    .orderBy('ai_contexts.id')
    .limit(MAX_USED)
    .execute()
}

export async function countContexts(ctx: WorkspaceScope): Promise<number> {
  const row = await scoped(ctx, 'ai_contexts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findContext(ctx: WorkspaceScope, code: string): Promise<ContextRow | undefined> {
  return await all(ctx).where('ai_contexts.trellis_code', '=', code).executeTakeFirst()
}

export type NewContext = Pick<
  ContextRow,
  'trellis_code' | 'project_id' | 'kind' | 'name' | 'text' | 'sql' | 'integration_code'
>

export async function insertContext(ctx: WorkspaceScope, context: NewContext, createdBy: number): Promise<void> {
  const values = { ...context, workspace_id: ctx.workspace.id, created_by: createdBy, problem: null }
  await insertScoped(ctx, 'ai_contexts', values).execute()
}

export async function updateContextRow(
  ctx: WorkspaceScope,
  id: number,
  change: { name?: string; text?: string; sql?: string; problem?: null; updated_at: Date },
): Promise<void> {
  await updateScoped(ctx, 'ai_contexts').set(change).where('id', '=', id).execute()
}

export async function deleteContextRow(ctx: WorkspaceScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'ai_contexts').where('id', '=', id).execute()
}
