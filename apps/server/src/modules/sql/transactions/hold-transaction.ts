import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { hasKeptRole } from '../../workspace-members/workspace-members.service.ts'
import { withJobSession } from '../job-session.ts'
import { registerLiveTransaction, waitForChange } from '../live-jobs.ts'
import { MAX_RESULT_BYTES, runJobIn } from '../run-job.ts'
import { findQueuedJobIn } from '../sql-jobs.repository.ts'
import {
  type EndRequest,
  type RollbackReason,
  type TransactionRow,
  saveHeartbeat,
  finishTransaction,
} from './transactions.repository.ts'
import { IDLE_LIMIT_MS, MAX_OPEN_MS } from './transaction-limits.ts'

const HEARTBEAT_MS = 1_000
const ABORTED_TRANSACTION = '25P02'

type Notice = { readonly severity: string; readonly message: string }

/** Keeps a session open beyond the request and runs the statements queued for it. */
export function serveTransaction(ctx: WorkspaceCtx, row: TransactionRow): void {
  const { promise: finished, resolve } = Promise.withResolvers<void>()
  const holder = createHolder(ctx, row)
  registerLiveTransaction(row.id, { cancel: () => holder.stop('stopped'), finished })
  void holder.run().then(resolve, (error: unknown) => {
    ctx.log.error({ err: error, transaction: row.id }, 'a transaction could not be settled')
    resolve()
  })
}

function createHolder(ctx: WorkspaceCtx, row: TransactionRow) {
  const stopping = new AbortController()
  let reason: RollbackReason | null = null
  let endRequested: EndRequest | null = null
  let backendPid: number | null = null
  let isFailed = false
  let isRunning = false
  let idleSince = row.started_at
  let onNotice: ((notice: Notice) => void) | undefined

  function stop(why: RollbackReason): void {
    reason ??= why
    stopping.abort()
  }

  async function sendHeartbeat(): Promise<void> {
    const now = ctx.clock.now()
    if (isRunning) idleSince = now
    const wishes = await saveHeartbeat(ctx, row.id, { now, backendPid, isFailed, idleSince })
    endRequested = wishes?.endRequested ?? null
    if (!wishes || endRequested === 'stop') stop('stopped')
    if (endRequested !== null && backendPid === null) stop('asked')
    if (now.getTime() - row.started_at.getTime() >= MAX_OPEN_MS) stop('time')
    if (now.getTime() - idleSince.getTime() >= IDLE_LIMIT_MS) stop('idle')
    if (!(await hasKeptRole(ctx))) stop('role_changed')
  }

  /** Also after a COMMIT or ROLLBACK by the user. */
  async function begin(session: Session): Promise<void> {
    try {
      await session.query({ text: 'begin' })
      isFailed = false
    } catch (error) {
      if (!(error instanceof WorkspaceDbError) || error.sqlState !== ABORTED_TRANSACTION) throw error
      isFailed = true
    }
  }

  async function runQueued(session: Session): Promise<boolean> {
    const job = await findQueuedJobIn(ctx, row.id)
    if (!job) return false
    isRunning = true
    let finishedAt: Date | null = null
    try {
      finishedAt = await runJobIn(ctx, job, {
        session,
        stopping,
        listen: (listener) => {
          onNotice = listener
        },
      })
    } finally {
      onNotice = undefined
      isRunning = false
      idleSince = finishedAt ?? ctx.clock.now()
    }
    if (stopping.signal.aborted) return true
    await begin(session)
    await sendHeartbeat()
    return true
  }

  async function work(session: Session): Promise<void> {
    backendPid = session.processId
    await begin(session)
    for (;;) {
      stopping.signal.throwIfAborted()
      // Subscribe before reading, or a queued statement would wait for the next heartbeat.
      const changed = waitForChange(row.id, HEARTBEAT_MS, stopping.signal)
      if (await runQueued(session)) continue
      await sendHeartbeat()
      if (endRequested === 'commit' || endRequested === 'rollback') break
      await changed
    }
    await session.query({ text: endRequested })
  }

  return {
    stop,
    async run(): Promise<void> {
      const timer = setInterval(() => void sendHeartbeat().catch(() => undefined), HEARTBEAT_MS)
      let problem: string | null = null
      let isCommitted = false
      try {
        const limits = {
          maxRows: row.row_limit,
          maxBytes: MAX_RESULT_BYTES,
          isReadOnly: false,
          idleInTransactionMs: MAX_OPEN_MS,
        }
        const request = { timeoutSeconds: row.timeout_seconds }
        await withJobSession(
          ctx,
          { integration_code: row.integration_code, request },
          {
            signal: stopping.signal,
            limits,
            needsPrimary: true,
            onNotice: (notice) => onNotice?.(notice),
            work,
          },
        )
        isCommitted = endRequested === 'commit'
        if (!isCommitted) reason ??= 'asked'
      } catch (error) {
        // Cancelling a statement ends the transaction.
        if (stopping.signal.aborted) reason ??= 'cancelled'
        else if (error instanceof WorkspaceDbError) problem = error.message
        else ctx.log.error({ err: error, transaction: row.id }, 'a transaction failed')
        if (reason === 'cancelled' && !(await hasKeptRole(ctx).catch(() => true))) reason = 'role_changed'
        reason ??= 'failed'
      } finally {
        clearInterval(timer)
      }
      const status = isCommitted ? 'committed' : 'rolled_back'
      await finishTransaction(ctx, row.id, {
        status,
        reason: isCommitted ? null : reason,
        problem,
        now: ctx.clock.now(),
      })
    },
  }
}
