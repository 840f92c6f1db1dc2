import { enqueue } from '@trellis/jobs/enqueue'
import type { JobRun } from '@trellis/jobs/attempt'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { undoLoads } from '@trellis/loads/undo'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { UndoProgress } from '../runs.repository.ts'
import { takeRunBack } from '../runs.jobs.ts'
import { toDeterministicId } from '../work/loads/load-id.ts'
import { openRunDatabase, withRunSession } from '../work/loads/load-session.ts'
import { type UndoRow, saveUndoHeartbeat, endUndo, findOpenUndo, claimSilentUndos } from './undo.repository.ts'

const BEAT_MS = 1000
const SILENT_MS = 120_000
const BROKEN = 'Something went wrong on our side. Nothing was changed. Try again.'
const LOCKED = 'Something else uses a table of this run all the time. Nothing was changed. Try again in a moment.'
const TOO_LONG = 'One of the tables took longer than an hour, so it was stopped. Nothing was changed.'

/**
 * Rolls back a run in one transaction. It always ends: done, failed with a message, or retried; a retry after the
 * commit finds its receipts and changes nothing.
 */
export async function handleTakeBack(ctx: SystemCtx, payload: { undo_id: string }, run: JobRun): Promise<void> {
  const undo = await findOpenUndo(ctx, payload.undo_id)
  if (!undo) return
  const beats = startBeats(ctx, undo.id)
  try {
    const rows = await rollBackRun(ctx, undo, { signal: run.signal, onTable: beats.onTable })
    await beats.stop()
    await endUndo(ctx, undo.id, { status: 'completed', progress: { tables_done: undo.load_ids.length, rows } })
  } catch (error) {
    await beats.stop()
    const sentence = findFailureMessage(error, run.isLastAttempt && !run.signal.aborted)
    if (sentence === undefined) throw error
    if (sentence === BROKEN) ctx.log.error({ err: error, undo: undo.id }, 'A run could not be rolled back.')
    await endUndo(ctx, undo.id, { status: 'failed', error: sentence })
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

function startBeats(ctx: SystemCtx, undoId: string) {
  let progress: UndoProgress = { tables_done: 0 }
  let begun = 0
  let going: Promise<void> | undefined
  const beat = () => {
    going ??= saveUndoHeartbeat(ctx, undoId, progress)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error, undo: undoId }, 'The progress of an undo could not be saved.'),
      )
      .finally(() => (going = undefined))
  }
  const timer = setInterval(beat, BEAT_MS)
  return {
    onTable: (table: string) => {
      progress = { table, tables_done: begun }
      begun += 1
      beat()
    },
    stop: async () => {
      clearInterval(timer)
      await going
    },
  }
}

const PASSING = new Set(['unavailable', 'busy', 'locked', 'cancelled'])
/** Deadlock, serialization failure: the transaction restarts. */
const CROSSED = new Set(['40P01', '40001'])

function findFailureMessage(error: unknown, isLast: boolean): string | undefined {
  const last = isLast ? BROKEN : undefined
  if (error instanceof AppError) return error.code === 'unavailable' ? last : error.message
  if (!(error instanceof WorkspaceDbError)) return last
  if (error.code === 'locked' && isLast) return LOCKED
  if (PASSING.has(error.code) || CROSSED.has(error.sqlState ?? '')) return last
  if (error.code === 'statement_timeout') return TOO_LONG
  return /[.!?]$/.test(error.message) ? error.message : `The database refused it: ${error.message}.`
}

/** Requeues rollbacks whose job was lost: a block must not be held forever. */
export async function requeueLostUndos(ctx: SystemCtx, silentMs = SILENT_MS): Promise<void> {
  for (const { id, account_id, is_old: isOld } of await claimSilentUndos(ctx, silentMs)) {
    if (isOld) await endUndo(ctx, id, { status: 'failed', error: BROKEN })
    else await enqueue(ctx, takeRunBack, { undo_id: id }, { singletonKey: id, group: String(account_id) })
  }
}
