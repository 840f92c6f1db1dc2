import type { Db } from '@trellis/control-db/database'
import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface VerifiedToCheck {
  readonly id: number
  readonly kind: 'verified_question' | 'metric'
  readonly name: string
  readonly project_id: number
  readonly integration_code: string
  readonly sql: string
  readonly checked_shape: string | null
}

export async function findVerifiedToCheck(
  db: Db,
  { workspaceId, managedCode, isConnected }: { workspaceId: number; managedCode: string; isConnected: boolean },
): Promise<VerifiedToCheck[]> {
  const { rows } = await sql<VerifiedToCheck>`
    select c.id::int as id, c.kind, c.name, c.project_id::int as project_id, c.integration_code, c.sql, c.checked_shape
      from ai_contexts c
     where c.workspace_id = ${workspaceId} and c.kind in ('verified_question', 'metric') and c.sql is not null
       and c.project_id is not null and (c.integration_code <> ${managedCode}) = ${isConnected}
     order by c.project_id, c.id`.execute(db)
  return rows
}

export async function setVerifiedCheck(
  db: Db,
  { id, sql: checked }: VerifiedToCheck,
  outcome: { problem: string | null; checked_shape: string },
): Promise<void> {
  await db.updateTable('ai_contexts').set(outcome).where('id', '=', id).where('sql', '=', checked).execute()
}

interface VerifiedQuery {
  readonly name: string
  readonly project_name: string
  readonly sql: string
}

const MAX_QUERIES = 1000

export async function findContextQueries(
  ctx: WorkspaceScope,
  integrationCode: string,
  kind: VerifiedToCheck['kind'],
): Promise<VerifiedQuery[]> {
  const rows = await scoped(ctx, 'ai_contexts')
    .innerJoin('ai_projects', 'ai_projects.id', 'ai_contexts.project_id')
    .select(['ai_contexts.name', 'ai_projects.name as project_name', 'ai_contexts.sql'])
    .where('ai_contexts.workspace_id', '=', ctx.workspace.id)
    .where('ai_contexts.kind', '=', kind)
    .where('ai_contexts.integration_code', '=', integrationCode)
    .where('ai_contexts.sql', 'is not', null)
    .orderBy('ai_contexts.id')
    .limit(MAX_QUERIES)
    .execute()
  return rows as VerifiedQuery[]
}

interface ProjectTableRow {
  readonly project_name: string
  readonly schema_name: string
  readonly table_name: string
}

export async function findTablesOfProjects(ctx: WorkspaceScope, integrationCode: string): Promise<ProjectTableRow[]> {
  return await scoped(ctx, 'ai_project_tables')
    .innerJoin('ai_projects', 'ai_projects.id', 'ai_project_tables.project_id')
    .select(['ai_projects.name as project_name', 'ai_project_tables.schema_name', 'ai_project_tables.table_name'])
    .where('ai_projects.workspace_id', '=', ctx.workspace.id)
    .where('ai_project_tables.integration_code', '=', integrationCode)
    .orderBy('ai_projects.id')
    .orderBy('ai_project_tables.table_name')
    .execute()
}
