import type { RunUndo, TaskRun } from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { formatClock, formatDate } from '@trellis/dataflow-engine/schedules/in-words'
import type { RunRow } from './runs.repository.ts'

const toIsoText = (date: Date | null): string | null => date?.toISOString() ?? null
const COUNTER_NAMES = [
  'rows_read',
  'rows_written',
  'rows_updated',
  'rows_rejected',
  'bytes',
  'rows_per_second',
  'peak_memory_bytes',
] as const

export function toTaskRun(row: RunRow): TaskRun {
  const isOver = isTerminal(row.status)
  const isDecided = row.problem?.question !== undefined && !row.needs_decision
  return {
    task_run_trellis_code: row.trellis_code,
    task_block_trellis_code: row.block_code,
    dataflow_trellis_code: row.dataflow_code,
    flow_run_trellis_code: row.flow_run_code,
    block_name: row.block_name,
    kind: row.kind,
    status: row.status,
    waiting_for: row.needs_decision ? 'decision' : null,
    started_by: row.started_by,
    who: row.who,
    because: describeCause(row),
    nominal_at: toIsoText(row.nominal_at),
    due_at: row.due_at.toISOString(),
    started_at: toIsoText(row.started_at),
    finished_at: toIsoText(row.finished_at),
    retry_at: row.status === 'QUEUED' ? toIsoText(row.retry_at) : null,
    counters: Object.fromEntries(
      COUNTER_NAMES.map((name) => [name, Math.trunc(row.counters[name] ?? 0)]),
    ) as TaskRun['counters'],
    problem: row.problem ?? toBlockedProblem(row),
    can_retry: (row.status === 'FAILED' || row.status === 'EXCEPTION') && !row.is_block_deleted && !isDecided,
    can_cancel: !isOver && !row.is_cancel_wanted,
    is_shadow: row.is_shadow,
    version: row.block_version,
    version_number: row.version_number,
    undo: toRunUndo(row),
  }
}

function toRunUndo(row: RunRow): RunUndo | null {
  const { undo_status: status, undo_since: since, undo_progress: progress } = row
  if (status === null || since === null) return null
  return {
    status,
    who: row.undo_who,
    since: since.toISOString(),
    finished_at: toIsoText(row.undo_finished_at),
    tables: row.undo_tables ?? 0,
    table: progress?.table ?? null,
    tables_done: progress?.tables_done ?? 0,
    rows: progress?.rows ?? 0,
    problem: row.undo_error,
  }
}

function toBlockedProblem({ status, is_held: isHeld }: RunRow): TaskRun['problem'] {
  if (isHeld) {
    return {
      kind: 'blocked',
      message: 'An earlier run of this block is being rolled back.',
      advice: 'This run starts automatically when that is done.',
      subtask: null,
    }
  }
  if (status !== 'SYSTEM_BLOCKED') return null
  return {
    kind: 'blocked',
    message: 'The workspace can not run anything now: its plan has ended or its storage is full.',
    advice: 'Reactivate the plan or make room. The run then continues automatically.',
    subtask: null,
  }
}

function describeCause(row: RunRow): string {
  const who = row.who ?? 'Somebody'
  const { window, scope, is_full: isFull, is_shadow: isShadow } = row.request
  switch (row.started_by) {
    case 'schedule':
    case 'activity':
      return describeTrigger(row)
    case 'retry':
      if (row.request.answers) return `${who} decided on its changed columns.`
      return `${who} ran it again.`
    case 'backfill':
      return `${who} had ${window?.from ?? 'a range'} to ${window?.to ?? 'now'} read again.`
    case 'inbound_webhook':
      return 'Started by a call to the webhook URL of its dataflow.'
    case 'api':
      return `Started with a token of ${who}.`
    default:
      if (isShadow) return `${who} ran its draft in the shadow, to see what would be different.`
      return `${who} ran it${scope === 'from_here' ? ' and what follows from it' : ''}${isFull ? ', reading everything again' : ''}.`
  }
}

function describeTrigger({ nominal_at: nominalAt, after }: RunRow): string {
  const dueText = nominalAt && `it was due ${formatDate(nominalAt.getTime())}, ${formatClock(nominalAt.getTime())} UTC`
  const successText = after && `${after.map((name) => `“${name}”`).join(', ')} succeeded`
  const text = [dueText, successText].filter(Boolean).join(' and ')
  return text === '' ? 'Its trigger fired.' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
