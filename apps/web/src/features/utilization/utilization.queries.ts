import { getWorkspaceUtilization, listUsageDays } from '@trellis/contract/utilization/utilization.endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api/api-query.ts'

/** The charts of the period before stay until the new one has come. */
export function useUsageDays(accountCode: string, days: number) {
  return useQuery({
    ...apiQuery(listUsageDays, { params: { account_trellis_code: accountCode }, query: { days } }),
    placeholderData: keepPreviousData,
  })
}

interface Address {
  account_trellis_code: string
  workspace_address: string
}

export function useWorkspaceUtilization({ account_trellis_code, workspace_address }: Address, days: number) {
  const params = { account_trellis_code, workspace_address }
  return useQuery({
    ...apiQuery(getWorkspaceUtilization, { params, query: { days } }),
    placeholderData: keepPreviousData,
  })
}
