import type { SqlTransaction } from '@trellis/contract/sql/transactions.schemas'
import type { Db } from '@trellis/control-db/database'
import { insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { PersonScope } from '../sql-jobs.repository.ts'

export type RollbackReason = NonNullable<SqlTransaction['reason']>
export type EndRequest = 'commit' | 'rollback' | 'stop'

export interface TransactionRow {
  readonly id: string
  readonly profile_id: number
  readonly integration_code: string
  readonly file_id: string
  readonly status: SqlTransaction['status']
  readonly reason: string | null
  readonly problem: string | null
  readonly is_failed: boolean
  readonly row_limit: number
  readonly timeout_seconds: number
  readonly backend_pid: number | null
  readonly started_at: Date
  readonly idle_since: Date
  readonly ended_at: Date | null
}

const columns = [
  'id',
  'profile_id',
  'integration_code',
  'file_id',
  'status',
  'reason',
  'problem',
  'is_failed',
  'row_limit',
  'timeout_seconds',
  'backend_pid',
  'started_at',
  'idle_since',
  'ended_at',
] as const

type NewTransaction = Pick<
  TransactionRow,
  'id' | 'integration_code' | 'file_id' | 'row_limit' | 'timeout_seconds' | 'started_at'
>

export async function insertTransaction(ctx: PersonScope, row: NewTransaction): Promise<TransactionRow> {
  return await insertScoped(ctx, 'sql_transactions', {
    ...row,
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    idle_since: row.started_at,
    heartbeat_at: row.started_at,
  })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

const selectOwnTransactions = (ctx: PersonScope) =>
  scoped(ctx, 'sql_transactions')
    .select(columns)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)

/** Locked, so that it cannot end while a statement is added. */
export async function lockOpenTransaction(ctx: PersonScope): Promise<TransactionRow | undefined> {
  return await selectOwnTransactions(ctx).where('status', '=', 'open').forUpdate().executeTakeFirst()
}

export async function findLastTransaction(ctx: PersonScope, fileId: string): Promise<TransactionRow | undefined> {
  return await selectOwnTransactions(ctx)
    .where('file_id', '=', fileId)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export interface OpenTransaction extends TransactionRow {
  readonly first_name: string | null
  readonly surname: string | null
}

export async function findOpenTransactions(ctx: WorkspaceScope): Promise<OpenTransaction[]> {
  return await scoped(ctx, 'sql_transactions')
    .innerJoin('profiles', 'profiles.id', 'sql_transactions.profile_id')
    .select(columns.map((name) => `sql_transactions.${name}` as const))
    .select(['profiles.first_name', 'profiles.surname'])
    .where('sql_transactions.workspace_id', '=', ctx.workspace.id)
    .where('sql_transactions.status', '=', 'open')
    .execute()
}

export async function hasGoingJob(ctx: WorkspaceScope, id: string): Promise<boolean> {
  const row = await scoped(ctx, 'sql_jobs')
    .select('id')
    .where('transaction_id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function requestEnd(ctx: WorkspaceScope, id: string, end: EndRequest): Promise<void> {
  await updateScoped(ctx, 'sql_transactions')
    .set({ end_requested: end })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
}

interface Heartbeat {
  readonly now: Date
  readonly backendPid: number | null
  readonly isFailed: boolean
  readonly idleSince: Date
}

/** Heartbeat, and cancel requests. Undefined if it was settled or its workspace deleted. */
export async function saveHeartbeat(
  ctx: WorkspaceScope,
  id: string,
  { now, backendPid, isFailed, idleSince }: Heartbeat,
): Promise<{ endRequested: EndRequest | null } | undefined> {
  await updateScoped(ctx, 'sql_jobs')
    .set({ heartbeat_at: now })
    .where('transaction_id', '=', id)
    .where('status', '=', 'queued')
    .execute()
  const row = await updateScoped(ctx, 'sql_transactions')
    .set({ heartbeat_at: now, backend_pid: backendPid, is_failed: isFailed, idle_since: idleSince })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('workspaces')
          .select('workspaces.id')
          .whereRef('workspaces.id', '=', 'sql_transactions.workspace_id')
          .where('workspaces.deleted_at', 'is', null),
      ),
    )
    .returning('end_requested')
    .executeTakeFirst()
  return row && { endRequested: row.end_requested as EndRequest | null }
}

interface TransactionEnd {
  readonly status: 'committed' | 'rolled_back'
  readonly reason: RollbackReason | null
  readonly problem: string | null
  readonly now: Date
}

export async function finishTransaction(ctx: WorkspaceScope, id: string, end: TransactionEnd): Promise<void> {
  const { status, reason, problem, now } = end
  await updateScoped(ctx, 'sql_transactions')
    .set({ status, reason, problem, ended_at: now, backend_pid: null })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()
  const message = 'The transaction ended before this statement could run. Run it again.'
  await updateScoped(ctx, 'sql_jobs')
    .set({
      status: 'failed',
      problem: JSON.stringify({ message, hint: null, code: 'transaction_ended', position: null }),
      finished_at: now,
    })
    .where('transaction_id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

interface LostTransactionFilter {
  readonly now: Date
  readonly aliveSince: Date
}

const toLost = (now: Date) => ({ status: 'rolled_back', reason: 'lost', ended_at: now, backend_pid: null }) as const

/** Their process is gone, so Postgres rolled them back. */
export async function failLostTransactions(
  ctx: WorkspaceScope,
  { now, aliveSince }: LostTransactionFilter,
): Promise<void> {
  await updateScoped(ctx, 'sql_transactions')
    .set(toLost(now))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('status', '=', 'open')
    .where('heartbeat_at', '<=', aliveSince)
    .execute()
}

export async function pruneTransactions(
  { db }: { readonly db: Db },
  { now, aliveSince, before }: LostTransactionFilter & { readonly before: Date },
): Promise<void> {
  await db
    .updateTable('sql_transactions')
    .set(toLost(now))
    .where('status', '=', 'open')
    .where('heartbeat_at', '<=', aliveSince)
    .execute()
  await db.deleteFrom('sql_transactions').where('status', '<>', 'open').where('started_at', '<', before).execute()
}
