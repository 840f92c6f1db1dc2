import { endSqlTransaction, getSqlTransaction } from '@trellis/contract/sql/transactions.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { WorkspaceAddress } from '../../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../../api/api-query.ts'

const OPEN_REFRESH_MS = 3_000

export function useTransaction(params: WorkspaceAddress, fileId: string) {
  const client = useQueryClient()
  const { data } = useQuery({
    ...apiQuery(getSqlTransaction, { params: { ...params, file_id: fileId } }),
    refetchInterval: ({ state }) => (state.data?.transaction?.status === 'open' ? OPEN_REFRESH_MS : false),
  })
  const last = data?.transaction ?? null
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: [getSqlTransaction.id] }), [client])
  return { last, isOpen: last?.status === 'open', refresh }
}

export function useEndTransaction() {
  const client = useQueryClient()
  return useApiMutation(endSqlTransaction, {
    onSuccess: () => void client.invalidateQueries({ queryKey: [getSqlTransaction.id] }),
    errorText: withDetail('The transaction could not be ended.'),
  })
}
