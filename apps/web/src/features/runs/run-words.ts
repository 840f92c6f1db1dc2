import type { LOG_LEVELS, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { Receipt, RUN_STARTERS, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type * as z from 'zod/mini'
import { formatDuration } from '../../ui/data/durations.ts'
import { formatCount, wholeNumber } from '../../ui/data/amounts.ts'
import type { Tone } from '../../ui/feedback/Status.tsx'

export type Starter = (typeof RUN_STARTERS)[number]
export type LogLevel = (typeof LOG_LEVELS)[number]
export type RunReceipt = z.infer<typeof Receipt>

interface StatusLabel {
  label: string
  tone: Tone
  isOpen: boolean
}

export const STATUS_LABELS: Record<RunStatus, StatusLabel> = {
  QUEUED: { label: 'Queued', tone: 'neutral', isOpen: true },
  SYSTEM_DEQUEUED: { label: 'Starting', tone: 'info', isOpen: true },
  SYSTEM_BLOCKED: { label: 'Paused', tone: 'warning', isOpen: true },
  PROVISIONING: { label: 'Preparing', tone: 'info', isOpen: true },
  INITIALIZING: { label: 'Starting', tone: 'info', isOpen: true },
  RUNNING: { label: 'Running', tone: 'info', isOpen: true },
  SUCCESS: { label: 'Succeeded', tone: 'success', isOpen: false },
  FAILED: { label: 'Failed', tone: 'danger', isOpen: false },
  EXCEPTION: { label: 'System error', tone: 'danger', isOpen: false },
}

export const STARTER_LABELS: Record<Starter, string> = {
  schedule: 'A schedule',
  activity: 'Another block',
  person: 'A person',
  retry: 'A retry',
  backfill: 'A backfill',
  api: 'The API',
  inbound_webhook: 'Webhook',
}

type Problem = NonNullable<TaskRun['problem']>
export const PROBLEM_TITLES: Record<Problem['kind'], string> = {
  configuration: 'The settings have to be changed',
  transient: 'The other side did not answer as it should',
  rate_limited: 'The other side asked for a pause',
  system: 'System error in Trellis',
  lost: 'The run was interrupted',
  schema_changed: 'The columns at the source have changed',
  cancelled: 'Cancelled',
  blocked: 'Paused',
}

type RunTiming = Pick<TaskRun, 'status' | 'waiting_for' | 'problem' | 'retry_at' | 'started_at'>

/** More specific than the stored status. */
export function getStatusLabel(run: RunTiming): StatusLabel {
  const state = STATUS_LABELS[run.status]
  if (run.problem?.kind === 'cancelled' && !state.isOpen) return { label: 'Cancelled', tone: 'neutral', isOpen: false }
  if (isWaitingForDecision(run)) return { label: 'Needs a decision', tone: 'warning', isOpen: false }
  const { question } = run.problem ?? {}
  if (question) return { label: question.decision ? 'Decided' : 'Not decided', tone: 'neutral', isOpen: false }
  if (run.retry_at !== null && state.isOpen) return { label: 'Waits to retry', tone: 'warning', isOpen: true }
  return state
}

export const isWaitingForDecision = ({ waiting_for: wait }: Pick<TaskRun, 'waiting_for'>): boolean =>
  wait === 'decision'

export const isOpenRun = (run: Pick<TaskRun, 'status'>): boolean => STATUS_LABELS[run.status].isOpen

export const isBeingUndone = (run: Pick<TaskRun, 'undo'>): boolean => run.undo?.status === 'in_progress'

/** `Table 2 of 3: shop.orders`. */
export function formatUndo({ tables, tables_done: done, table }: NonNullable<TaskRun['undo']>): string {
  const of = `Table ${Math.min(done + 1, tables)} of ${tables}`
  return table === null ? formatCount(tables, 'table') : `${of}: ${table}`
}

/** Null before the start. */
export function getDurationMs(run: Pick<TaskRun, 'started_at' | 'finished_at'>, now: number): number | null {
  if (run.started_at === null) return null
  return (run.finished_at === null ? now : Date.parse(run.finished_at)) - Date.parse(run.started_at)
}

/** Null when on time. */
export function formatDelay(run: Pick<TaskRun, 'due_at' | 'started_at'>): string | null {
  if (run.started_at === null) return null
  const late = Date.parse(run.started_at) - Date.parse(run.due_at)
  return late >= 1000 ? `${formatDuration(late)} after it was due` : null
}

function formatOtherOutcomes({ rows_rejected: rejected, rows_merged: merged }: RunReceipt): string {
  const parts = [
    ...(rejected > 0 ? [`${wholeNumber(rejected)} rejected`] : []),
    ...(merged > 0 ? [`${wholeNumber(merged)} the same as others`] : []),
  ]
  return parts.map((item) => `, ${item}`).join('')
}

export function formatReceipt(receipt: RunReceipt, isLoading = false): string {
  const { rows_at_source: read, rows_at_destination: written } = receipt
  if (receipt.undone_at !== null)
    return `${formatCount(written, 'row')} had arrived and ${written === 1 ? 'was' : 'were'} rolled back.`
  const has = receipt.key_hash_at_source !== null && receipt.key_hash_at_destination !== null
  const sameKeys = has && receipt.key_hash_at_source === receipt.key_hash_at_destination
  if (receipt.is_whole) {
    if (read === 0 && written === 0) return 'There was nothing new to read.'
    const keys = sameKeys ? ', and the keys on both sides are the same' : ''
    return `Complete: ${formatCount(read, 'row')} at the source, ${wholeNumber(written)} here${formatOtherOutcomes(receipt)}${keys}.`
  }
  if (isLoading) return `So far ${formatCount(read, 'row')} read and ${wholeNumber(written)} here.`
  if (read === written && has && !sameKeys) {
    return `Incomplete: ${formatCount(read, 'row')} on both sides, but their keys differ.`
  }
  if (read === written) return `Incomplete: ${formatCount(read, 'row')} arrived, then the run ended before it was done.`
  const gap = Math.abs(read - written)
  const side =
    written < read
      ? `${formatCount(gap, 'row')} did not arrive`
      : `${formatCount(gap, 'row')} more arrived than were there`
  return `Incomplete: ${wholeNumber(read)} at the source, ${wholeNumber(written)} here. ${side}.`
}
