import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeLog, ChangePiece, ChangeStream, TruncateChoice } from '@trellis/connector-kit/change-log'
import type { WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { type OpenChanges, openChanges } from '@trellis/loads/run/changes/apply-changes'
import { buildControlColumns } from '@trellis/loads/run/changes/merge-changes'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { Load } from '@trellis/loads/run/load'
import { toDeterministicId } from '../loads/load-id.ts'
import { toLoad } from '../loads/load-reading.ts'
import { formatEmptiedValues } from '../row-words.ts'
import type { SubtaskLoad } from '../loads/subtask-load.ts'
import { RunFault } from '../../runner/run-work.ts'
import { toChangeChunk } from './change-lines.ts'

/** How often a cancellation is noticed while the stream is idle. */
const STREAM_WAIT_MS = 1_000

/** A continuous run commits at most this often, as each commit has a fixed cost. */
const MIN_COMMIT_INTERVAL_MS = 150
/** Saves the position without changes, so that the source can discard WAL. */
const IDLE_SAVE_INTERVAL_MS = 10_000
const PROGRESS_LOG_INTERVAL_MS = 60_000

interface ApplyStreamInput {
  /** The block's strategy; changes themselves are always merged by key. */
  readonly strategy: WriteStrategy
  readonly stream: ChangeStream
  readonly changeLog: ChangeLog
  readonly from: string
  /** Called between commits of a continuous run; null: ends at the initial end of the log. */
  readonly canContinue: (() => Promise<boolean>) | null
}

export async function applyStream(
  loading: SubtaskLoad,
  { stream, changeLog, from, canContinue, strategy }: ApplyStreamInput,
): Promise<{ newColumns: readonly string[] }> {
  const { work, session, subtask, table, source } = loading
  const load = await openChanges(session, toChangesLoad(loading))
  if (!load) {
    work.log('INFO', 'An earlier attempt had applied all changes already.', subtask.name)
    return { newColumns: [] }
  }
  assertSamePosition(load, from, subtask.name)
  const tableName = `${table.schema}.${table.table}`
  work.log('INFO', `Reading changes of ${source} behind ${from} into ${tableName}.`, subtask.name)
  const choice = changeLog.getTruncateChoice(subtask.query)
  const keepsTruncated = isTruncateIgnored(choice, strategy)
  const shape = { ...toLineShape(loading, stream, changeLog), keepsTruncated }
  const committedCounts = createCounts()
  let pendingCounts = createCounts()
  const applyPiece = async (piece: ChangePiece) => {
    const chunk = toChangeChunk(piece, shape)
    const appliedChanges = await load.apply(chunk)
    addCounts(pendingCounts, { ...appliedChanges, changes: piece.changes.length })
    logTruncated(loading, { piece, keepsTruncated, choice })
    const bytes = chunk.parts.reduce((sum, part) => sum + part.byteLength, 0)
    work.count({ rows_read: piece.changes.length, bytes }, subtask.name)
    work.count(
      {
        rows_written: appliedChanges.inserted,
        rows_updated: appliedChanges.updated + appliedChanges.deleted,
        rows_rejected: appliedChanges.rejected,
      },
      subtask.name,
    )
    if (!appliedChanges.isCommitted) return
    addCounts(committedCounts, pendingCounts)
    pendingCounts = createCounts()
    if (piece.position === undefined) return
    if (piece.changes.length > 0) work.markCommitted(subtask.name)
    // After the commit: what is confirmed is not sent again.
    stream.confirm(piece.position)
  }
  let [isBetweenTransactions, lastAppliedAt] = [true, performance.now()]
  const logProgress = canContinue ? createProgressLogger(loading, committedCounts) : () => undefined
  for (let isOver = false; !isOver;) {
    work.signal.throwIfAborted()
    // Not within a transaction of the source.
    if (canContinue && isBetweenTransactions && !(await canContinue())) break
    const piece = await stream.next(STREAM_WAIT_MS)
    if (!piece) {
      if (stream.newColumns().length === 0) continue
      await load.rollBack()
      logCommitted(loading, committedCounts)
      return { newColumns: stream.newColumns() }
    }
    const isAtTarget = piece.position !== undefined && changeLog.comparePositions(piece.position, stream.target) >= 0
    isOver = isAtTarget && canContinue === null
    const isIdle = canContinue !== null && performance.now() - lastAppliedAt > IDLE_SAVE_INTERVAL_MS
    if (piece.changes.length === 0 && !isOver && !isIdle && isBetweenTransactions) continue
    await applyPiece(piece)
    isBetweenTransactions = piece.position !== undefined
    if (canContinue && isBetweenTransactions)
      await sleep(Math.max(0, MIN_COMMIT_INTERVAL_MS - (performance.now() - lastAppliedAt)))
    lastAppliedAt = performance.now()
    logProgress(lastAppliedAt)
  }
  await load.finish()
  logApplied(loading, committedCounts)
  return { newColumns: [] }
}

function toLineShape({ plan, subtask }: SubtaskLoad, { fields, key }: ChangeStream, changeLog: ChangeLog) {
  const deletedAt = changeLog.marksDeletes(subtask.query) ? changeLog.deletedAtField : null
  return { fields: fields.map(({ name }) => name), key, columns: plan.columns, deletedAt }
}

/** Read again after fencing: an earlier worker may have advanced it. */
function assertSamePosition({ cursor }: OpenChanges, from: string, subtask: string): void {
  const { position } = (cursor ?? {}) as { position?: unknown }
  if (position === from) return
  throw new RunFault('transient', 'Another worker has applied changes in the meantime.', { subtask })
}

const COUNTS = ['changes', 'inserted', 'updated', 'deleted', 'rejected', 'emptied', 'incomplete'] as const
type ChangeCounts = Record<(typeof COUNTS)[number], number>

const createCounts = () => Object.fromEntries(COUNTS.map((name) => [name, 0])) as ChangeCounts

function addCounts(sum: ChangeCounts, added: ChangeCounts): void {
  for (const name of COUNTS) sum[name] += added[name]
}

function createProgressLogger(loading: SubtaskLoad, counts: ChangeCounts): (now: number) => void {
  let lastLogged = { changes: 0, at: performance.now() }
  return (now) => {
    if (counts.changes === lastLogged.changes || now - lastLogged.at <= PROGRESS_LOG_INTERVAL_MS) return
    logApplied(loading, counts)
    lastLogged = { changes: counts.changes, at: now }
  }
}

/** Reading begins anew; what was committed before would not be told. */
function logCommitted(loading: SubtaskLoad, committedCounts: ChangeCounts): void {
  if (committedCounts.changes > 0) logApplied(loading, committedCounts)
}

function logApplied({ work, subtask, table, deletedAt }: SubtaskLoad, counts: ChangeCounts): void {
  const formatNumber = (count: number) => count.toLocaleString('en')
  const { changes, inserted, updated, deleted, rejected, emptied, incomplete } = counts
  const removedVerb = deletedAt === undefined ? 'deleted' : 'marked as deleted'
  const changesText = `${formatNumber(inserted)} rows inserted, ${formatNumber(updated)} updated, ${formatNumber(deleted)} ${removedVerb} in ${table.schema}.${table.table}`
  const rejectedText = rejected > 0 ? ` ${formatNumber(rejected)} did not fit and were rejected.` : ''
  work.log('INFO', `${formatNumber(changes)} changes read: ${changesText}.${rejectedText}`, subtask.name)
  if (emptied > 0) work.log('WARNING', formatEmptiedValues(emptied), subtask.name)
  if (incomplete > 0) {
    const incompleteText = `${formatNumber(incomplete)} rows were changed at the source that were not in the table any more; large values of them that did not change are missing.`
    work.log('WARNING', `${incompleteText} Run the block with all rows read again to have them.`, subtask.name)
  }
}

const isTruncateIgnored = (choice: TruncateChoice, strategy: WriteStrategy): boolean =>
  choice === 'keep' || (choice === 'write_mode' && strategy === 'Upsert')

function logTruncated(
  { work, subtask, table, deletedAt }: SubtaskLoad,
  { piece, keepsTruncated, choice }: { piece: ChangePiece; keepsTruncated: boolean; choice: TruncateChoice },
): void {
  if (!piece.changes.some(({ kind }) => kind === 'truncate')) return
  const tableName = `${table.schema}.${table.table}`
  const log = (level: 'INFO' | 'WARNING', text: string) =>
    work.log(level, `The source table was truncated. ${text}`, subtask.name)
  if (!keepsTruncated)
    log('INFO', `All rows of ${tableName} were ${deletedAt === undefined ? 'deleted' : 'marked as deleted'}.`)
  else if (choice === 'keep') log('INFO', `The rows of ${tableName} stay, as chosen in the query.`)
  else {
    const reason = `The rows of ${tableName} stay, because with Upsert it is not known which of them came from the source.`
    log('WARNING', `${reason} Choose in the query what happens when the source table is truncated.`)
  }
}

function toChangesLoad(loading: SubtaskLoad): Load {
  const { plan, work, subtask } = loading
  const key = plan.wanted.primaryKey.flatMap((name) => plan.columns.filter((column) => column.name === name))
  const columns: readonly WrittenColumn[] = [...plan.columns, ...buildControlColumns(toLogOrder(key, loading))]
  const phases = plan.phases.map((phase) => ({
    ...phase,
    steps: phase.steps.map((step) => (step.do === 'create_stage' ? { ...step, columns } : step)),
  }))
  const load = toLoad({ ...loading, plan: { ...plan, phases: phases as never, columns: columns as never } })
  return {
    ...load,
    onStatement: logEachOnce((text) => load.onStatement?.(text)),
    key: toLogOrder(key, loading).map(({ name }) => name),
    loadId: toDeterministicId('changes', work.run.rootCode, subtask.name),
    isIncremental: true,
  }
}

/** Deduplicates log lines: a continuous run repeats statements several times a second. */
function logEachOnce(log: (text: string) => void): (text: string) => void {
  const loggedTexts = new Set<string>()
  return (text) => {
    if (loggedTexts.has(text)) return
    loggedTexts.add(text)
    log(text)
  }
}

const toLogOrder = (key: readonly WrittenColumn[], { sourceKeyAndCursor }: SubtaskLoad): readonly WrittenColumn[] =>
  sourceKeyAndCursor.key.flatMap((field) => key.filter((column) => column.field === field))
