import { sql } from 'kysely'
import type { FileFormat } from '@trellis/contract/explorer/file-formats'
import type { Filter } from '@trellis/contract/explorer/filters'
import type { Db } from '@trellis/control-db/database'
import { insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { TableKey } from './labels.repository.ts'

export interface StoredRequest {
  readonly format: FileFormat
  readonly filters: readonly Filter[]
  readonly sort?: string | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
  readonly isRaw?: boolean | undefined
}

const columns = [
  'id',
  'account_id',
  'workspace_id',
  'profile_id',
  'integration_code',
  'schema_name',
  'table_name',
  'request',
  'status',
  'rows_written',
  'size_bytes',
  'error',
  'created_at',
  'finished_at',
  'expires_at',
] as const

export interface ExportRow {
  readonly id: string
  readonly account_id: number
  readonly workspace_id: number
  readonly profile_id: number | null
  readonly integration_code: string
  readonly schema_name: string
  readonly table_name: string
  readonly request: object
  readonly status: 'in_progress' | 'completed' | 'failed' | 'cancelled'
  readonly rows_written: number
  readonly size_bytes: number | null
  readonly error: string | null
  readonly created_at: Date
  readonly finished_at: Date | null
  readonly expires_at: Date
}

type OwnScope = WorkspaceScope & { actor: { profileId: number } }

export async function insertExport(
  ctx: OwnScope,
  table: TableKey,
  about: { request: StoredRequest; now: Date; expiresAt: Date },
): Promise<ExportRow> {
  return await insertScoped(ctx, 'table_exports', {
    workspace_id: ctx.workspace.id,
    profile_id: ctx.actor.profileId,
    integration_code: table.integration_trellis_code,
    schema_name: table.schema_name,
    table_name: table.table_name,
    request: JSON.stringify(about.request),
    created_at: about.now,
    expires_at: about.expiresAt,
  })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

const LISTED = 100

export async function findExports(ctx: OwnScope, now: Date): Promise<ExportRow[]> {
  return await scoped(ctx, 'table_exports')
    .select(columns)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(LISTED)
    .execute()
}

export async function findExport(ctx: OwnScope, id: string, now: Date): Promise<ExportRow | undefined> {
  return await scoped(ctx, 'table_exports')
    .select(columns)
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('expires_at', '>', now)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function markCancelled(ctx: OwnScope, id: string, now: Date): Promise<ExportRow | undefined> {
  return await updateScoped(ctx, 'table_exports')
    .set({ status: 'cancelled', finished_at: now, size_bytes: null })
    .where('workspace_id', '=', ctx.workspace.id)
    .where('profile_id', '=', ctx.actor.profileId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
}

type System = { readonly db: Db }

export async function findRunning({ db }: System, id: string): Promise<ExportRow | undefined> {
  return await db
    .selectFrom('table_exports')
    .select(columns)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .executeTakeFirst()
}

export async function saveExportProgress({ db }: System, id: string, rows: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('table_exports')
    .set({ rows_written: rows })
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type Outcome =
  | { status: 'completed'; rows_written: number; size_bytes: number; finished_at: Date }
  | { status: 'failed'; error: string; finished_at: Date }

export async function finishExport({ db }: System, id: string, outcome: Outcome): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('table_exports')
    .set(outcome)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function sumExportBytes({ db }: System, accountId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size_bytes), 0)::bigint as bytes from table_exports
     where account_id = ${accountId} and status = 'completed'`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function listExpired({ db }: System, now: Date): Promise<string[]> {
  const rows = await db.selectFrom('table_exports').select('id').where('expires_at', '<=', now).limit(500).execute()
  return rows.map((row) => row.id)
}

export async function listExportIds({ db }: System, workspaceId: number): Promise<string[]> {
  const rows = await db.selectFrom('table_exports').select('id').where('workspace_id', '=', workspaceId).execute()
  return rows.map((row) => row.id)
}

export async function deleteExport({ db }: System, id: string): Promise<void> {
  await db.deleteFrom('table_exports').where('id', '=', id).execute()
}

/** Exports whose worker died in its last attempt would seem to run forever. */
export async function failAbandoned({ db }: System, before: Date, now: Date): Promise<void> {
  await db
    .updateTable('table_exports')
    .set({ status: 'failed', error: 'The export was interrupted. Start it again.', finished_at: now })
    .where('status', '=', 'in_progress')
    .where('created_at', '<', before)
    .execute()
}

export async function findAddress(
  { db }: System,
  workspaceId: number,
): Promise<{ account_code: string; workspace_address: string } | undefined> {
  return await db
    .selectFrom('workspaces')
    .innerJoin('accounts', 'accounts.id', 'workspaces.account_id')
    .select(['accounts.trellis_code as account_code', 'workspaces.workspace_address'])
    .where('workspaces.id', '=', workspaceId)
    .where('workspaces.deleted_at', 'is', null)
    .executeTakeFirst()
}
