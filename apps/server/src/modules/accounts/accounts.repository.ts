import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { type AccountRole, type WorkspaceRole, workspaceRoleOf } from '@trellis/contract/core/permissions'
import { type QueryExecutorProvider, sql } from 'kysely'

interface Row {
  id: number
  trellis_code: string
  name: string
  account_type: Account['account_type']
  role: AccountRole
  stripe_plan_end_date: Date | null
  stripe_plan_renewal_date: Date | null
  stripe_plan_cancelled_at: Date | null
  workspaces: { trellis_code: string; name: string; workspace_address: string; role: WorkspaceRole | null }[]
}

const instant = (date: Date | null) => date?.toISOString() ?? null

/** The accounts a person belongs to, each with the workspaces they may enter. */
export async function findAccountsOf(
  { db }: { readonly db: QueryExecutorProvider },
  profileId: number,
  accountId: number | null = null,
): Promise<Account[]> {
  const { rows } = await sql<Row>`
    select a.id, a.trellis_code, a.name, a.account_type, m.role,
           a.stripe_plan_end_date, a.stripe_plan_renewal_date, a.stripe_plan_cancelled_at,
           coalesce(jsonb_agg(jsonb_build_object('trellis_code', w.trellis_code, 'name', w.name,
             'workspace_address', w.workspace_address, 'role', wm.role) order by w.name, w.id)
             filter (where w.id is not null), '[]') as workspaces
      from account_members m
      join accounts a on a.id = m.account_id
      left join workspaces w on w.account_id = a.id
      left join workspace_members wm on wm.workspace_id = w.id and wm.profile_id = m.profile_id
     where m.profile_id = ${profileId} and (${accountId}::bigint is null or a.id = ${accountId}::bigint)
     group by a.id, m.role
     order by a.name, a.id`.execute(db)
  return rows.map((row) => toAccount(row))
}

function toAccount(row: Row): Account {
  const workspaces = row.workspaces.flatMap((workspace) => {
    const role = workspaceRoleOf(row.role, workspace.role)
    return role ? [{ ...workspace, role, account_trellis_code: row.trellis_code }] : []
  })
  return {
    ...row,
    stripe_plan_end_date: instant(row.stripe_plan_end_date),
    stripe_plan_renewal_date: instant(row.stripe_plan_renewal_date),
    stripe_plan_cancelled_at: instant(row.stripe_plan_cancelled_at),
    workspaces,
  }
}
