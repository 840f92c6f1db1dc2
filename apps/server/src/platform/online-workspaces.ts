import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { WorkspaceWithAccount } from './person-ctx.ts'

export async function findOnlineWorkspaces(db: Db, having: 'sparks' | 'ai_contexts'): Promise<WorkspaceWithAccount[]> {
  return await db
    .selectFrom('workspaces')
    .innerJoin('accounts', 'accounts.id', 'workspaces.account_id')
    .select(['workspaces.id as workspace_id', 'workspaces.trellis_code as workspace_code'])
    .select(['workspaces.workspace_address', 'accounts.id as account_id', 'accounts.trellis_code as account_code'])
    .select(['accounts.account_type', 'accounts.stripe_plan_end_date'])
    .where('accounts.deleted_at', 'is', null)
    .where('workspaces.state', '=', 'online')
    .where(sql<boolean>`exists (select from ${sql.table(having)} h where h.workspace_id = workspaces.id)`)
    .orderBy('workspaces.id')
    .execute()
}
