import * as running from '@trellis/contract/sql/running.endpoints'
import * as calls from '@trellis/contract/sql/sql.endpoints'
import type { HistoryQuery, QueryHistory } from '@trellis/contract/sql/sql.schemas'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import type { ApiError } from '../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'

const REFRESH_MS = 2_000

export function useRunningQueries(params: WorkspaceAddress) {
  return useQuery({
    ...apiQuery(running.listRunningQueries, { params }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
}

export function useStopQuery() {
  return useApiMutation(running.stopRunningQuery, { invalidates: [running.listRunningQueries, calls.listQueryHistory] })
}

export type HistoryFilter = Pick<HistoryQuery, 'of'> & { search: string; status: HistoryQuery['status'] | '' }
export type HistoryLine = QueryHistory['items'][number]

export function useQueryHistory(params: WorkspaceAddress, { of, search, status }: HistoryFilter) {
  const query = { of, ...(search && { search }), ...(status && { status }) }
  return useInfiniteQuery<QueryHistory, ApiError, HistoryLine[], readonly unknown[], string | undefined>({
    queryKey: [calls.listQueryHistory.id, { params, query }],
    queryFn: ({ pageParam, signal }) =>
      call(
        calls.listQueryHistory,
        { params, query: { ...query, ...(pageParam && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next_before ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function useResultPreview(params: WorkspaceAddress, { job_id, has_results }: HistoryLine) {
  const all = { ...params, job_id, statement: 0 }
  return useQuery({
    ...apiQuery(calls.getResultPage, { params: all, query: { limit: 20 } }),
    enabled: has_results,
    retry: false,
  })
}

export function useRunAgain() {
  return useApiMutation(calls.executeSql, {
    invalidates: [calls.listQueryHistory, running.listRunningQueries],
    successText: 'The query was started.',
    errorText: withDetail('The query could not be started.'),
  })
}

export function useSqlLimits(params: WorkspaceAddress) {
  return useQuery(apiQuery(calls.getSqlLimits, { params }))
}

export function useUpdateSqlLimits() {
  return useApiMutation(calls.updateSqlLimits, {
    invalidates: [calls.getSqlLimits],
    successText: 'The limits were saved.',
  })
}
