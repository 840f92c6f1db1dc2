import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeLog, ChangePiece, ChangeStream, TruncateChoice } from '@trellis/connector-kit/change-log'
import type { WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { type OpenChanges, openChanges } from '@trellis/loads/run/changes/apply-changes'
import { controlColumns } from '@trellis/loads/run/changes/merge-changes'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { Load } from '@trellis/loads/run/load'
import { toDeterministicId } from '../loads/load-id.ts'
import { toLoad } from '../loads/load-reading.ts'
import { formatEmptied } from '../row-words.ts'
import type { SubtaskLoad } from '../loads/subtask-load.ts'
import { RunFault } from '../../runner/run-work.ts'
import { toChangeChunk } from './change-lines.ts'

/** How often a cancellation is noticed while the stream is idle. */
const WAIT_MS = 1_000

/** A continuous run commits at most this often, as each commit has a fixed cost. */
const PACE_MS = 150
/** Saves the position without changes, so that the source can discard WAL. */
const IDLE_MS = 10_000
const TELL_MS = 60_000

interface ApplyStreamInput {
  /** The block's strategy; changes themselves are always merged by key. */
  readonly strategy: WriteStrategy
  readonly stream: ChangeStream
  readonly changeLog: ChangeLog
  readonly from: string
  /** Called between commits of a continuous run; null: ends at the initial end of the log. */
  readonly goesOn: (() => Promise<boolean>) | null
}

export async function applyStream(
  loading: SubtaskLoad,
  { stream, changeLog, from, goesOn, strategy }: ApplyStreamInput,
): Promise<{ newColumns: readonly string[] }> {
  const { work, session, subtask, table, source } = loading
  const load = await openChanges(session, toChangesLoad(loading))
  if (!load) {
    work.log('INFO', 'An earlier attempt had applied all changes already.', subtask.name)
    return { newColumns: [] }
  }
  assertSamePosition(load, from, subtask.name)
  const place = `${table.schema}.${table.table}`
  work.log('INFO', `Reading changes of ${source} behind ${from} into ${place}.`, subtask.name)
  const choice = changeLog.getTruncateChoice(subtask.query)
  const keepsTruncated = isTruncateIgnored(choice, strategy)
  const shape = { ...toShape(loading, stream, changeLog), keepsTruncated }
  const committed = noCounts()
  let pending = noCounts()
  const apply = async (piece: ChangePiece) => {
    const chunk = toChangeChunk(piece, shape)
    const appliedChanges = await load.apply(chunk)
    addCounts(pending, { ...appliedChanges, changes: piece.changes.length })
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
    addCounts(committed, pending)
    pending = noCounts()
    if (piece.position === undefined) return
    if (piece.changes.length > 0) work.committed(subtask.name)
    // After the commit: what is confirmed is not sent again.
    stream.confirm(piece.position)
  }
  let [isWhole, appliedAt] = [true, performance.now()]
  const tellProgress = goesOn ? createProgressLogger(loading, committed) : () => undefined
  for (let isOver = false; !isOver;) {
    work.signal.throwIfAborted()
    // Not within a transaction of the source.
    if (goesOn && isWhole && !(await goesOn())) break
    const piece = await stream.next(WAIT_MS)
    if (!piece) {
      if (stream.newColumns().length === 0) continue
      await load.rollBack()
      logCommitted(loading, committed)
      return { newColumns: stream.newColumns() }
    }
    const isEnd = piece.position !== undefined && changeLog.comparePositions(piece.position, stream.target) >= 0
    isOver = isEnd && goesOn === null
    const isIdle = goesOn !== null && performance.now() - appliedAt > IDLE_MS
    if (piece.changes.length === 0 && !isOver && !isIdle && isWhole) continue
    await apply(piece)
    isWhole = piece.position !== undefined
    if (goesOn && isWhole) await sleep(Math.max(0, PACE_MS - (performance.now() - appliedAt)))
    appliedAt = performance.now()
    tellProgress(appliedAt)
  }
  await load.finish()
  logApplied(loading, committed)
  return { newColumns: [] }
}

function toShape({ plan, subtask }: SubtaskLoad, { fields, key }: ChangeStream, changeLog: ChangeLog) {
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

const noCounts = () => Object.fromEntries(COUNTS.map((name) => [name, 0])) as ChangeCounts

function addCounts(sum: ChangeCounts, added: ChangeCounts): void {
  for (const name of COUNTS) sum[name] += added[name]
}

function createProgressLogger(loading: SubtaskLoad, countedChangeCounts: ChangeCounts): (now: number) => void {
  let logged = { changes: 0, at: performance.now() }
  return (now) => {
    if (countedChangeCounts.changes === logged.changes || now - logged.at <= TELL_MS) return
    logApplied(loading, countedChangeCounts)
    logged = { changes: countedChangeCounts.changes, at: now }
  }
}

/** Reading begins anew; what was committed before would not be told. */
function logCommitted(loading: SubtaskLoad, committed: ChangeCounts): void {
  if (committed.changes > 0) logApplied(loading, committed)
}

function logApplied({ work, subtask, table, deletedAt }: SubtaskLoad, countedChangeCounts: ChangeCounts): void {
  const number = (count: number) => count.toLocaleString('en')
  const { changes, inserted, updated, deleted, rejected, emptied, incomplete } = countedChangeCounts
  const removed = deletedAt === undefined ? 'deleted' : 'marked as deleted'
  const done = `${number(inserted)} rows inserted, ${number(updated)} updated, ${number(deleted)} ${removed} in ${table.schema}.${table.table}`
  const bad = rejected > 0 ? ` ${number(rejected)} did not fit and were rejected.` : ''
  work.log('INFO', `${number(changes)} changes read: ${done}.${bad}`, subtask.name)
  if (emptied > 0) work.log('WARNING', formatEmptied(emptied), subtask.name)
  if (incomplete > 0) {
    const lacking = `${number(incomplete)} rows were changed at the source that were not in the table any more; large values of them that did not change are missing.`
    work.log('WARNING', `${lacking} Run the block with all rows read again to have them.`, subtask.name)
  }
}

const isTruncateIgnored = (choice: TruncateChoice, strategy: WriteStrategy): boolean =>
  choice === 'keep' || (choice === 'write_mode' && strategy === 'Upsert')

function logTruncated(
  { work, subtask, table, deletedAt }: SubtaskLoad,
  { piece, keepsTruncated, choice }: { piece: ChangePiece; keepsTruncated: boolean; choice: TruncateChoice },
): void {
  if (!piece.changes.some(({ kind }) => kind === 'truncate')) return
  const place = `${table.schema}.${table.table}`
  const tell = (level: 'INFO' | 'WARNING', text: string) =>
    work.log(level, `The source table was truncated. ${text}`, subtask.name)
  if (!keepsTruncated)
    tell('INFO', `All rows of ${place} were ${deletedAt === undefined ? 'deleted' : 'marked as deleted'}.`)
  else if (choice === 'keep') tell('INFO', `The rows of ${place} stay, as chosen in the query.`)
  else {
    const why = `The rows of ${place} stay, because with Upsert it is not known which of them came from the source.`
    tell('WARNING', `${why} Choose in the query what happens when the source table is truncated.`)
  }
}

function toChangesLoad(loading: SubtaskLoad): Load {
  const { plan, work, subtask } = loading
  const key = plan.wanted.primaryKey.flatMap((name) => plan.columns.filter((column) => column.name === name))
  const columns: readonly WrittenColumn[] = [...plan.columns, ...controlColumns(toLogOrder(key, loading))]
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
function logEachOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return (text) => {
    if (told.has(text)) return
    told.add(text)
    tell(text)
  }
}

const toLogOrder = (key: readonly WrittenColumn[], { given }: SubtaskLoad): readonly WrittenColumn[] =>
  given.key.flatMap((field) => key.filter((column) => column.field === field))
