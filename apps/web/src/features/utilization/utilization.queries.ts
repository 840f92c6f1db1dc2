import { getWorkspaceUtilization, listUsageDays } from '@trellis/contract/utilization/utilization.endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery } from '../../api/api-query.ts'

export function useUsageDays(accountCode: string, days: number) {
  return useQuery({
    ...apiQuery(listUsageDays, { params: { account_trellis_code: accountCode }, query: { days } }),
    placeholderData: keepPreviousData,
  })
}

export function useWorkspaceUtilization({ account_trellis_code, workspace_address }: WorkspaceAddress, days: number) {
  const params = { account_trellis_code, workspace_address }
  return useQuery({
    ...apiQuery(getWorkspaceUtilization, { params, query: { days } }),
    placeholderData: keepPreviousData,
  })
}
