import {
  createTemporaryAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  listDeleted,
  restoreDeleted,
  transferOwnership,
  updateAccount,
} from '@trellis/contract/accounts/accounts.endpoints'
import { leaveAccount } from '@trellis/contract/members/members.endpoints'
import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useParams } from 'react-router'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { readAccounts, storeAccounts } from '../../app/session/stored-data.ts'

const accountsQuery = apiQuery(listAccounts, {})

/**
 * Also stored in the browser for the route guards. Refetched on focus, since access may have changed in another tab.
 */
export function useAccounts() {
  return useQuery({
    ...accountsQuery,
    refetchOnWindowFocus: 'always',
    queryFn: async ({ signal }) => {
      const accounts = await call(listAccounts, {}, { signal })
      storeAccounts(accounts)
      return accounts
    },
  })
}

export function useCachedAccounts(): readonly Account[] {
  const { data } = useAccounts()
  if (data) return data
  const storedResult = readAccounts()
  return storedResult.ok ? storedResult.value : []
}

/** When access ends, a page may render once more before its gate does. */
function useLastFound<T>(match: T | undefined): T | undefined {
  const last = useRef(match)
  if (match !== undefined) last.current = match
  return last.current
}

/** Only below `AccountGate`, which guarantees an account. */
export function useCurrentAccount(): Account {
  const { account: code } = useParams()
  const account = useLastFound(useCachedAccounts().find((candidate) => candidate.trellis_code === code))
  if (!account) throw new Error('An account page stands outside of the gate')
  return account
}

/** Only below `WorkspaceFrame`. */
export function useCurrentWorkspace() {
  const account = useCurrentAccount()
  const { workspace: address } = useParams()
  const workspace = useLastFound(account.workspaces.find((candidate) => candidate.workspace_address === address))
  if (!workspace) throw new Error('A workspace page stands outside of its frame')
  const { account_trellis_code, workspace_address } = workspace
  const params: WorkspaceAddress = useMemo(
    () => ({ account_trellis_code, workspace_address }),
    [account_trellis_code, workspace_address],
  )
  return { account, workspace, params, home: `/${account_trellis_code}/${workspace_address}` }
}

export function useCan(): (permission: Permission) => boolean {
  const { account, workspace } = useCurrentWorkspace()
  return (permission) => allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
}

export function canIn(account: Pick<Account, 'role'>, permission: Permission): boolean {
  return allows(permission, { accountRole: account.role, workspaceRole: null })
}

/** The profile menu requires an account with a workspace. */
export function hasWorkspace(accounts: readonly Pick<Account, 'workspaces'>[]): boolean {
  return accounts.some((account) => account.workspaces.length > 0)
}

export function useCreateTemporaryAccount() {
  return useApiMutation(createTemporaryAccount, { errorText: withDetail('Failed to add account.') })
}

export function useUpdateAccount() {
  return useApiMutation(updateAccount, {
    invalidates: [listAccounts, getAccount],
    successText: 'Account configuration successfully saved.',
    errorText: withDetail('Failed to update account configuration. Please try again.'),
  })
}

export function useDeleteAccount() {
  return useApiMutation(deleteAccount, { successText: 'Account successfully deleted.' })
}

export function useLeaveAccount() {
  return useApiMutation(leaveAccount)
}

export function useTransferOwnership() {
  return useApiMutation(transferOwnership, {
    invalidates: [listAccounts, getAccount],
    successText: 'The ownership was handed on.',
  })
}

export function useDeleted() {
  return useQuery(apiQuery(listDeleted, {}))
}

export function useRestoreDeleted() {
  return useApiMutation(restoreDeleted, {
    invalidates: [listAccounts, listDeleted],
    errorText: withDetail('It could not be restored.'),
  })
}
