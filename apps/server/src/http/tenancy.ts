import type { AccountTypeName } from '@trellis/contract/billing/plans'
import { type AccountRole, type WorkspaceRole, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { FairConnection } from '@trellis/control-db/database'
import { AppError } from '../platform/app-error.ts'
import type { Actor } from '../platform/ctx.ts'

interface AccountRow {
  id: number
  trellis_code: string
  account_type: AccountTypeName
  stripe_plan_end_date: Date | null
  role: AccountRole
}

export interface WorkspaceRow extends AccountRow {
  workspace_id: number
  workspace_code: string
  workspace_address: string
  workspace_role: WorkspaceRole | null
}

export interface WorkspacePath {
  readonly code: string
  readonly address: string
}

export interface AccountMembership {
  account: { id: number; code: string; role: AccountRole; type: AccountTypeName; planEnd: Date | null }
}

const toAccount = (row: AccountRow): AccountMembership['account'] => ({
  id: row.id,
  code: row.trellis_code,
  role: row.role,
  type: row.account_type,
  planEnd: row.stripe_plan_end_date,
})

export interface WorkspaceMembership extends AccountMembership {
  workspace: { id: number; code: string; address: string; role: WorkspaceRole }
}

/** Others' accounts look missing. */
export async function findAccountMembership(
  turn: FairConnection,
  actor: Actor,
  code: string,
): Promise<AccountMembership> {
  const { rows } = await turn.query<AccountRow>({
    name: 'account-membership',
    text: `select a.id, a.trellis_code, a.account_type, a.stripe_plan_end_date, m.role
             from accounts a join account_members m on m.account_id = a.id and m.profile_id = $2
            where a.trellis_code = $1 and a.deleted_at is null`,
    values: [code, actor.profileId],
  })
  const row = rows[0]
  turn.note(row !== undefined)
  if (!row) throw tenantNotFoundError()
  return { account: toAccount(row) }
}

export const WORKSPACE_COLUMNS = `a.id, a.trellis_code, a.account_type, a.stripe_plan_end_date, m.role, w.id as workspace_id,
                  w.trellis_code as workspace_code, w.workspace_address, wm.role as workspace_role`

export const WORKSPACE_PLACE = `accounts a
             join account_members m on m.account_id = a.id and a.deleted_at is null
             join workspaces w on w.account_id = a.id and w.deleted_at is null and w.state = 'online'
             left join workspace_members wm on wm.workspace_id = w.id and wm.profile_id = m.profile_id`

export async function findWorkspaceMembership(
  turn: FairConnection,
  actor: Actor,
  path: WorkspacePath,
): Promise<WorkspaceMembership> {
  const { rows } = await turn.query<WorkspaceRow>({
    name: 'workspace-membership',
    text: `select ${WORKSPACE_COLUMNS} from ${WORKSPACE_PLACE}
            where a.trellis_code = $1 and m.profile_id = $2 and w.workspace_address = $3`,
    values: [path.code, actor.profileId, path.address],
  })
  const membership = rows[0] && toWorkspaceMembership(rows[0])
  turn.note(membership !== undefined)
  if (!membership) throw tenantNotFoundError()
  return membership
}

export function toWorkspaceMembership(row: WorkspaceRow): WorkspaceMembership | undefined {
  const role = toWorkspaceRole(row.role, row.workspace_role)
  if (!role) return undefined
  return {
    account: toAccount(row),
    workspace: { id: row.workspace_id, code: row.workspace_code, address: row.workspace_address, role },
  }
}

export const tenantNotFoundError = () =>
  new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
