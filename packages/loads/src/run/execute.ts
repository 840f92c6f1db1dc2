import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { toDurableTableName, toStagingTableName, qualifyPlatformTable } from '../own-tables.ts'
import { createStage } from '../stage.ts'
import { findTarget } from '../target.ts'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { findCursorBefore } from './changes/save-deleted.ts'
import { createChunkWriter } from './chunks.ts'
import { deleteCommittedChunks, discardCommittedLoads, discardOtherReads, dropLoadTables } from './discard.ts'
import type { LoadStep } from '../plan/load-plan.ts'
import { FencedOff, decideFence } from '../plan/fence.ts'
import type { Chunk, Load, LoadResult } from './load.ts'
import { findEdge } from './existing-rows.ts'
import { type LoadProgress, beginReceipt, findProgress, saveExistingRange } from './progress.ts'
import { buildReplacement, publishLoad } from './publish-load.ts'
import { alterTable, createIndex, createTable } from './table-steps.ts'
import { type WriterState, checkFence, startWriter, claimWriter } from '../writers.ts'

export interface OpenLoad {
  readonly cursor: unknown
  /** Only publishing is left. */
  readonly isRead: boolean
  readonly progress: LoadProgress
  /** Rows deleted at the start, since something else was read by then; undefined if none was to be. */
  readonly discarded: number | undefined
  write(chunk: Chunk): Promise<LoadResult>
  finish(): Promise<LoadProgress>
  /** Deletes what the load has committed; returns the number of rows. */
  deleteCommitted(): Promise<number>
  /**
   * Deletes all of the load, and of unfinished ones it continued, so that the next `openLoad` begins anew; returns the
   * number of rows.
   */
  discard(): Promise<number>
}

/**
 * Starts or resumes a load. Fences earlier workers, then reads the cursor. Undefined if an earlier attempt finished.
 */
export async function openLoad(session: Session, load: Load): Promise<OpenLoad | undefined> {
  const started = load.isProvisional
    ? await beginProvisional(session, load)
    : await inTransaction(session, () => discardAndStart(session, load))
  if (!started) return undefined
  const { progress, discarded } = started
  const writer = createChunkWriter(session, load, progress)
  return {
    cursor: progress.cursor,
    isRead: progress.isRead,
    progress,
    discarded,
    write: (chunk) => writer.write(chunk),
    finish: async () => {
      for (const name of ['build', 'publish'] as const) {
        const phase = load.phases.find((loadPhase) => loadPhase.name === name)
        if (!phase) continue
        const isUnfinished = await inTransaction(session, async () => {
          if ((await checkFence(session, load)) === 'finished') return false
          await (name === 'build' ? buildReplacement : publishLoad)(session, load, phase.steps)
          return true
        })
        if (!isUnfinished) break
      }
      const finalProgress = await findProgress(session, load.loadId)
      if (!finalProgress?.isDone) throw new Error('The load did not come to its end.')
      return finalProgress
    },
    deleteCommitted: () => inTransaction(session, () => deleteCommittedChunks(session, load)),
    discard: () => inTransaction(session, () => discardCommittedLoads(session, load)),
  }
}

export const prepareLoad = async (session: Session, load: Load): Promise<LoadProgress | undefined> =>
  await inTransaction(session, () => startOrResumeLoad(session, load))

/** One transaction for all chunks; an aborted one leaves nothing. */
async function beginProvisional(session: Session, load: Load): Promise<StartedLoad | undefined> {
  await session.query({ text: 'begin' })
  try {
    const started = await discardAndStart(session, load)
    if (!started) await session.query({ text: 'rollback' })
    return started
  } catch (error) {
    await session.query({ text: 'rollback' }).catch(() => undefined)
    throw error
  }
}

interface StartedLoad {
  readonly progress: LoadProgress
  readonly discarded: number | undefined
}

async function discardAndStart(session: Session, load: Load): Promise<StartedLoad | undefined> {
  const state = await claimWriter(session, load)
  const earlierProgress = await findProgress(session, load.loadId)
  const fence = decideFence(state && { epoch: state.epoch, isDone: earlierProgress?.isDone === true }, load.epoch)
  const discarded =
    fence.do === 'write' ? await discardOtherReads(session, load, { state, earlierProgress }) : undefined
  const progress = await startOrResumeLoad(session, load)
  return progress && { progress, discarded }
}

async function startOrResumeLoad(session: Session, load: Load): Promise<LoadProgress | undefined> {
  const state = await claimWriter(session, load)
  const earlierProgress = await findProgress(session, load.loadId)
  const isDone = earlierProgress?.isDone === true && !earlierProgress.isUndone
  const decision = decideFence(state && { epoch: state.epoch, isDone }, load.epoch)
  if (decision.do === 'stop') throw new FencedOff(decision.reason)
  if (decision.do === 'finished') return undefined
  const hasTable = (await findTarget(session, load.table)) !== undefined
  const hasDurableStaging = load.mode === 'replace' && (await hasDurableTable(session, load))
  const cursorBefore = await findCursorBefore(session, load)
  const { isResumed, isNew, cursor } = decideStart(load, {
    state,
    earlierProgress,
    hasTable,
    hasDurable: hasDurableStaging,
  })
  if (state?.loadId && state.loadId !== load.loadId) await dropLoadTables(session, state.loadId)
  await session.query({ text: `drop table if exists ${qualifyPlatformTable(toStagingTableName(load.loadId))}` })
  if (!isResumed) await dropLoadTables(session, load.loadId)
  if (isNew) await beginReceipt(session, load, { cursor, cursorBefore })
  await startWriter(session, load, cursor)
  const steps = load.phases.find(({ name }) => name === 'prepare')?.steps ?? []
  for (const step of steps) await runPrepareStep(session, load, step)
  if (isNew) await saveCursorEdge(session, load)
  const progress = await findProgress(session, load.loadId)
  if (!progress) throw new Error('A load began without a receipt.')
  return { ...progress, cursor, isRead: isResumed && progress.isRead }
}

async function saveCursorEdge(session: Session, load: Load): Promise<void> {
  const edge = await findEdge(session, load)
  if (edge) await saveExistingRange(session, load.loadId, edge)
}

interface PriorProgress {
  readonly state: WriterState | undefined
  readonly earlierProgress: LoadProgress | undefined
  readonly hasTable: boolean
  readonly hasDurable: boolean
}

/** Resumes this load, continues after the last one, or starts over. */
function decideStart(load: Load, { state, earlierProgress, hasTable, hasDurable: hasDurableStaging }: PriorProgress) {
  const isCurrentLoad = state?.loadId === load.loadId
  const hasSameReads = state?.reads === load.reads
  const isReplace = load.mode === 'replace'
  const isRecorded = earlierProgress !== undefined && !earlierProgress.isUndone
  // Another load intervened: an incremental one includes this range, a full one replaced it.
  const canResume = isCurrentLoad ? hasSameReads : !isReplace && !load.isIncremental
  const isResumed = isRecorded && canResume && (!isReplace || hasDurableStaging)
  const isNew = !isRecorded || (isReplace && !isResumed)
  if (isResumed) return { isResumed, isNew, cursor: isCurrentLoad ? state.cursor : earlierProgress.cursor }
  // A dropped table lost its loads.
  const continuesCursor = load.isIncremental && hasTable && hasSameReads
  return { isResumed, isNew, cursor: continuesCursor ? (state?.cursor ?? null) : null }
}

async function hasDurableTable(session: Session, { loadId }: Load): Promise<boolean> {
  const { rows } = await session.query({
    text: 'select to_regclass($1)',
    values: [qualifyPlatformTable(toDurableTableName(loadId))],
  })
  return Boolean(rows[0]?.[0])
}

async function runPrepareStep(session: Session, load: Load, step: LoadStep): Promise<void> {
  switch (step.do) {
    case 'create_table':
      await createTable(session, load.table, step).catch((error: unknown) => {
        throw toSchemaError(error, load.table.schema)
      })
      return
    case 'create_index':
      await createIndex(session, load.table, step)
      return
    case 'alter':
      await alterTable(session, load.table, step.change)
      return
    case 'create_stage':
    case 'create_beside':
      await createStaging(session, load, step)
      return
    default:
  }
}

/** Keeps a logged one of an earlier attempt. */
async function createStaging(session: Session, load: Load, step: StagingStep): Promise<void> {
  const required = load.mode === 'append' ? [] : load.key
  await createStage(session, {
    name: (step.do === 'create_stage' ? toStagingTableName : toDurableTableName)(load.loadId),
    columns: [...step.columns, ...step.emptyColumns].map(({ name, postgres }) => ({
      name,
      type: postgres,
      isRequired: required.includes(name),
    })),
    isLogged: step.do === 'create_beside',
  })
}

type StagingStep = Extract<LoadStep, { do: 'create_stage' | 'create_beside' }>

function toSchemaError(error: unknown, schema: string): unknown {
  if (!(error instanceof WorkspaceDbError) || error.sqlState !== SQL_STATE.UNDEFINED_SCHEMA) return error
  return new WorkspaceDbError({
    code: 'refused',
    message: `There is no schema "${schema}" in the database.`,
    cause: error,
  })
}
