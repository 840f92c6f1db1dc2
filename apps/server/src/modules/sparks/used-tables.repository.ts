import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { UsedTable } from './versions.repository.ts'

interface UserRow {
  readonly code: string
  readonly name: string
  readonly projectName: string
  readonly tables: readonly UsedTable[]
}

export async function findSparkUsers(ctx: WorkspaceScope, integrationCode: string): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select s.trellis_code as code, s.name, p.name as "projectName", jsonb_agg(distinct t.used) as tables
      from sparks s
      join ai_projects p on p.id = s.project_id
      join spark_sources q on q.version_id = coalesce(s.pinned_version_id, s.latest_version_id) and q.integration_code = ${integrationCode}
      cross join lateral jsonb_array_elements(q.tables) t(used)
     where s.account_id = ${ctx.account.id} and s.workspace_id = ${ctx.workspace.id}
     group by s.id, p.name order by s.id`.execute(ctx.db)
  return rows
}
