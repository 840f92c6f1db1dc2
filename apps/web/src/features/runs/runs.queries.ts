import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import { describeDataflow, getDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import { getFlowRun, listFlowRuns } from '@trellis/contract/runs/flow-runs.endpoints'
import * as quarantine from '@trellis/contract/runs/quarantine.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import type { QuarantinePage, RunPage, TaskRun, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import type { ApiError } from '../../api/api-error.ts'
import { apiQuery, useApiMutation, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import { useEvents } from '../../api/use-events.ts'
import { showToast } from '../../ui/feedback/toasts.ts'
import { withRuns } from './live-runs.ts'
import { RUN_CHANGED } from './retry-run.queries.ts'
import type { RunsWanted } from './live-runs.ts'
import { isBeingUndone } from './run-words.ts'

export type { WorkspaceAddress }

type Page = z.infer<typeof RunPage>
interface RunsCall {
  params: WorkspaceAddress & { trellis_code: string }
  query?: RunsWanted
}

export function useRuns(address: WorkspaceAddress, dataflow: string, runsQuery: RunsWanted) {
  const query = apiQuery(calls.listTaskRuns, { params: { ...address, trellis_code: dataflow }, query: runsQuery })
  return useQuery({ ...query, staleTime: 0, placeholderData: keepPreviousData })
}

const MAX_PAGES = 10

/** Limited to what the timeline can draw. */
export function useRunsBetween(address: WorkspaceAddress, dataflow: string, runsQuery: RunsWanted) {
  const params = { ...address, trellis_code: dataflow }
  const query = useInfiniteQuery<Page, ApiError, { runs: TaskRun[]; isCut: boolean }, readonly unknown[], number>({
    queryKey: [calls.listTaskRuns.id, { params, query: runsQuery }, 'all pages'],
    queryFn: ({ pageParam, signal }) =>
      call(calls.listTaskRuns, { params, query: { ...runsQuery, page: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (page, pages) => (page.has_more && pages.length < MAX_PAGES ? pages.length + 1 : undefined),
    select: ({ pages }) => ({
      runs: [...new Map(pages.flatMap(({ runs }) => runs).map((run) => [run.task_run_trellis_code, run])).values()],
      isCut: pages.length >= MAX_PAGES && (pages.at(-1)?.has_more ?? false),
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

export const runQuery = (address: WorkspaceAddress, run: string) =>
  apiQuery(calls.getTaskRun, { params: { ...address, task_run_trellis_code: run } })

const LOOK_MS = 5000

export function useRun(address: WorkspaceAddress, run: string) {
  const query = useQuery({
    ...runQuery(address, run),
    staleTime: 0,
    // Polls as well: the event stream may have closed when the run ended.
    refetchInterval: ({ state }) => (state.data && isBeingUndone(state.data) ? LOOK_MS : false),
  })
  const { data } = query
  useEffect(() => {
    if (data) showUndoOutcome(data)
  }, [data])
  return query
}

/** Rollbacks requested here, by start time: announced once when they end. */
const latestRequest = new Map<string, string>()

function showUndoOutcome({ task_run_trellis_code: code, undo }: TaskRun): void {
  if (!undo || undo.status === 'in_progress' || latestRequest.get(code) !== undo.since) return
  latestRequest.delete(code)
  if (undo.status === 'failed') showToast({ tone: 'danger', text: 'The run was not rolled back.' })
  else showToast({ tone: 'success', text: 'The run was rolled back.' })
}

const BATCH_MS = 200
/** Flow runs are refetched: events don't carry their counters. */
const FLOW_RUNS_MS = 1000

/** Applies events to all cached runs. Returns whether the stream is connected. */
export function useLiveRuns(address: WorkspaceAddress, dataflow: string) {
  const client = useQueryClient()
  const waiting = useRef(new Map<string, TaskRun>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flowTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(flowTimer.current)
    },
    [],
  )
  const refetchFlowRuns = () => {
    flowTimer.current = undefined
    for (const { id } of [listFlowRuns, getFlowRun]) {
      void client.invalidateQueries({ queryKey: [id] }, { cancelRefetch: false })
    }
  }
  const flush = () => {
    timer.current = undefined
    flowTimer.current ??= setTimeout(refetchFlowRuns, FLOW_RUNS_MS)
    const runs = [...waiting.current.values()]
    waiting.current.clear()
    applyRuns(client, dataflow, runs)
  }
  return useEvents(calls.followDataflow, { params: { ...address, trellis_code: dataflow } }, (event) => {
    if (event.type === 'canvas') return void client.invalidateQueries({ queryKey: [getCanvas.id] })
    waiting.current.set(event.run.task_run_trellis_code, event.run)
    timer.current ??= setTimeout(flush, BATCH_MS)
  })
}

function applyRuns(client: QueryClient, dataflow: string, runs: readonly TaskRun[]): void {
  for (const [key, data] of client.getQueriesData<Page | { pages: Page[] }>({ queryKey: [calls.listTaskRuns.id] })) {
    const { params, query = {} } = key[1] as RunsCall
    if (params.trellis_code !== dataflow) continue
    // A pending response may be older than this event: refetch.
    if (client.isFetching({ queryKey: key, exact: true }) > 0) void invalidateQuery(client, key)
    if (!data) continue
    if ('pages' in data) {
      const pages = data.pages.map((page, index) =>
        withRuns(page, runs, index === 0 ? { ...query, page: 1 } : { ...query, page: 2 }),
      )
      client.setQueryData(key, { ...data, pages })
    } else client.setQueryData(key, withRuns(data, runs, query))
  }
  for (const run of runs) {
    showUndoOutcome(run)
    for (const [key, details] of client.getQueriesData<TaskRunDetails>({ queryKey: [calls.getTaskRun.id] })) {
      const { params } = key[1] as { params: { task_run_trellis_code: string } }
      if (params.task_run_trellis_code !== run.task_run_trellis_code) continue
      if (details) client.setQueryData(key, { ...details, ...run })
      // Events don't contain attempts and receipts.
      void invalidateQuery(client, key)
    }
  }
}

/** Without cancelling: a burst of events would abort every response. */
const invalidateQuery = (client: QueryClient, queryKey: readonly unknown[]) =>
  client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })

export const useCancelRun = () =>
  useApiMutation(calls.cancelTaskRun, {
    ...RUN_CHANGED,
    successText: 'The run is being stopped.',
    errorText: withDetail('The run was not stopped.'),
  })
/** Only the start: the run reports the end. */
export function useUndoRun() {
  const client = useQueryClient()
  return useApiMutation(quarantine.undoTaskRun, {
    ...RUN_CHANGED,
    onSuccess: (run) => {
      if (run.undo) latestRequest.set(run.task_run_trellis_code, run.undo.since)
      // It may have ended before this response.
      for (const [, cachedRun] of client.getQueriesData<TaskRunDetails>({ queryKey: [calls.getTaskRun.id] })) {
        if (cachedRun) showUndoOutcome(cachedRun)
      }
    },
  })
}
export const useSettleQuarantine = () =>
  useApiMutation(quarantine.settleQuarantine, { invalidates: [quarantine.listQuarantine, calls.getTaskRun] })

export function useComparisons(address: WorkspaceAddress, run: string) {
  return useQuery(apiQuery(quarantine.listComparisons, { params: { ...address, task_run_trellis_code: run } }))
}

export function useQuarantine(address: WorkspaceAddress, run: string) {
  const params = { ...address, task_run_trellis_code: run }
  type Rows = z.infer<typeof QuarantinePage>
  return useInfiniteQuery<Rows, ApiError, Pick<Rows, 'rows' | 'waiting'>, readonly unknown[], string | null>({
    queryKey: [quarantine.listQuarantine.id, { params }],
    queryFn: ({ pageParam, signal }) =>
      call(quarantine.listQuarantine, { params, query: { ...(pageParam && { after: pageParam }) } }, { signal }),
    initialPageParam: null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({ rows: pages.flatMap((page) => page.rows), waiting: pages.at(-1)?.waiting ?? 0 }),
    staleTime: 0,
  })
}

export function useBlocks(address: WorkspaceAddress, dataflow: string) {
  return useQuery({ ...apiQuery(getCanvas, { params: { ...address, dataflow_trellis_code: dataflow } }), staleTime: 0 })
}

export function useDataflowDescription(address: WorkspaceAddress, dataflow: string) {
  return useQuery({ ...apiQuery(describeDataflow, { params: { ...address, trellis_code: dataflow } }), staleTime: 0 })
}

export const descriptionCalls = [describeDataflow, getDataflow]
