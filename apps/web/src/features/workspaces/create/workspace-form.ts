import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { NewWorkspaceAddress, WorkspaceName } from '@trellis/contract/accounts/names'
import type { AccountLimits } from '@trellis/contract/billing/billing.schemas'
import { isPlanOver } from '@trellis/contract/billing/plans'
import { allows } from '@trellis/contract/core/permissions'
import * as z from 'zod/mini'

export const WorkspaceForm = z.object({ name: WorkspaceName, workspace_address: NewWorkspaceAddress })

export const NewWorkspaceForm = z.extend(WorkspaceForm, {
  account: z.string({ error: 'Account is required' }).check(z.minLength(1, 'Account is required')),
})
export type NewWorkspaceValues = z.infer<typeof NewWorkspaceForm>

export function listAccountsToAddTo(accounts: readonly Account[], now: Date): Account[] {
  return accounts.filter(
    (account) =>
      allows('workspaces:create', { accountRole: account.role, workspaceRole: null }) && !isPlanOver(account, now),
  )
}

export function isAtLimit(limits: readonly z.infer<typeof AccountLimits>[] | undefined, code: string): boolean {
  const limit = limits?.find((candidate) => candidate.account_trellis_code === code)
  return limit !== undefined && limit.workspaces_limit !== null && limit.workspaces >= limit.workspaces_limit
}
