import type { Cluster } from '@trellis/workspace-db/cluster'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { type Session, type SessionTarget, withSession } from '@trellis/workspace-db/session'
import { FencedOff, decideFence } from './plan/fence.ts'

const WRITERS = `${LOADS_SCHEMA}.writers`

export interface WriterState {
  readonly epoch: number
  readonly loadId: string | null
  readonly isDone: boolean
  readonly reads: string | null
  readonly cursor: unknown
}

/** Creates and locks the writer's row. */
async function lockWriter(session: Session, writer: string): Promise<WriterState | undefined> {
  const { rows } = await session.query({
    // A fence precedes all writers of a block, including future ones.
    text: `select greatest(w.epoch, (select f.epoch from ${WRITERS} f where f.writer = split_part($1, ':', 1))),
                  w.load_id, w.is_done, w.reads, w.cursor::text
             from ${WRITERS} w where w.writer = $1 for update of w`,
    values: [writer],
  })
  const [row] = rows
  if (!row) return undefined
  const [epoch, loadId, isDone, reads, cursor] = row
  return {
    epoch: Number(epoch),
    loadId: loadId ?? null,
    isDone: isDone === 't',
    reads: reads ?? null,
    cursor: cursor ? (JSON.parse(cursor) as unknown) : null,
  }
}

export interface WriterClaim {
  readonly writer: string
  readonly epoch: number
  readonly loadId: string
}

/** First in every writing transaction. */
export async function checkFence(session: Session, load: WriterClaim): Promise<'write' | 'finished'> {
  const state = await lockWriter(session, load.writer)
  // Another load has taken over, even if its epoch is lower.
  if (state?.loadId !== load.loadId) throw new FencedOff('Another run of this block has taken its place.')
  const decision = decideFence(state, load.epoch)
  if (decision.do === 'stop') throw new FencedOff(decision.reason)
  return decision.do
}

/** Creates the writer's row if it is new, and locks it until the transaction ends. */
export async function claimWriter(
  session: Session,
  load: Pick<WriterClaim, 'writer' | 'epoch'>,
): Promise<WriterState | undefined> {
  await session.query({
    text: `insert into ${WRITERS} (writer, epoch) values ($1, $2) on conflict do nothing`,
    values: [load.writer, String(load.epoch)],
  })
  return await lockWriter(session, load.writer)
}

/** Makes this load the one that may write; earlier ones are refused from now on. */
export async function startWriter(
  session: Session,
  load: Pick<WriterClaim, 'writer' | 'epoch' | 'loadId'> & { readonly reads: string },
  cursor: unknown,
): Promise<void> {
  await session.query({
    text: `update ${WRITERS} set epoch = $2, load_id = $3, is_done = false, reads = $4, cursor = $5::jsonb,
             changed_at = clock_timestamp() where writer = $1`,
    values: [load.writer, String(load.epoch), load.loadId, load.reads, toJsonOrNull(cursor)],
  })
}

interface FinishWriterInput extends WriterClaim {
  readonly isDone: boolean
}

export async function finishWriter(
  session: Session,
  { writer, epoch, loadId, isDone }: FinishWriterInput,
): Promise<void> {
  await session.query({
    text: `update ${WRITERS} set epoch = $2, load_id = $3, is_done = $4, reads = null, cursor = null,
             changed_at = pg_catalog.clock_timestamp() where writer = $1`,
    values: [writer, String(epoch), loadId, String(isDone)],
  })
}

/** Undefined if an earlier attempt finished. */
export async function claimUnlessFinished(session: Session, load: WriterClaim): Promise<WriterState | undefined> {
  const state = await claimWriter(session, load)
  if (!state) throw new Error('A writer is gone in the transaction that made it.')
  const isDone = state.isDone && state.loadId === load.loadId
  const decision = decideFence({ epoch: state.epoch, isDone }, load.epoch)
  if (decision.do === 'stop') throw new FencedOff(decision.reason)
  return decision.do === 'finished' ? undefined : state
}

export async function claimAndFinish(session: Session, load: WriterClaim): Promise<void> {
  if (await claimUnlessFinished(session, load)) await finishWriter(session, { ...load, isDone: true })
}

/** Of writers with a single load; late workers are long gone. */
export async function deleteOldWriters(session: Session, prefix: string, days: number): Promise<void> {
  await session.query({
    text: `delete from ${WRITERS} where starts_with(writer, $1) and changed_at < now() - make_interval(days => $2::int)`,
    values: [prefix, String(Math.trunc(days))],
  })
}

export const toJsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

const BLOCKED_POLL_MS = 2_000

/**
 * Once it returns, no session with a lower epoch can commit as `writer` or its parts. Sessions holding the row are
 * terminated.
 */
export async function raiseFence(
  cluster: Cluster,
  target: Omit<SessionTarget, 'role' | 'isPlain' | 'limits'>,
  { writer, epoch }: { writer: string; epoch: number },
): Promise<void> {
  const limits = { lockMs: 20_000, statementMs: 30_000 }
  const values = [writer, String(epoch)]
  await withSession(cluster, { ...target, role: 'rw', isPlain: true, limits }, async (session) => {
    const endBlockingSessions = () =>
      void cluster.admin
        .query('select pg_terminate_backend(pid) from unnest(pg_blocking_pids($1)) pid', [session.processId])
        .catch(() => undefined)
    const timer = setInterval(endBlockingSessions, BLOCKED_POLL_MS)
    try {
      // Committed first, so that writers starting meanwhile see it.
      await session.query({
        text: `insert into ${WRITERS} as w (writer, epoch) values ($1, $2)
               on conflict (writer) do update set epoch = greatest(w.epoch, excluded.epoch), changed_at = clock_timestamp()`,
        values,
      })
      await session.query({
        text: `update ${WRITERS} set epoch = greatest(epoch, $2::bigint) where starts_with(writer, $1 || ':')`,
        values,
      })
    } finally {
      clearInterval(timer)
    }
  })
}
