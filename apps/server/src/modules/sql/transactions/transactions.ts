import { randomUUID } from 'node:crypto'
import type { EndTransaction, LastTransaction, SqlTransaction } from '@trellis/contract/sql/transactions.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { publishJobChange, waitForChange } from '../live-jobs.ts'
import { LOST_MS } from '../sql-limits.ts'
import { IDLE_LIMIT_MS, MAX_OPEN_MS, MAX_OPEN_PER_WORKSPACE } from './transaction-limits.ts'
import {
  type TransactionRow,
  findLastTransaction,
  findOpenTransactions,
  hasGoingJob,
  insertTransaction,
  lockOpenTransaction,
  requestEnd,
  failLostTransactions,
} from './transactions.repository.ts'

const SHOWN_MS = 60 * 60_000
const POLL_MS = 300
const END_WAIT_MS = 10_000

interface TransactionRequest {
  readonly fileId: string
  readonly integrationCode: string
  readonly rowLimit: number
  readonly timeoutSeconds: number
}

export async function enterTransaction(
  ctx: WorkspaceCtx,
  request: TransactionRequest,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const now = ctx.clock.now()
  await failLostTransactions(ctx, { now, aliveSince: new Date(now.getTime() - LOST_MS) })
  const open = await lockOpenTransaction(ctx)
  if (open?.file_id === request.fileId) {
    if (open.integration_code !== request.integrationCode) {
      throw new AppError(
        'limit_reached',
        'The open transaction is on another database. Commit it or roll it back first.',
      )
    }
    if (await hasGoingJob(ctx, open.id)) {
      throw new AppError(
        'limit_reached',
        'A statement of this transaction is still running. Wait for it, or cancel it.',
      )
    }
    return { row: open, isNew: false }
  }
  if (open) {
    throw new AppError(
      'limit_reached',
      'You have an open transaction in another worksheet. Commit it or roll it back there first.',
    )
  }
  if ((await findOpenTransactions(ctx)).length >= MAX_OPEN_PER_WORKSPACE) {
    const message = `${MAX_OPEN_PER_WORKSPACE} transactions of other people are open in this workspace. Try again later, or use autocommit.`
    throw new AppError('limit_reached', message)
  }
  const row = await insertTransaction(ctx, {
    id: randomUUID(),
    integration_code: request.integrationCode,
    file_id: request.fileId,
    row_limit: request.rowLimit,
    timeout_seconds: request.timeoutSeconds,
    started_at: now,
  })
  return { row, isNew: true }
}

export async function getSqlTransaction(ctx: WorkspaceCtx, fileId: string): Promise<LastTransaction> {
  const now = ctx.clock.now()
  await failLostTransactions(ctx, { now, aliveSince: new Date(now.getTime() - LOST_MS) })
  const row = await findLastTransaction(ctx, fileId)
  const isOld = row?.ended_at && now.getTime() - row.ended_at.getTime() > SHOWN_MS
  return { transaction: row && !isOld ? await toTransaction(ctx, row) : null }
}

export async function endSqlTransaction(
  ctx: WorkspaceCtx,
  fileId: string,
  { action }: EndTransaction,
): Promise<SqlTransaction> {
  const row = await findLastTransaction(ctx, fileId)
  if (row?.status !== 'open') throw new AppError('not_found', 'This worksheet has no open transaction.')
  ctx.http.addAuditDetail({ transaction: row.id, action })
  const isRunning = await hasGoingJob(ctx, row.id)
  if (action === 'commit' && isRunning) {
    throw new AppError('conflict', 'A statement is still running. Commit when it has finished.')
  }
  if (action === 'commit' && row.is_failed) {
    throw new AppError('conflict', 'A statement of this transaction failed, so it can only be rolled back.')
  }
  await requestEnd(ctx, row.id, action === 'rollback' && isRunning ? 'stop' : action)
  publishJobChange(row.id)
  const giveUpAt = performance.now() + END_WAIT_MS
  for (;;) {
    const { transaction } = await getSqlTransaction(ctx, fileId)
    if (transaction && (transaction.status !== 'open' || transaction.transaction_id !== row.id)) return transaction
    if (ctx.http.signal.aborted || performance.now() > giveUpAt) {
      throw new AppError('unavailable', 'The transaction has not ended yet. Look again in a moment.')
    }
    await waitForChange(row.id, POLL_MS, ctx.http.signal)
  }
}

async function toTransaction(ctx: WorkspaceCtx, row: TransactionRow): Promise<SqlTransaction> {
  const after = (date: Date, ms: number) => new Date(date.getTime() + ms).toISOString()
  const isOpen = row.status === 'open'
  return {
    transaction_id: row.id,
    file_id: row.file_id,
    integration_trellis_code: row.integration_code,
    status: row.status,
    reason: row.reason as SqlTransaction['reason'],
    problem: row.problem,
    is_failed: row.is_failed,
    is_running: isOpen && (await hasGoingJob(ctx, row.id)),
    row_limit: row.row_limit,
    timeout_seconds: row.timeout_seconds,
    started_at: row.started_at.toISOString(),
    idle_ends_at: after(row.idle_since, IDLE_LIMIT_MS),
    ends_at: after(row.started_at, MAX_OPEN_MS),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
