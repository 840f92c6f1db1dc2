import * as calls from '@trellis/contract/runs/flow-runs.endpoints'
import type {
  FlowRun,
  FlowRunDetails,
  FlowRunFilter,
  FlowRunLogLine,
  FlowRunLogPage,
  FlowRunPage,
} from '@trellis/contract/runs/flow-runs.schemas'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import type { ApiError } from '../../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import { call } from '../../../api/call.ts'
import { FLOW_RUN_CHANGED } from './retry-flow-run.queries.ts'

type Page = z.infer<typeof FlowRunPage>
type LogPage = z.infer<typeof FlowRunLogPage>
export type FlowRunsWanted = Pick<z.input<typeof FlowRunFilter>, 'state' | 'cause' | 'from' | 'to'>

export function useFlowRuns(address: WorkspaceAddress, dataflow: string, runsQuery: FlowRunsWanted) {
  const params = { ...address, trellis_code: dataflow }
  return useInfiniteQuery<Page, ApiError, FlowRun[], readonly unknown[], string | null>({
    queryKey: [calls.listFlowRuns.id, { params, query: runsQuery }],
    queryFn: ({ pageParam, signal }) =>
      call(
        calls.listFlowRuns,
        { params, query: { ...runsQuery, ...(pageParam && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.flow_runs),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

const MAX_PAGES = 5
const RUNS_A_PAGE = 100

/** Limited to what the timeline can draw. */
export function useFlowRunsBetween(address: WorkspaceAddress, dataflow: string, runsQuery: FlowRunsWanted) {
  const params = { ...address, trellis_code: dataflow }
  const query = useInfiniteQuery<
    Page,
    ApiError,
    { runs: FlowRun[]; isCut: boolean },
    readonly unknown[],
    string | null
  >({
    queryKey: [calls.listFlowRuns.id, { params, query: runsQuery }, 'all pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        calls.listFlowRuns,
        { params, query: { ...runsQuery, limit: RUNS_A_PAGE, ...(pageParam && { before: pageParam }) } },
        { signal },
      ),
    initialPageParam: null,
    getNextPageParam: (page, pages) => (pages.length < MAX_PAGES ? page.next : undefined),
    select: ({ pages }) => ({
      runs: pages.flatMap((page) => page.flow_runs),
      isCut: pages.length >= MAX_PAGES && pages.at(-1)?.next !== null,
    }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  return query
}

export function useFlowRun(address: WorkspaceAddress, flowRun: string | null) {
  const params = { ...address, flow_run_trellis_code: flowRun ?? '' }
  return useQuery({ ...apiQuery(calls.getFlowRun, { params }), staleTime: 0, enabled: flowRun !== null })
}

const LOOK_MS = 1000
const LINES_A_PAGE = 1000

interface FlowRunLog {
  readonly lines: readonly FlowRunLogLine[]
  readonly isOver: boolean
  readonly version: string | undefined
}

/** Changes whenever there may be new lines. */
const toLogVersion = ({ runs }: FlowRunDetails): string =>
  runs.map(({ task_run_trellis_code: code, status }) => `${code} ${status}`).join()

type ReadPage = LogPage & { readonly version: string }

/** Polls while running and once after each change: a retry may begin and end between two polls. */
export function useFlowRunLog(address: WorkspaceAddress, flowRun: FlowRunDetails) {
  const params = { ...address, flow_run_trellis_code: flowRun.flow_run_trellis_code }
  const isRunning = flowRun.state === 'running'
  const version = toLogVersion(flowRun)
  const query = useInfiniteQuery<ReadPage, ApiError, FlowRunLog, readonly unknown[], string>({
    queryKey: [calls.getFlowRunLogs.id, { params }],
    queryFn: async ({ pageParam, signal }) => {
      const runsQuery = { limit: LINES_A_PAGE, ...(pageParam && { after: pageParam }) }
      return { ...(await call(calls.getFlowRunLogs, { params, query: runsQuery }, { signal })), version }
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({
      lines: pages.flatMap((page) => page.lines),
      isOver: pages.at(-1)?.is_over ?? false,
      version: pages.at(-1)?.version,
    }),
    staleTime: Infinity,
  })
  const { data, isFetching, isError, fetchNextPage } = query
  const count = data?.lines.length ?? 0
  const wantsMore =
    data !== undefined && !isFetching && !isError && (isRunning || !data.isOver || data.version !== version)
  useEffect(() => {
    if (!wantsMore) return undefined
    const timer = setTimeout(() => void fetchNextPage(), count === 0 || count % LINES_A_PAGE !== 0 ? LOOK_MS : 0)
    return () => clearTimeout(timer)
  }, [wantsMore, count, fetchNextPage])
  return query
}

export const useCancelFlowRun = () =>
  useApiMutation(calls.cancelFlowRun, {
    ...FLOW_RUN_CHANGED,
    successText: 'The run is being stopped.',
    errorText: withDetail('The run was not stopped.'),
  })
