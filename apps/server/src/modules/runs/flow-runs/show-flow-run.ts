import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import { type WaitingBlock, findExpectedBlocks } from '@trellis/dataflow-engine/flow-runs/expected-blocks'
import {
  type BlockRun,
  type FlowRunSummary,
  findLatestRuns,
  findRetryable,
  summarizeFlowRun,
} from '@trellis/dataflow-engine/flow-runs/flow-run-state'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { formatClock, formatDate } from '@trellis/dataflow-engine/schedules/in-words'
import type { BlockRunRow, FlowRunRow } from './flow-runs.repository.ts'

export const toBlockRun = (row: BlockRunRow): BlockRun & { readonly row: BlockRunRow } => ({
  id: row.id,
  root: row.root,
  block: row.block_code,
  status: row.status,
  isCancelled: row.is_cancelled,
  needsDecision: row.needs_decision,
  startedAt: row.started_at?.getTime() ?? null,
  finishedAt: row.finished_at?.getTime() ?? null,
  rows: countWrittenRows(row),
  row,
})

const countWrittenRows = ({ counters }: BlockRunRow): number =>
  Math.trunc((counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0))

/** `graph`: blocks still to come; empty for runs without downstream. */
export function summarizeBlockRuns(rows: readonly BlockRunRow[], graph: readonly WaitingBlock[]): FlowRunSummary {
  const startedBlocks = rows.filter(({ is_alone: isAlone }) => !isAlone).map(({ block_code }) => block_code)
  return summarizeFlowRun(
    rows.map(toBlockRun),
    startedBlocks.length === 0 ? [] : findExpectedBlocks(graph, startedBlocks),
  )
}

export function toFlowRun(flowRun: FlowRunRow, rows: readonly BlockRunRow[], graph: readonly WaitingBlock[]): FlowRun {
  const { state, progress, startedAt, finishedAt, rows: written } = summarizeBlockRuns(rows, graph)
  const runs = rows.map(toBlockRun)
  const latestRuns = findLatestRuns(runs).map(({ row }) => row)
  return {
    flow_run_trellis_code: flowRun.code,
    dataflow_trellis_code: flowRun.dataflow_code,
    state,
    cause: flowRun.cause,
    who: flowRun.who,
    because: describeCause(flowRun, rows),
    nominal_at: flowRun.nominal_at?.toISOString() ?? null,
    caused_by: flowRun.caused_by,
    created_at: flowRun.created_at.toISOString(),
    started_at: toIso(startedAt),
    finished_at: toIso(finishedAt),
    progress,
    rows_written: written,
    rows_rejected: latestRuns.reduce((sum, { counters }) => sum + Math.trunc(counters['rows_rejected'] ?? 0), 0),
    blocks: latestRuns.map((row) => ({
      task_block_trellis_code: row.block_code,
      block_name: row.block_name,
      kind: row.kind,
      status: row.status,
      is_cancelled: row.is_cancelled,
      waiting_for: row.needs_decision ? 'decision' : null,
      task_run_trellis_code: row.code,
    })),
    can_retry: state !== 'running' && findRetryable(runs).some(({ row }) => !row.is_block_deleted),
    can_cancel: rows.some((row) => !isTerminal(row.status) && !row.is_cancel_wanted),
    is_shadow: rows.some((row) => row.is_shadow),
  }
}

const toIso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

function describeCause(flowRun: FlowRunRow, rows: readonly BlockRunRow[]): string {
  const who = flowRun.who ?? 'Somebody'
  const { scope, window } = flowRun.request
  const first = rows[0]?.block_name ?? 'a block'
  switch (flowRun.cause) {
    case 'schedule':
      return describeDue(flowRun)
    case 'event':
      return describeEvent(flowRun)
    case 'api':
      return `Started with a token of ${who}.`
    case 'inbound_webhook':
      return 'Started by a call to its webhook URL.'
    case 'backfill':
      return `${who} had ${window?.from ?? 'a range'} to ${window?.to ?? 'now'} read again by “${first}”.`
    default:
      if (scope === 'flow') return `${who} ran the flow.`
      return `${who} ran “${first}”${scope === 'from_here' ? ' and what follows from it' : ''}.`
  }
}

const describeDue = ({ nominal_at: at }: FlowRunRow): string =>
  at ? `It was due ${formatDate(at.getTime())}, ${formatClock(at.getTime())} UTC.` : 'It was due.'

const describeEvent = ({ caused_by: by }: FlowRunRow): string =>
  by ? `“${by.block_name}” in “${by.dataflow_name}” succeeded.` : 'A block it waits for succeeded.'
