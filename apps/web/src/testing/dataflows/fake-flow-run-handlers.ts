import type { FlowRun, FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import type { TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import { toTaskRun } from './fake-runs.ts'
import { webhookHandlers } from './fake-webhook-handlers.ts'

const OPEN = new Set(['QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING'])

function toState(runs: readonly TaskRunDetails[]): FlowRun['state'] {
  if (runs.some(({ status }) => OPEN.has(status))) return 'running'
  const failedRuns = runs.filter(({ status }) => status !== 'SUCCESS')
  if (failedRuns.length === 0) return 'succeeded'
  if (failedRuns.every((run) => run.waiting_for !== null)) return 'needs_decision'
  return failedRuns.every(({ problem }) => problem?.kind === 'cancelled') ? 'cancelled' : 'failed'
}

const CAUSES = {
  schedule: 'schedule',
  activity: 'event',
  person: 'person',
  retry: 'person',
  backfill: 'backfill',
  api: 'api',
  inbound_webhook: 'inbound_webhook',
} as const

function toFlowRun(runs: readonly TaskRunDetails[]): FlowRun {
  const [first] = runs
  if (!first) throw new FakeError('not_found')
  const state = toState(runs)
  return {
    flow_run_trellis_code: first.flow_run_trellis_code ?? '',
    dataflow_trellis_code: first.dataflow_trellis_code,
    state,
    cause: CAUSES[first.started_by],
    who: first.who,
    because: first.because,
    nominal_at: first.nominal_at,
    caused_by: null,
    created_at: first.due_at,
    started_at: first.started_at,
    finished_at: state === 'running' ? null : (runs.at(-1)?.finished_at ?? null),
    progress: { done: runs.filter(({ status }) => status === 'SUCCESS').length, total: runs.length },
    rows_written: runs.reduce((sum, { counters }) => sum + counters.rows_written + counters.rows_updated, 0),
    rows_rejected: runs.reduce((sum, { counters }) => sum + counters.rows_rejected, 0),
    blocks: runs.map((run) => ({
      task_block_trellis_code: run.task_block_trellis_code,
      block_name: run.block_name,
      kind: run.kind,
      status: run.status,
      is_cancelled: run.problem?.kind === 'cancelled',
      waiting_for: run.waiting_for,
      task_run_trellis_code: run.task_run_trellis_code,
    })),
    can_retry: state === 'failed' || state === 'cancelled',
    can_cancel: state === 'running',
    is_shadow: first.is_shadow,
  }
}

const listRuns = (world: FakeWorld, code: string | undefined) =>
  world.runs.list.filter((run) => run.flow_run_trellis_code === code)

export const flowRunHandlers: Record<string, Handler> = {
  ...webhookHandlers,
  listFlowRuns: (world, { params, query }) => {
    const own = world.runs.list.filter((run) => run.dataflow_trellis_code === params['trellis_code'])
    const all = [...Map.groupBy(own, (run) => run.flow_run_trellis_code).values()].map(toFlowRun)
    const flow_runs = all.filter(
      ({ state, cause }) =>
        (query['state'] === undefined || state === query['state']) &&
        (query['cause'] === undefined || cause === query['cause']),
    )
    return { flow_runs, next: null }
  },
  getFlowRun: (world, { params }): FlowRunDetails => {
    const runs = listRuns(world, params['flow_run_trellis_code'])
    return {
      ...toFlowRun(runs),
      dataflow_name: 'Revenue',
      runs: runs.map(toTaskRun),
      comparison: { count: 3, duration_ms: 60_000, rows: 600, duration_ratio: 2.1, rows_ratio: 1, changed_blocks: [] },
    }
  },
  getFlowRunLogs: (world, { params, query }) => {
    const runs = listRuns(world, params['flow_run_trellis_code'])
    const lines = runs.flatMap((run) =>
      (world.runs.logs[run.task_run_trellis_code] ?? []).map((line) => ({
        ...line,
        task_run_trellis_code: run.task_run_trellis_code,
        block_name: run.block_name,
      })),
    )
    const read = Number(query['after'] ?? 0)
    return { lines: lines.slice(read), next: String(lines.length), is_over: true, state: toState(runs) }
  },
  cancelFlowRun: (world, { params }) => {
    const runs = listRuns(world, params['flow_run_trellis_code'])
    const problem = { kind: 'cancelled' as const, message: 'The run was cancelled.', advice: null, subtask: null }
    for (const run of runs) if (OPEN.has(run.status)) Object.assign(run, { status: 'FAILED', problem })
    return toFlowRun(runs)
  },
  retryFlowRun: (world, { params }) => {
    const runs = listRuns(world, params['flow_run_trellis_code'])
    for (const run of runs) if (run.status !== 'SUCCESS') Object.assign(run, { status: 'QUEUED', problem: null })
    return toFlowRun(runs)
  },
  executeDataflow: (world, { params }) => {
    const [run] = world.runs.list.filter((item) => item.dataflow_trellis_code === params['trellis_code'])
    if (!run) throw new FakeError('block_incomplete')
    return toFlowRun([run])
  },
}
