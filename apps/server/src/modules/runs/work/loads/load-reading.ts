import { type OpenLoad, openLoad } from '@trellis/loads/run/execute'
import { getComparison } from '@trellis/loads/run/shadow/save-comparison'
import { FieldsRevised } from '@trellis/connector-kit/fields-revised'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { detachBuffer } from '@trellis/connector-kit/detach-buffer'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type Load, RowsRefused } from '@trellis/loads/run/load'
import { buildDuplicateCheck, isIncrementalRead } from './reread-rule.ts'
import { formatEmptiedValues, formatRowCount } from '../row-words.ts'
import { CHUNK_LIMITS, toChunks } from './chunks.ts'
import { toLoadId, computeReadFingerprint, toWriterName } from './load-id.ts'
import { toDryRunLoad } from './shadow-load.ts'
import type { SubtaskLoad } from './subtask-load.ts'
import { type LoadProgress, findProgress } from '@trellis/loads/run/progress'
import { type LoadTotals, RunFault, type RunWork } from '../../runner/run-work.ts'

const MODE_BY_STRATEGY = { Append: 'append', Replace: 'replace', Upsert: 'upsert' } as const

/** Loads chunk by chunk; resumes after what earlier attempts committed. */
export async function loadReading(plannedLoad: SubtaskLoad): Promise<void> {
  const subtaskLoad = plannedLoad.work.run.request.is_shadow ? await toDryRunLoad(plannedLoad) : plannedLoad
  const { work, session, subtask, write } = subtaskLoad
  const { name } = subtask
  const tableName = formatTargetTable(subtaskLoad)
  const newLoad = toLoad(subtaskLoad)
  const load = await openLoad(session, newLoad)
  await reportEarlierProgress(subtaskLoad, load ?? newLoad)
  if (!load) {
    const earlierAction = subtaskLoad.shadow ? 'compared everything with' : 'loaded everything into'
    work.log('INFO', `An earlier attempt had ${earlierAction} ${tableName} already.`, name)
    return
  }
  const { discarded } = load
  // An earlier attempt was planned with the whole source.
  const isContinued = load.cursor !== null || load.isRead || discarded !== undefined
  if (subtaskLoad.isProvisional && isContinued) throw new FieldsRevised()
  if (discarded) work.log('WARNING', formatDiscarded(discarded), name)
  const { rowsRead, rows: rowsBefore } = load.progress
  if (rowsRead > 0) {
    work.log('INFO', `Going on behind ${formatRowCount(rowsRead)} that an earlier attempt loaded.`, name)
  }
  if (load.isRead) work.log('INFO', 'Everything was read before; the table is finished now.', name)
  const writtenRows = load.isRead ? 0 : await copyOrDelete(subtaskLoad, load)
  if (write.strategy === 'Replace')
    work.log('INFO', subtaskLoad.shadow ? `Comparing with ${tableName}.` : `Building the new ${tableName}.`, name)
  const progress = await load.finish()
  work.markCommitted(name)
  // Appended rows that had to be deduplicated are added at the end.
  const lateRows = write.strategy === 'Append' ? progress.rows - rowsBefore - writtenRows : 0
  if (lateRows > 0) work.count({ rows_written: lateRows }, name)
  logDone(subtaskLoad, progress)
  if (subtaskLoad.shadow) await logComparison(subtaskLoad)
}

const formatDiscarded = (rows: number): string =>
  `What is read or where it goes was changed since an earlier attempt: ${formatDeletedRows(rows)}`

const formatDeletedRows = (rows: number): string =>
  `${formatRowCount(rows)} ${rows === 1 ? 'was' : 'were'} taken out again, and everything is read from its beginning.`

function logDone(subtaskLoad: SubtaskLoad, progress: LoadProgress): void {
  const { work, subtask } = subtaskLoad
  const tableName = formatTargetTable(subtaskLoad)
  const rejectedText =
    progress.rejected > 0 ? ` ${formatRowCount(progress.rejected)} did not fit and were rejected.` : ''
  const updatedText = progress.updated > 0 ? `, ${formatRowCount(progress.updated)} of them changed` : ''
  const writtenText = subtaskLoad.shadow
    ? `compared with ${tableName}, which was left as it is`
    : `${formatRowCount(progress.rows)} written to ${tableName}${updatedText}`
  work.log('INFO', `${formatRowCount(progress.rowsRead)} read, ${writtenText}.${rejectedText}`, subtask.name)
}

/** Tells the run's counters what earlier attempts have committed. */
async function reportEarlierProgress(subtaskLoad: SubtaskLoad, load: OpenLoad | Load): Promise<void> {
  const { work, session, subtask } = subtaskLoad
  const earlierProgress = 'progress' in load ? load.progress : await findProgress(session, load.loadId)
  if (earlierProgress) work.setLoadTotals(toTotals(earlierProgress, subtaskLoad), subtask.name)
}

const toTotals = (
  { rowsRead, rows, updated: updatedText, rejected: rejectedText }: LoadProgress,
  { shadow }: SubtaskLoad,
): LoadTotals => ({
  rows_read: rowsRead,
  rows_written: shadow ? 0 : rows - updatedText,
  rows_updated: shadow ? 0 : updatedText,
  rows_rejected: rejectedText,
})

async function logComparison({ work, session, subtask }: SubtaskLoad): Promise<void> {
  const comparison = await getComparison(session, toLoadId(work.run.rootCode, subtask.name))
  const counts = [
    [comparison.added, 'new'],
    [comparison.changed, 'changed'],
    [comparison.gone, 'gone'],
    [comparison.same, 'the same'],
  ] as const
  const countTexts = counts.filter(([rows]) => rows > 0).map(([rows, word]) => `${rows.toLocaleString('en')} ${word}`)
  work.log(
    'INFO',
    `The table would have: ${countTexts.length > 0 ? countTexts.join(', ') : 'nothing new'}.`,
    subtask.name,
  )
}

const formatTargetTable = ({ shadow, table }: SubtaskLoad) =>
  `${(shadow?.comparedTable ?? table).schema}.${(shadow?.comparedTable ?? table).table}`

/** A load stopped for rejected rows also deletes what it committed before. */
async function copyOrDelete(subtaskLoad: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask, table } = subtaskLoad
  if (subtaskLoad.isProvisional) return await copyProvisional(subtaskLoad, load)
  try {
    return await copyChunks(subtaskLoad, load)
  } catch (error) {
    if (error instanceof SourceChanged && !work.signal.aborted) throw await discardForReread(subtaskLoad, load, error)
    if (!(error instanceof RowsRefused) || work.signal.aborted) throw error
    const tableName = `${table.schema}.${table.table}`
    try {
      const rows = await load.deleteCommitted()
      if (rows > 0)
        work.log(
          'WARNING',
          `${formatRowCount(rows)} written before were taken out of ${tableName} again.`,
          subtask.name,
        )
    } catch (fault) {
      if (!(fault instanceof WorkspaceDbError)) throw fault
      work.log('WARNING', `What was written to ${tableName} before stays there. ${fault.message}`, subtask.name)
    }
    throw error
  }
}

/** The subtask is planned anew, since the changed source may have other fields. */
async function discardForReread(
  subtaskLoad: SubtaskLoad,
  load: OpenLoad,
  changed: SourceChanged,
): Promise<FieldsRevised> {
  const { message } = changed
  const { work, subtask, shadow } = subtaskLoad
  const { name } = subtask
  const tableName = formatTargetTable(subtaskLoad)
  if (shadow && load.cursor === null) {
    throw new RunFault('configuration', `${message}. The next run that loads reads all of it anew.`, { subtask: name })
  }
  try {
    work.log('WARNING', `${message}: ${formatDeletedRows(await load.discard())}`, name)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') throw error
    const fault = `${message}, and what was loaded of it into ${tableName} can't be taken out. ${error.message}`
    const advice = `Delete those rows from ${tableName} yourself, then start a new run with “Full refresh”.`
    throw new RunFault('configuration', fault, { advice, subtask: name, cause: error })
  }
  work.setLoadTotals({ rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0 }, name)
  return new FieldsRevised(undefined, { cause: changed })
}

/** Counters are reset with the rows: rows rejected now may fit other columns. */
async function copyProvisional(subtaskLoad: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask } = subtaskLoad
  const countedProgress = { rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0, bytes: 0 }
  const names = Object.keys(countedProgress) as (keyof typeof countedProgress)[]
  const count: RunWork['count'] = (progress, name) => {
    for (const item of names) countedProgress[item] += progress[item] ?? 0
    work.count(progress, name)
  }
  try {
    return await copyChunks({ ...subtaskLoad, work: { ...work, count } }, load)
  } catch (error) {
    const isChanged = error instanceof SourceChanged
    const needsRevision = isChanged || error instanceof FieldsRevised || error instanceof RowsRefused
    if (!needsRevision || work.signal.aborted) throw error
    work.count(Object.fromEntries(names.map((name) => [name, -countedProgress[name]])), subtask.name)
    throw error instanceof FieldsRevised
      ? error
      : new FieldsRevised(undefined, isChanged ? { cause: error } : undefined)
  }
}

/** Reads the source behind the cursor and writes its chunks. Returns the number of rows written. */
async function copyChunks(subtaskLoad: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask, plan, read, source, write, shadow } = subtaskLoad
  const { name } = subtask
  const sinceText = load.cursor !== null && load.progress.rowsRead === 0 ? ' what is new since the last run' : ''
  const goalText = shadow
    ? `to compare it with ${formatTargetTable(subtaskLoad)}`
    : `into ${formatTargetTable(subtaskLoad)} (${write.strategy})`
  work.log('INFO', `Reading${sinceText} from ${source} ${goalText}.`, name)
  const limits = { ...CHUNK_LIMITS, rows: work.ctx.ports.config.loadRows }
  const reading = await read(load.cursor)
  // The source changed since the load was planned: nothing verifies its fields any more.
  if (subtaskLoad.isProvisional && !reading.isProvisional) throw new FieldsRevised(reading.found)
  const chunks = toChunks(reading.batches, { fields: reading.fields, columns: plan.columns, limits })
  let totalWritten = 0
  let totalEmptied = 0
  for await (const chunk of chunks) {
    work.signal.throwIfAborted()
    const { read: rows, bytes, written, updated, rejected, emptied, isCommitted } = await load.write(chunk)
    for (const part of chunk.parts) detachBuffer(part)
    totalWritten += written
    totalEmptied += emptied
    work.count({ rows_read: rows, bytes }, name)
    const writtenCounts = shadow ? {} : { rows_written: written - updated, rows_updated: updated }
    work.count({ ...writtenCounts, rows_rejected: rejected }, name)
    if (isCommitted && rows > 0) {
      work.markCommitted(name)
      work.log('DEBUG', `${formatRowCount(written)} committed, ${rejected.toLocaleString('en')} rejected.`, name)
    }
  }
  if (totalEmptied > 0) work.log('WARNING', formatEmptiedValues(totalEmptied), name)
  return totalWritten
}

export function toLoad(subtaskLoad: SubtaskLoad): Load {
  const { work, subtask, write, plan, table, source, integrationCode } = subtaskLoad
  const { run, block } = work
  return {
    writer: toWriterName({ block, run }, subtask.name),
    epoch: run.epoch,
    loadId: subtaskLoad.loadId ?? toLoadId(run.rootCode, subtask.name),
    table,
    mode: MODE_BY_STRATEGY[write.strategy],
    phases: plan.phases,
    columns: plan.columns,
    key: plan.wanted.primaryKey,
    proofKey: plan.proofKey,
    ...(subtaskLoad.deletedAt !== undefined && !subtaskLoad.shadow && { deletedAt: subtaskLoad.deletedAt }),
    badRows: write.bad_rows,
    reads: subtaskLoad.reads ?? computeReadFingerprint(subtask, { integrationCode, columns: plan.columns }),
    ...(subtaskLoad.isProvisional && { isProvisional: true }),
    isIncremental: isIncrementalRead(subtaskLoad) && write.strategy !== 'Replace',
    duplicateCheck: buildDuplicateCheck(subtaskLoad),
    shadow: subtaskLoad.shadow ?? null,
    mergeRows: 3 * work.ctx.ports.config.loadRows,
    origin: {
      runCode: run.rootCode,
      subtask: subtask.name,
      source: `${block.name}: ${subtask.name} from ${source}`,
      by: null,
      window: run.request.window ?? null,
    },
    onStatement: (text) => work.log('DEBUG', text, subtask.name),
  }
}
