import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { isTerminal } from '../runs/run-states.ts'

type FlowRunState = 'running' | 'succeeded' | 'failed' | 'needs_decision' | 'cancelled'

export interface BlockRun {
  readonly id: number
  /** First run of its chain of retries. */
  readonly root: string
  readonly block: string
  readonly status: RunStatus
  readonly isCancelled: boolean
  readonly needsDecision: boolean
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly rows: number
}

export interface FlowRunSummary {
  readonly state: FlowRunState
  readonly progress: { readonly done: number; readonly total: number }
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly rows: number
}

export function findLatestRuns<T extends Pick<BlockRun, 'id' | 'root'>>(runs: readonly T[]): T[] {
  const latest = new Map<string, T>()
  for (const run of runs) {
    const knownRun = latest.get(run.root)
    if (!knownRun || knownRun.id < run.id) latest.set(run.root, run)
  }
  return [...latest.values()]
}

/**
 * A block run's success and the runs it triggers commit together, so there is always an open one in between.
 * `expected`: blocks that may still run.
 */
export function summarizeFlowRun(runs: readonly BlockRun[], expected: Iterable<string> = []): FlowRunSummary {
  const latest = findLatestRuns(runs)
  const state = computeState(latest)
  const byBlock = Map.groupBy(latest, ({ block }) => block)
  const doneBlocks = [...byBlock.values()].filter((blockRuns) =>
    blockRuns.every(({ status }) => status === 'SUCCESS'),
  ).length
  // A flow run that succeeded is complete, whatever changed on the canvas since.
  const totalBlocks = state === 'succeeded' ? doneBlocks : new Set([...byBlock.keys(), ...expected]).size
  const startTimes = runs.flatMap(({ startedAt }) => startedAt ?? [])
  const endTimes = runs.flatMap(({ finishedAt }) => finishedAt ?? [])
  return {
    state,
    progress: { done: doneBlocks, total: totalBlocks },
    startedAt: startTimes.length === 0 ? null : Math.min(...startTimes),
    finishedAt: state === 'running' || endTimes.length === 0 ? null : Math.max(...endTimes),
    rows: latest.reduce((sum, { rows }) => sum + rows, 0),
  }
}

function computeState(latest: readonly BlockRun[]): FlowRunState {
  if (latest.some(({ status }) => !isTerminal(status))) return 'running'
  const failedBlockRuns = latest.filter(({ status }) => status !== 'SUCCESS')
  if (failedBlockRuns.some(({ isCancelled, needsDecision }) => !isCancelled && !needsDecision)) return 'failed'
  if (failedBlockRuns.some(({ needsDecision }) => needsDecision)) return 'needs_decision'
  return failedBlockRuns.length > 0 ? 'cancelled' : 'succeeded'
}

export const findRetryable = <T extends BlockRun>(runs: readonly T[]): T[] =>
  findLatestRuns(runs).filter(({ status }) => isTerminal(status) && status !== 'SUCCESS')
