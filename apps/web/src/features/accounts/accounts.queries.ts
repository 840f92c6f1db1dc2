import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { readAccounts, storeAccounts } from '../../app/session/stored-data.ts'

const accountsQuery = apiQuery(listAccounts, {})

/** Every fresh answer is also kept in the browser, where the workspace pages look it up before they load. */
export function useAccounts() {
  return useQuery({
    ...accountsQuery,
    queryFn: async ({ signal }) => {
      const accounts = await call(listAccounts, {}, { signal })
      storeAccounts(accounts)
      return accounts
    },
  })
}

/** What is known without asking: the fresh list, or the one stored at sign-in. */
export function useKnownAccounts(): readonly Account[] {
  const { data } = useAccounts()
  if (data) return data
  const stored = readAccounts()
  return stored.ok ? stored.value : []
}

/** The spec's rule for the profile menu: at least one account with at least one workspace. */
export function hasWorkspace(accounts: readonly Pick<Account, 'workspaces'>[]): boolean {
  return accounts.some((account) => account.workspaces.length > 0)
}
