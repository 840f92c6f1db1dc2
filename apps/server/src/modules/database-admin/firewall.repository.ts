import type { Db } from '@trellis/control-db/database'
import { type AccountScope, deleteScoped, insertScoped, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { DatabaseRef } from './access.repository.ts'

export interface RuleRow {
  readonly id: number
  readonly name: string
  readonly cidr: string
  readonly database_profile_id: number | null
  readonly expires_at: Date | null
}
export type NewRule = Omit<RuleRow, 'id'>

export async function findRules(ctx: AccountScope, database: DatabaseRef): Promise<RuleRow[]> {
  return await scoped(ctx, 'firewall_rules')
    .select(['id', 'name', 'database_profile_id', 'expires_at'])
    .select(sql<string>`firewall_rules.cidr::text`.as('cidr'))
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .orderBy('id')
    .execute()
}

export async function insertRule(ctx: AccountScope, database: DatabaseRef, rule: NewRule): Promise<void> {
  await insertScoped(ctx, 'firewall_rules', {
    ...rule,
    workspace_id: database.workspaceId,
    integration_code: database.integrationCode,
  }).execute()
}

export async function deleteRules(ctx: AccountScope, database: DatabaseRef): Promise<void> {
  await deleteScoped(ctx, 'firewall_rules')
    .where('workspace_id', '=', database.workspaceId)
    .where('integration_code', '=', database.integrationCode)
    .execute()
}

export interface LiveRule {
  readonly database_key: string
  readonly slug: string | null
  readonly login_name: string | null
  readonly cidr: string
}

export async function findLiveRules({ db }: { readonly db: Db }, now: Date): Promise<LiveRule[]> {
  const { rows } = await sql<LiveRule>`
    select w.database_key, p.slug, p.login_name, r.cidr::text as cidr
      from firewall_rules r
      join workspaces w on w.id = r.workspace_id
      join accounts a on a.id = w.account_id
      left join database_profiles p on p.id = r.database_profile_id
     where w.database_key is not null and w.deleted_at is null and a.deleted_at is null
       and (r.expires_at is null or r.expires_at > ${now})`.execute(db)
  return rows
}
