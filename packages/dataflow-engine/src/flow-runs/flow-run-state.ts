import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { isTerminal } from '../runs/run-states.ts'

type FlowRunState = 'running' | 'succeeded' | 'failed' | 'needs_decision' | 'cancelled'

export interface BlockRun {
  readonly id: number
  /** The first run of its chain of retries. */
  readonly root: string
  readonly block: string
  readonly status: RunStatus
  readonly isCancelled: boolean
  /** It ended with a question that nobody has answered. */
  readonly needsDecision: boolean
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly rows: number
}

export interface FlowRunSummary {
  readonly state: FlowRunState
  /** Blocks that succeeded, of those that are expected to run. */
  readonly progress: { readonly done: number; readonly total: number }
  readonly startedAt: number | null
  /** Nothing while it is running. */
  readonly finishedAt: number | null
  readonly rows: number
}

/** Of each chain of retries the last one: what was retried no longer counts. */
export function findLatestRuns<T extends Pick<BlockRun, 'id' | 'root'>>(runs: readonly T[]): T[] {
  const latest = new Map<string, T>()
  for (const run of runs) {
    const known = latest.get(run.root)
    if (!known || known.id < run.id) latest.set(run.root, run)
  }
  return [...latest.values()]
}

/**
 * How a flow run goes, from its block runs. A block run that succeeds and the runs it sets off are written together, so
 * that between two blocks one of them is always open. `expected` are blocks that may still run in it.
 */
export function summarizeFlowRun(runs: readonly BlockRun[], expected: Iterable<string> = []): FlowRunSummary {
  const latest = findLatestRuns(runs)
  const state = getState(latest)
  const byBlock = Map.groupBy(latest, ({ block }) => block)
  const done = [...byBlock.values()].filter((own) => own.every(({ status }) => status === 'SUCCESS')).length
  // What succeeded as a whole is complete, however the canvas has been changed since.
  const total = state === 'succeeded' ? done : new Set([...byBlock.keys(), ...expected]).size
  const started = runs.flatMap(({ startedAt }) => startedAt ?? [])
  const finished = runs.flatMap(({ finishedAt }) => finishedAt ?? [])
  return {
    state,
    progress: { done, total },
    startedAt: started.length === 0 ? null : Math.min(...started),
    finishedAt: state === 'running' || finished.length === 0 ? null : Math.max(...finished),
    rows: latest.reduce((sum, { rows }) => sum + rows, 0),
  }
}

function getState(latest: readonly BlockRun[]): FlowRunState {
  if (latest.some(({ status }) => !isTerminal(status))) return 'running'
  const failed = latest.filter(({ status }) => status !== 'SUCCESS')
  if (failed.some(({ isCancelled, needsDecision }) => !isCancelled && !needsDecision)) return 'failed'
  if (failed.some(({ needsDecision }) => needsDecision)) return 'needs_decision'
  return failed.length > 0 ? 'cancelled' : 'succeeded'
}

/** What a retry of the flow run runs again; what waits for these follows when they succeed. */
export const findRetryable = <T extends BlockRun>(runs: readonly T[]): T[] =>
  findLatestRuns(runs).filter(({ status }) => isTerminal(status) && status !== 'SUCCESS')
