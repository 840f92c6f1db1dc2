import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import * as calls from '@trellis/contract/runs/flow-runs.endpoints'
import type {
  FlowRun,
  FlowRunFilter,
  FlowRunLogLine,
  FlowRunLogPage,
  FlowRunPage,
} from '@trellis/contract/runs/flow-runs.schemas'
import { getTaskRun, listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import type { ApiError } from '../../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import type { WorkspaceAddress } from '../runs.queries.ts'

type Page = z.infer<typeof FlowRunPage>
type LogPage = z.infer<typeof FlowRunLogPage>
export type FlowRunsWanted = Pick<z.input<typeof FlowRunFilter>, 'state' | 'cause'>

export function useFlowRuns(address: WorkspaceAddress, dataflow: string, wanted: FlowRunsWanted) {
  const params = { ...address, trellis_code: dataflow }
  return useInfiniteQuery<Page, ApiError, FlowRun[], readonly unknown[], string | null>({
    queryKey: [calls.listFlowRuns.id, { params, query: wanted }],
    queryFn: ({ pageParam, signal }) =>
      call(calls.listFlowRuns, { params, query: { ...wanted, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.flow_runs),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function useFlowRun(address: WorkspaceAddress, flowRun: string) {
  const params = { ...address, flow_run_trellis_code: flowRun }
  return useQuery({ ...apiQuery(calls.getFlowRun, { params }), staleTime: 0 })
}

const LOOK_MS = 1000
const LINES_A_PAGE = 1000

interface FlowRunLog {
  readonly lines: readonly FlowRunLogLine[]
  readonly isOver: boolean
}

/** The log of all blocks, read on while the flow run is running. */
export function useFlowRunLog(address: WorkspaceAddress, flowRun: string, isRunning: boolean) {
  const params = { ...address, flow_run_trellis_code: flowRun }
  const query = useInfiniteQuery<LogPage, ApiError, FlowRunLog, readonly unknown[], string>({
    queryKey: [calls.getFlowRunLogs.id, { params }],
    queryFn: ({ pageParam, signal }) =>
      call(
        calls.getFlowRunLogs,
        { params, query: { limit: LINES_A_PAGE, ...(pageParam && { after: pageParam }) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({ lines: pages.flatMap((page) => page.lines), isOver: pages.at(-1)?.is_over ?? false }),
    staleTime: Infinity,
  })
  const { data, isFetching, isError, fetchNextPage } = query
  const count = data?.lines.length ?? 0
  const wantsMore = data !== undefined && !isFetching && !isError && (isRunning || !data.isOver)
  useEffect(() => {
    if (!wantsMore) return undefined
    const timer = setTimeout(() => void fetchNextPage(), count === 0 || count % LINES_A_PAGE !== 0 ? LOOK_MS : 0)
    return () => clearTimeout(timer)
  }, [wantsMore, count, fetchNextPage])
  return query
}

const CHANGED = {
  invalidates: [calls.listFlowRuns, calls.getFlowRun, listTaskRuns, getTaskRun, getWorkspaceDashboard],
}

export const useCancelFlowRun = () =>
  useApiMutation(calls.cancelFlowRun, {
    ...CHANGED,
    successText: 'The run is being stopped.',
    errorText: withDetail('The run was not stopped.'),
  })
export const useRetryFlowRun = () =>
  useApiMutation(calls.retryFlowRun, {
    ...CHANGED,
    successText: 'What failed runs again.',
    errorText: withDetail('The run was not started.'),
  })
