import { enqueue } from '@trellis/jobs/enqueue'
import type { JobRun } from '@trellis/jobs/attempt'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { undoLoads } from '@trellis/loads/undo'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { UndoProgress } from '../runs.repository.ts'
import { takeRunBack } from '../runs.jobs.ts'
import { toDeterministicId } from '../work/loads/load-id.ts'
import { openRunDatabase, withRunSession } from '../work/loads/load-session.ts'
import { type UndoRow, saveUndoHeartbeat, endUndo, findOpenUndo, claimSilentUndos } from './undo.repository.ts'

const HEARTBEAT_MS = 1000
const MAX_SILENCE_MS = 120_000
const INTERNAL_ERROR = 'Something went wrong on our side. Nothing was changed. Try again.'
const TABLE_LOCKED = 'Something else uses a table of this run all the time. Nothing was changed. Try again in a moment.'
const TABLE_TIMEOUT = 'One of the tables took longer than an hour, so it was stopped. Nothing was changed.'

/**
 * Rolls back a run in one transaction. It always ends: done, failed with a message, or retried; a retry after the
 * commit finds its receipts and changes nothing.
 */
export async function handleUndoRun(ctx: SystemCtx, payload: { undo_id: string }, run: JobRun): Promise<void> {
  const undo = await findOpenUndo(ctx, payload.undo_id)
  if (!undo) return
  const heartbeats = startHeartbeats(ctx, undo.id)
  try {
    const rows = await rollBackRun(ctx, undo, { signal: run.signal, onTable: heartbeats.onTable })
    await heartbeats.stop()
    await endUndo(ctx, undo.id, { status: 'completed', progress: { tables_done: undo.load_ids.length, rows } })
  } catch (error) {
    await heartbeats.stop()
    const failureMessage = findFailureMessage(error, run.isLastAttempt && !run.signal.aborted)
    if (failureMessage === undefined) throw error
    if (failureMessage === INTERNAL_ERROR)
      ctx.log.error({ err: error, undo: undo.id }, 'A run could not be rolled back.')
    await endUndo(ctx, undo.id, { status: 'failed', error: failureMessage })
  }
}

async function rollBackRun(
  ctx: SystemCtx,
  undo: UndoRow,
  { signal, onTable }: { signal: AbortSignal; onTable: (table: string) => void },
): Promise<number> {
  const database = await openRunDatabase(ctx, { id: undo.workspace_id, code: undo.workspace_code })
  return await withRunSession(database, signal, (session) =>
    undoLoads(session, {
      loadIds: undo.load_ids,
      toReceiptId: (loadId) => toDeterministicId('undo', undo.id, loadId),
      source: 'Undo',
      by: undo.who,
      onTable: ({ schema, table }) => onTable(`${schema}.${table}`),
    }),
  )
}

function startHeartbeats(ctx: SystemCtx, undoId: string) {
  let progress: UndoProgress = { tables_done: 0 }
  let startedTables = 0
  let pendingSave: Promise<void> | undefined
  const saveProgress = () => {
    pendingSave ??= saveUndoHeartbeat(ctx, undoId, progress)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, undo: undoId }, 'The progress of an undo could not be saved.'),
      )
      .finally(() => (pendingSave = undefined))
  }
  const timer = setInterval(saveProgress, HEARTBEAT_MS)
  return {
    onTable: (table: string) => {
      progress = { table, tables_done: startedTables }
      startedTables += 1
      saveProgress()
    },
    stop: async () => {
      clearInterval(timer)
      await pendingSave
    },
  }
}

const RETRYABLE_CODES = new Set(['unavailable', 'busy', 'locked', 'cancelled'])
/** Deadlock, serialization failure: the transaction restarts. */
const RESTARTABLE_SQL_STATES = new Set<string>([SQL_STATE.DEADLOCK, SQL_STATE.SERIALIZATION_FAILURE])

function findFailureMessage(error: unknown, isLastAttempt: boolean): string | undefined {
  const finalMessage = isLastAttempt ? INTERNAL_ERROR : undefined
  if (error instanceof AppError) return error.code === 'unavailable' ? finalMessage : error.message
  if (!(error instanceof WorkspaceDbError)) return finalMessage
  if (error.code === 'locked' && isLastAttempt) return TABLE_LOCKED
  if (RETRYABLE_CODES.has(error.code) || RESTARTABLE_SQL_STATES.has(error.sqlState ?? '')) return finalMessage
  if (error.code === 'statement_timeout') return TABLE_TIMEOUT
  return /[.!?]$/.test(error.message) ? error.message : `The database refused it: ${error.message}.`
}

/** Requeues rollbacks whose job was lost: a block must not be held forever. */
export async function requeueLostUndos(ctx: SystemCtx, silentMs = MAX_SILENCE_MS): Promise<void> {
  for (const { id, account_id, is_old: isOld } of await claimSilentUndos(ctx, silentMs)) {
    if (isOld) await endUndo(ctx, id, { status: 'failed', error: INTERNAL_ERROR })
    else await enqueue(ctx, takeRunBack, { undo_id: id }, { singletonKey: id, group: String(account_id) })
  }
}
