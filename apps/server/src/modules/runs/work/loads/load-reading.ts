import { type OpenLoad, openLoad } from '@trellis/loads/run/execute'
import { getComparison } from '@trellis/loads/run/shadow/save-comparison'
import { FieldsRevised } from '@trellis/connector-kit/fields-revised'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { detachBuffer } from '@trellis/connector-kit/detach-buffer'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type Load, RowsRefused } from '@trellis/loads/run/load'
import { buildRereadRule, isFollowing } from './reread-rule.ts'
import { formatEmptied, formatRowCount } from '../row-words.ts'
import { CHUNK_LIMITS, toChunks } from './chunks.ts'
import { toLoadId, computeReadFingerprint, toWriterName } from './load-id.ts'
import { toShadowLoad } from './shadow-load.ts'
import type { SubtaskLoad } from './subtask-load.ts'
import { type LoadProgress, findProgress } from '@trellis/loads/run/progress'
import { type LoadTotals, RunFault, type RunWork } from '../../runner/run-work.ts'

const MODES = { Append: 'append', Replace: 'replace', Upsert: 'upsert' } as const

/** Loads chunk by chunk; resumes after what earlier attempts committed. */
export async function loadReading(givenSubtaskLoad: SubtaskLoad): Promise<void> {
  const loading = givenSubtaskLoad.work.run.request.is_shadow ? await toShadowLoad(givenSubtaskLoad) : givenSubtaskLoad
  const { work, session, subtask, write } = loading
  const { name } = subtask
  const place = formatTable(loading)
  const toDo = toLoad(loading)
  const load = await openLoad(session, toDo)
  await countBefore(loading, load ?? toDo)
  if (!load) {
    const did = loading.shadow ? 'compared everything with' : 'loaded everything into'
    work.log('INFO', `An earlier attempt had ${did} ${place} already.`, name)
    return
  }
  const { discarded } = load
  // An earlier attempt was planned with the whole source.
  const isContinued = load.cursor !== null || load.isRead || discarded !== undefined
  if (loading.isProvisional && isContinued) throw new FieldsRevised()
  if (discarded) work.log('WARNING', formatDiscarded(discarded), name)
  const { rowsRead, rows: rowsBefore } = load.progress
  if (rowsRead > 0) {
    work.log('INFO', `Going on behind ${formatRowCount(rowsRead)} that an earlier attempt loaded.`, name)
  }
  if (load.isRead) work.log('INFO', 'Everything was read before; the table is finished now.', name)
  const added = load.isRead ? 0 : await copyOrTakeBack(loading, load)
  if (write.strategy === 'Replace')
    work.log('INFO', loading.shadow ? `Comparing with ${place}.` : `Building the new ${place}.`, name)
  const done = await load.finish()
  work.committed(name)
  // Appended rows that had to be deduplicated are added at the end.
  const late = write.strategy === 'Append' ? done.rows - rowsBefore - added : 0
  if (late > 0) work.count({ rows_written: late }, name)
  logDone(loading, done)
  if (loading.shadow) await logComparison(loading)
}

const formatDiscarded = (rows: number): string =>
  `What is read or where it goes was changed since an earlier attempt: ${formatTakenOut(rows)}`

const formatTakenOut = (rows: number): string =>
  `${formatRowCount(rows)} ${rows === 1 ? 'was' : 'were'} taken out again, and everything is read from its beginning.`

function logDone(loading: SubtaskLoad, done: LoadProgress): void {
  const { work, subtask } = loading
  const place = formatTable(loading)
  const rejected = done.rejected > 0 ? ` ${formatRowCount(done.rejected)} did not fit and were rejected.` : ''
  const updated = done.updated > 0 ? `, ${formatRowCount(done.updated)} of them changed` : ''
  const written = loading.shadow
    ? `compared with ${place}, which was left as it is`
    : `${formatRowCount(done.rows)} written to ${place}${updated}`
  work.log('INFO', `${formatRowCount(done.rowsRead)} read, ${written}.${rejected}`, subtask.name)
}

async function countBefore(loading: SubtaskLoad, load: OpenLoad | Load): Promise<void> {
  const { work, session, subtask } = loading
  const before = 'progress' in load ? load.progress : await findProgress(session, load.loadId)
  if (before) work.resumed(toTotals(before, loading), subtask.name)
}

const toTotals = ({ rowsRead, rows, updated, rejected }: LoadProgress, { shadow }: SubtaskLoad): LoadTotals => ({
  rows_read: rowsRead,
  rows_written: shadow ? 0 : rows - updated,
  rows_updated: shadow ? 0 : updated,
  rows_rejected: rejected,
})

async function logComparison({ work, session, subtask }: SubtaskLoad): Promise<void> {
  const comparison = await getComparison(session, toLoadId(work.run.rootCode, subtask.name))
  const counts = [
    [comparison.added, 'new'],
    [comparison.changed, 'changed'],
    [comparison.gone, 'gone'],
    [comparison.same, 'the same'],
  ] as const
  const told = counts.filter(([rows]) => rows > 0).map(([rows, word]) => `${rows.toLocaleString('en')} ${word}`)
  work.log('INFO', `The table would have: ${told.length > 0 ? told.join(', ') : 'nothing new'}.`, subtask.name)
}

const formatTable = ({ shadow, table }: SubtaskLoad) => `${(shadow?.of ?? table).schema}.${(shadow?.of ?? table).table}`

/** A load stopped for rejected rows also deletes what it committed before. */
async function copyOrTakeBack(loading: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask, table } = loading
  if (loading.isProvisional) return await copyProvisional(loading, load)
  try {
    return await copyChunks(loading, load)
  } catch (error) {
    if (error instanceof SourceChanged && !work.signal.aborted) throw await discardForReread(loading, load, error)
    if (!(error instanceof RowsRefused) || work.signal.aborted) throw error
    const place = `${table.schema}.${table.table}`
    try {
      const rows = await load.deleteCommitted()
      if (rows > 0)
        work.log('WARNING', `${formatRowCount(rows)} written before were taken out of ${place} again.`, subtask.name)
    } catch (fault) {
      if (!(fault instanceof WorkspaceDbError)) throw fault
      work.log('WARNING', `What was written to ${place} before stays there. ${fault.message}`, subtask.name)
    }
    throw error
  }
}

/** The subtask is planned anew, since the changed source may have other fields. */
async function discardForReread(
  loading: SubtaskLoad,
  load: OpenLoad,
  { message }: SourceChanged,
): Promise<FieldsRevised> {
  const { work, subtask, shadow } = loading
  const { name } = subtask
  const place = formatTable(loading)
  if (shadow && load.cursor === null) {
    throw new RunFault('configuration', `${message}. The next run that loads reads all of it anew.`, { subtask: name })
  }
  try {
    work.log('WARNING', `${message}: ${formatTakenOut(await load.discard())}`, name)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') throw error
    const fault = `${message}, and what was loaded of it into ${place} can't be taken out. ${error.message}`
    const advice = `Delete those rows from ${place} yourself, then start a new run with “Full refresh”.`
    throw new RunFault('configuration', fault, { advice, subtask: name, cause: error })
  }
  work.resumed({ rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0 }, name)
  return new FieldsRevised()
}

/** Counters are reset with the rows: rows rejected now may fit other columns. */
async function copyProvisional(loading: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask } = loading
  const counted = { rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0, bytes: 0 }
  const names = Object.keys(counted) as (keyof typeof counted)[]
  const count: RunWork['count'] = (progress, name) => {
    for (const item of names) counted[item] += progress[item] ?? 0
    work.count(progress, name)
  }
  try {
    return await copyChunks({ ...loading, work: { ...work, count } }, load)
  } catch (error) {
    const isRevised = error instanceof FieldsRevised || error instanceof RowsRefused
    if (!isRevised || work.signal.aborted) throw error
    work.count(Object.fromEntries(names.map((name) => [name, -counted[name]])), subtask.name)
    throw error instanceof FieldsRevised ? error : new FieldsRevised()
  }
}

async function copyChunks(loading: SubtaskLoad, load: OpenLoad): Promise<number> {
  const { work, subtask, plan, read, source, write, shadow } = loading
  const { name } = subtask
  const since = load.cursor !== null && load.progress.rowsRead === 0 ? ' what is new since the last run' : ''
  const goal = shadow
    ? `to compare it with ${formatTable(loading)}`
    : `into ${formatTable(loading)} (${write.strategy})`
  work.log('INFO', `Reading${since} from ${source} ${goal}.`, name)
  const limits = { ...CHUNK_LIMITS, rows: work.ctx.ports.config.loadRows }
  const reading = await read(load.cursor)
  // The source changed since the load was planned: nothing verifies its fields any more.
  if (loading.isProvisional && !reading.isProvisional) throw new FieldsRevised(reading.found)
  const chunks = toChunks(reading.batches, { fields: reading.fields, columns: plan.columns, limits })
  let all = 0
  let allEmptied = 0
  for await (const chunk of chunks) {
    work.signal.throwIfAborted()
    const { read: rows, bytes, written, updated, rejected, emptied, isCommitted } = await load.write(chunk)
    for (const part of chunk.parts) detachBuffer(part)
    all += written
    allEmptied += emptied
    work.count({ rows_read: rows, bytes }, name)
    const there = shadow ? {} : { rows_written: written - updated, rows_updated: updated }
    work.count({ ...there, rows_rejected: rejected }, name)
    if (isCommitted && rows > 0) {
      work.committed(name)
      work.log('DEBUG', `${formatRowCount(written)} committed, ${rejected.toLocaleString('en')} rejected.`, name)
    }
  }
  if (allEmptied > 0) work.log('WARNING', formatEmptied(allEmptied), name)
  return all
}

export function toLoad(loading: SubtaskLoad): Load {
  const { work, subtask, write, plan, table, source, integrationCode } = loading
  const { run, block } = work
  return {
    writer: toWriterName({ block, run }, subtask.name),
    epoch: run.epoch,
    loadId: loading.loadId ?? toLoadId(run.rootCode, subtask.name),
    table,
    mode: MODES[write.strategy],
    phases: plan.phases,
    columns: plan.columns,
    key: plan.wanted.primaryKey,
    proofKey: plan.proofKey,
    ...(loading.deletedAt !== undefined && !loading.shadow && { deletedAt: loading.deletedAt }),
    badRows: write.bad_rows,
    reads: loading.reads ?? computeReadFingerprint(subtask, { integrationCode, columns: plan.columns }),
    ...(loading.isProvisional && { isProvisional: true }),
    isIncremental: isFollowing(loading) && write.strategy !== 'Replace',
    again: buildRereadRule(loading),
    shadow: loading.shadow ?? null,
    mergeRows: 3 * work.ctx.ports.config.loadRows,
    about: {
      runCode: run.rootCode,
      subtask: subtask.name,
      source: `${block.name}: ${subtask.name} from ${source}`,
      by: null,
      window: run.request.window ?? null,
    },
    onStatement: (text) => work.log('DEBUG', text, subtask.name),
  }
}
