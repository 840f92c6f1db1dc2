import { createHash } from 'node:crypto'
import type { Batch, ReadState } from '@trellis/connector-kit/batch'
import type { ChangeLog, ChangeStream } from '@trellis/connector-kit/change-log'
import type { Reading } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { WriteStrategy } from '@trellis/contract/dataflows/dataflow-words'
import { findChangesCursor } from '@trellis/loads/run/changes/apply-changes'
import { findTarget } from '@trellis/loads/target'
import { loadReading } from '../loads/load-reading.ts'
import { toDeterministicId, toWriterName } from '../loads/load-id.ts'
import type { SubtaskLoad } from '../loads/subtask-load.ts'
import { type ReadyPlan, planSubtask } from '../loads/plan-subtask.ts'
import { readSourceMemory, saveSourceMemory } from '../loads/source-memory.ts'
import { RunFault } from '../../runner/run-work.ts'
import { recordSlot, toSlotName } from '../../../integrations/slots/slots.service.ts'
import { isCurrentVersion } from './current-version.repository.ts'
import { applyStream } from './apply-stream.ts'

export interface FollowedSubtask extends Pick<
  SubtaskLoad,
  'work' | 'session' | 'subtask' | 'write' | 'table' | 'source' | 'integrationCode'
> {
  readonly context: ConnectorContext
  readonly changeLog: ChangeLog
  readonly describe: () => Promise<Pick<Reading, 'fields' | 'key' | 'cursor'>>
}

/** A snapshot first, then changes since the last run, each exactly once. */
export async function runChanges(initialSubtask: FollowedSubtask): Promise<void> {
  assertFollowable(initialSubtask)
  const { work, subtask, changeLog } = initialSubtask
  let followedSubtask = initialSubtask
  const isContinuous = changeLog.isContinuous(subtask.query)
  const passedColumns: string[] = []
  for (let isFirst = true; ; isFirst = false) {
    const position = isFirst && work.run.request.is_full ? null : await findPosition(followedSubtask)
    const stream =
      position === null ? undefined : await openChangeStream(followedSubtask, { from: position, passed: passedColumns })
    if (!stream || position === null) {
      followedSubtask = await saveMemoryAndFields(followedSubtask, await loadSnapshot(followedSubtask, position))
      if (!isContinuous) return
      continue
    }
    try {
      const subtaskLoad = await planSubtaskLoad(followedSubtask, 'Upsert')
      const canContinue = isContinuous ? createContinueCheck(followedSubtask) : null
      const { newColumns } = await applyStream(subtaskLoad, {
        ...{ stream, changeLog, from: position, canContinue },
        strategy: initialSubtask.write.strategy,
      })
      followedSubtask = await saveMemoryAndFields(followedSubtask, subtaskLoad)
      if (newColumns.length === 0) return
      const names = newColumns.map((column) => column.slice(0, column.lastIndexOf(':')))
      work.log('INFO', `The table of the source has changed: ${names.join(', ')}.`, subtask.name)
      // Dropped columns reappear in older log records.
      passedColumns.push(...newColumns)
    } finally {
      await stream.close()
    }
  }
}

async function saveMemoryAndFields(followedSubtask: FollowedSubtask, { plan }: SubtaskLoad): Promise<FollowedSubtask> {
  const { work, subtask, write } = followedSubtask
  await saveSourceMemory(work, subtask.name, plan)
  const { dataModel } = write
  if (!dataModel) return followedSubtask
  return {
    ...followedSubtask,
    write: { ...write, dataModel: { ...dataModel, fields: { ...dataModel.fields, ...plan.modelFields } } },
  }
}

const MIN_REMAINING_SHARE = 0.1
const MAX_REMAINING_MS = 60_000
const VERSION_CHECK_INTERVAL_MS = 3_000

function createContinueCheck({ work, subtask }: FollowedSubtask): () => Promise<boolean> {
  const maxRunMs = (work.block.settings.most_minutes ?? 60) * 60_000
  const stopAt = work.ctx.clock.now().getTime() + maxRunMs - Math.min(MAX_REMAINING_MS, maxRunMs * MIN_REMAINING_SHARE)
  let checkedAt = 0
  return async () => {
    const now = work.ctx.clock.now().getTime()
    if (now >= stopAt) {
      work.log('INFO', 'The run ends shortly before its time limit; the next one goes on.', subtask.name)
      return false
    }
    if (now - checkedAt < VERSION_CHECK_INTERVAL_MS) return true
    checkedAt = now
    if (await isCurrentVersion(work.ctx, work.run.id)) return true
    work.log('INFO', 'The run ends, because the block was published again or its dataflow is paused.', subtask.name)
    return false
  }
}

function assertFollowable({ work, subtask, write }: FollowedSubtask): void {
  const { window, overrides = {} } = work.run.request
  const createRefusal = (message: string, advice: string) =>
    new RunFault('configuration', message, { advice, subtask: subtask.name })
  if (window)
    throw createRefusal('Changes from the log can not be read for a range of time.', 'Run the block without a range.')
  if (Object.keys(overrides).length > 0)
    throw createRefusal(
      'Changes from the log can not be read with other values.',
      'Run the block without changed values.',
    )
  if (work.run.isParallel)
    throw createRefusal(
      'Changes from the log can not be read by runs side by side.',
      'Let runs of the block wait for each other.',
    )
  if (write.strategy === 'Append')
    throw createRefusal('Changes from the log can not be appended.', 'Choose Replace or Upsert and publish the block.')
}

async function findPosition(followedSubtask: FollowedSubtask): Promise<string | null> {
  const { work, session, subtask, table } = followedSubtask
  // A dropped table lost its loads.
  if (!(await findTarget(session, table))) return null
  const cursor = await findChangesCursor(session, {
    writer: toWriterName(work, subtask.name),
    reads: computeSourceFingerprint(followedSubtask),
  })
  const { position } = (cursor ?? {}) as { position?: unknown }
  return typeof position === 'string' ? position : null
}

/** What a position belongs to. Not the columns: the log continues when they change. */
function computeSourceFingerprint({ subtask, write, integrationCode, changeLog }: FollowedSubtask): string {
  const subject = changeLog.getSubject(subtask.query)
  const fingerprintInput = ['changes', integrationCode, subject, write.schema_name, write.table_name]
  return createHash('sha256').update(JSON.stringify(fingerprintInput)).digest('hex')
}

const getSlotName = ({ work, subtask }: FollowedSubtask) =>
  toSlotName(work.workspace.code, work.block.code, subtask.name)

async function openChangeStream(
  followedSubtask: FollowedSubtask,
  { from, passed: passedColumns }: { from: string; passed: readonly string[] },
): Promise<ChangeStream | undefined> {
  const { work, subtask, context, changeLog } = followedSubtask
  const request = { query: subtask.query, slot: getSlotName(followedSubtask), from, passedColumns }
  const opened = await changeLog.openChanges(context, request)
  if (!('lost' in opened)) return opened
  work.log('WARNING', `The whole table is read again, because ${opened.lost}.`, subtask.name)
  return undefined
}

/** After a snapshot, rows deleted at the source before it cannot be detected. */
async function warnAboutStaleRows({ work, subtask, write, table }: FollowedSubtask): Promise<void> {
  if (write.strategy !== 'Upsert' || !(await readSourceMemory(work, subtask.name))) return
  const slotOwner = `${table.schema}.${table.table}`
  const message = `Rows that were deleted at the source in the meantime stay in ${slotOwner} as they are. Choose Replace to have the table rebuilt.`
  work.log('WARNING', message, subtask.name)
}

/** Each snapshot of a continuous run is a load of its own. */
async function loadSnapshot(followedSubtask: FollowedSubtask, lostPosition: string | null): Promise<SubtaskLoad> {
  const { work, subtask, context, changeLog, write, integrationCode } = followedSubtask
  const subtaskLoad = await planSubtaskLoad(followedSubtask, write.strategy)
  if (subtaskLoad.hasTable) await warnAboutStaleRows(followedSubtask)
  const slot = getSlotName(followedSubtask)
  const { ctx, account, workspace, block } = work
  const readSnapshot = async (state: unknown): Promise<Reading> => {
    // Rows and position committed together: a second snapshot would restore deleted rows.
    if (state !== null) return { fields: [], key: [], cursor: null, batches: yieldState(state as ReadState) }
    const slotOwner = { workspace, blockCode: block.code, subtask: subtask.name, integrationCode, slot }
    await recordSlot(ctx, { accountId: account.id, ...slotOwner })
    return { ...(await changeLog.openSnapshot(context, { query: subtask.query, slot })), cursor: null }
  }
  const loadId = toDeterministicId('snapshot', work.run.rootCode, subtask.name, lostPosition ?? '')
  await loadReading({ ...subtaskLoad, loadId, read: readSnapshot })
  if (!changeLog.isContinuous(subtask.query))
    work.log('INFO', 'The next run reads what was inserted, updated and deleted since.', subtask.name)
  return subtaskLoad
}

async function* yieldState(state: ReadState): AsyncGenerator<Batch> {
  yield { kind: 'rows', rows: [], state }
}

async function planSubtaskLoad(followedSubtask: FollowedSubtask, strategy: WriteStrategy): Promise<SubtaskLoad> {
  const {
    work,
    session,
    subtask,
    write: originalWrite,
    table,
    source,
    integrationCode,
    describe,
    changeLog,
  } = followedSubtask
  const write = { ...originalWrite, strategy }
  const target = await findTarget(session, table)
  const reading = await describe()
  const memory = await readSourceMemory(work, subtask.name)
  const ownFields = [changeLog.deletedAtField]
  const plan = planSubtask({ subtask, write, reading, target, memory, request: work.run.request, ownFields })
  const key = reading.key.map((field) => plan.columns.find((column) => column.field === field)?.name)
  const hasSourceKey =
    key.length === plan.wanted.primaryKey.length && plan.wanted.primaryKey.every((name) => key.includes(name))
  if (!hasSourceKey) {
    throw new RunFault(
      'configuration',
      `The log tells rows apart by ${reading.key.join(', ')}, the table by another key.`,
      {
        advice: `Choose ${reading.key.join(', ')} as primary key in the table setup and publish the block.`,
        subtask: subtask.name,
      },
    )
  }
  const deletedAt = findDeletedAt(followedSubtask, plan)
  for (const line of plan.log) work.log('INFO', line, subtask.name)
  const { name } = subtask
  return {
    ...{ work, session, table, source, integrationCode, write, plan, hasTable: target !== undefined },
    ...(deletedAt !== null && { deletedAt }),
    // The position is managed here, not by the load's cursor.
    subtask: { name, query: subtask.query, is_incremental: false, write },
    sourceKeyAndCursor: { key: reading.key, cursor: null },
    reads: computeSourceFingerprint(followedSubtask),
    read: () => Promise.reject(new Error('Changes are not read as rows.')),
  }
}

function findDeletedAt({ subtask, changeLog }: FollowedSubtask, plan: ReadyPlan): string | null {
  if (!changeLog.marksDeletes(subtask.query)) return null
  const field = changeLog.deletedAtField
  const column = plan.columns.find((loadColumn) => loadColumn.field === field)
  if (column) return column.name
  throw new RunFault('configuration', `Deleted rows are to be marked in ${field}, which the table does not have.`, {
    advice: `Add ${field} in the table setup and publish the block, or have deleted rows deleted.`,
    subtask: subtask.name,
  })
}
