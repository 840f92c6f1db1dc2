import type { SqlTransaction } from '@trellis/contract/sql/transactions.schemas'

const ROLLED_BACK: Record<NonNullable<SqlTransaction['reason']>, string> = {
  asked: 'Rolled back.',
  idle: 'Rolled back: no statement ran for 5 minutes.',
  time: 'Rolled back: a transaction stays open for 15 minutes at most.',
  role_changed: 'Rolled back: your role in this workspace has changed.',
  cancelled: 'Rolled back: a statement was cancelled.',
  stopped: 'Rolled back: the transaction was stopped.',
  lost: 'Rolled back: the server was restarted.',
  failed: 'Rolled back by the database.',
}

export function describeTransaction(transaction: SqlTransaction | null): string {
  if (!transaction) return 'Manual commit. The first statement begins a transaction.'
  const { status, reason, problem, is_failed: isFailed, is_running: isRunning } = transaction
  if (status === 'committed') return 'Committed. The next statement begins a transaction.'
  if (status === 'rolled_back') return [ROLLED_BACK[reason ?? 'asked'], problem].filter(Boolean).join(' ')
  if (isRunning) return 'A statement of the transaction is running.'
  return isFailed ? 'A statement failed. Roll back to go on.' : 'Transaction open. Nobody else sees its changes yet.'
}

export function formatTimeLeft(transaction: SqlTransaction, now: number): string | null {
  if (transaction.status !== 'open') return null
  const { is_running: isRunning, idle_ends_at: idleEnds, ends_at: ends } = transaction
  const end = isRunning ? Date.parse(ends) : Math.min(Date.parse(idleEnds), Date.parse(ends))
  const seconds = Math.max(0, Math.round((end - now) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
