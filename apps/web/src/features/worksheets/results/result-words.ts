import type { SqlJob, Statement } from '@trellis/contract/sql/sql.schemas'
import { formatDuration } from '../../../ui/data/durations.ts'
import { type LoadedRows, MAX_BROWSER_ROWS } from './result-rows.queries.ts'

type Tone = 'neutral' | 'success' | 'danger' | 'warning' | 'info'

export const STATEMENT_STATES: Record<Statement['status'], { tone: Tone; text: string }> = {
  waiting: { tone: 'neutral', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  completed: { tone: 'success', text: 'Completed' },
  failed: { tone: 'danger', text: 'Failed' },
  cancelled: { tone: 'warning', text: 'Cancelled' },
  skipped: { tone: 'neutral', text: 'Skipped' },
}

const count = (rows: number) => `${rows.toLocaleString('en-GB')} ${rows === 1 ? 'row' : 'rows'}`

export function describeResult(
  job: SqlJob,
  { status, command, rows, cut_at, duration_ms, columns }: Statement,
): string {
  if (job.status === 'queued') return 'Waiting for a free connection'
  if (status !== 'completed') return `${STATEMENT_STATES[status].text}${rows > 0 ? ` · ${count(rows)} so far` : ''}`
  const amount = columns || /^(?:INSERT|UPDATE|DELETE|MERGE|COPY)/.test(command ?? '') ? count(rows) : (command ?? '')
  const cut =
    cut_at === 'rows'
      ? ` (row limit ${job.row_limit.toLocaleString('en-GB')} reached)`
      : cut_at
        ? ' (size limit reached)'
        : ''
  return `${amount}${cut}${duration_ms === null ? '' : ` · ${formatDuration(duration_ms)}`}`
}

export function describeLoaded(
  { rows, keptRows, isLoading, problem }: Pick<LoadedRows, 'rows' | 'keptRows' | 'isLoading' | 'problem'>,
  { cut_at }: Pick<Statement, 'cut_at'>,
): string {
  if (problem !== null) return `${rows.length.toLocaleString('en-GB')} rows loaded. ${problem}`
  const cut = cut_at === null ? '' : ` The query has more rows: its result was cut at ${count(keptRows)}.`
  if (rows.length >= keptRows) return `All ${count(keptRows)} of the result.${cut}`
  const loaded = `${rows.length.toLocaleString('en-GB')} of ${count(keptRows)}`
  if (isLoading) return `Loading rows: ${loaded}.`
  const limit = keptRows > MAX_BROWSER_ROWS ? ` A browser loads up to ${MAX_BROWSER_ROWS.toLocaleString('en-GB')}.` : ''
  return `${loaded} loaded.${limit}${cut}`
}
