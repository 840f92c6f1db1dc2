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
 * Every fresh answer is also kept in the browser, where the workspace pages look it up before they load. Names, roles and
 * access may have changed in another tab, so a tab that is looked at again asks again.
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

/** What is known without asking: the fresh list, or the one stored at sign-in. */
export function useCachedAccounts(): readonly Account[] {
  const { data } = useAccounts()
  if (data) return data
  const stored = readAccounts()
  return stored.ok ? stored.value : []
}

/** When access ends, a page may be drawn once more before the gate above it has seen the new list. */
function useLastFound<T>(found: T | undefined): T | undefined {
  const last = useRef(found)
  if (found !== undefined) last.current = found
  return last.current
}

/** The account of the address. Only below the gate, which lets nobody in without one. */
export function useCurrentAccount(): Account {
  const { account: code } = useParams()
  const found = useLastFound(useCachedAccounts().find((one) => one.trellis_code === code))
  if (!found) throw new Error('An account page stands outside of the gate')
  return found
}

/** The workspace of the address, with its account, as calls take it, and the path of its pages. Only below the workspace's frame. */
export function useCurrentWorkspace() {
  const account = useCurrentAccount()
  const { workspace: address } = useParams()
  const workspace = useLastFound(account.workspaces.find((one) => one.workspace_address === address))
  if (!workspace) throw new Error('A workspace page stands outside of its frame')
  const { account_trellis_code, workspace_address } = workspace
  const params: WorkspaceAddress = useMemo(
    () => ({ account_trellis_code, workspace_address }),
    [account_trellis_code, workspace_address],
  )
  return { account, workspace, params, home: `/${account_trellis_code}/${workspace_address}` }
}

/** Asks the one table of rights what the person may do in the workspace of the address. */
export function useCan(): (permission: Permission) => boolean {
  const { account, workspace } = useCurrentWorkspace()
  return (permission) => allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
}

/** Asks the one table of rights what the person may do in an account. */
export function canIn(account: Pick<Account, 'role'>, permission: Permission): boolean {
  return allows(permission, { accountRole: account.role, workspaceRole: null })
}

/** The spec's rule for the profile menu: at least one account with at least one workspace. */
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
