import { formatDuration } from '@trellis/dataflow-engine/schedules/in-words'
import type { Alert, AlertKind, AlertRun } from './alerts.repository.ts'

export type NotifiedAlertKind = AlertKind | 'test'

const formatUtc = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export function formatSubject(
  kind: NotifiedAlertKind,
  {
    dataflow_name,
    block_name,
    problem,
  }: Pick<AlertRun, 'dataflow_name' | 'block_name'> & Partial<Pick<AlertRun, 'problem'>>,
) {
  if (kind === 'test') return `A test for "${dataflow_name}"`
  const blockName = `"${block_name}" in "${dataflow_name}"`
  if (kind === 'failure' && problem?.question) return `"${dataflow_name}" needs a decision at "${block_name}"`
  if (kind === 'failure') return `"${dataflow_name}" failed at "${block_name}"`
  if (kind === 'columns_changed') return `${blockName} followed changed columns`
  if (kind === 'slot_dropped') return `${blockName} lost its replication slot`
  return kind === 'recovery' ? `${blockName} works again` : `${blockName} is later than usual`
}

export function formatSentences({ kind, detail }: Alert, run: AlertRun, now: Date): string[] {
  if (detail !== '') return [detail]
  if (kind === 'recovery') {
    const reason = run.is_decided ? 'its changed columns were decided on' : 'it had failed before'
    return [`It succeeded on ${formatUtc(run.finished_at ?? now)}, after ${reason}.`]
  }
  if (kind === 'later_than_usual') {
    const startedAt = run.started_at
    if (!startedAt)
      return [`It was due on ${formatUtc(run.due_at)} and has not begun ${formatWait(run.due_at, now)} later.`]
    const endedAt = run.finished_at ?? now
    const lastsText = run.finished_at ? 'lasted' : 'has been running for'
    return [
      `It was due on ${formatUtc(run.due_at)}, began ${formatWait(run.due_at, startedAt)} later and ${lastsText} ${formatWait(startedAt, endedAt)}.`,
      'That is more than nearly all of its latest runs took.',
    ]
  }
  const { problem } = run
  return [
    `It ${problem?.question ? 'paused' : 'failed'} on ${formatUtc(run.finished_at ?? now)}.`,
    problem?.message ?? 'It ended without saying why.',
    ...(problem?.advice ? [problem.advice] : []),
  ]
}

const formatWait = (start: Date, end: Date) => formatDuration(end.getTime() - start.getTime())

const buildRunUrl = (publicUrl: string, run: AlertRun): string =>
  `${buildFlowUrl(publicUrl, run)}/task/${run.block_code}/log/${run.code}/details`

/** Links failures to the flow run, other alerts to the block run; slots to none. */
export function getAlertUrl(publicUrl: string, run: AlertRun, kind: AlertKind): string {
  if (kind === 'slot_dropped') return buildFlowUrl(publicUrl, run)
  return kind === 'failure' && run.flow_run_code !== null
    ? `${buildFlowUrl(publicUrl, run)}/logs/${run.flow_run_code}`
    : buildRunUrl(publicUrl, run)
}

export const buildFlowUrl = (
  publicUrl: string,
  address: Pick<AlertRun, 'account_code' | 'workspace_address' | 'dataflow_code'>,
): string =>
  `${publicUrl}/${address.account_code}/${address.workspace_address}/dataflow/${address.dataflow_code}/editor`
