import { type CallerRoles, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { Db } from '@trellis/control-db/database'
import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'

export type FileRowData = Selectable<Tables['upload_files']>
export type JobRowData = Selectable<Tables['upload_jobs']>
export type BadRowData = Omit<Selectable<Tables['upload_bad_rows']>, 'account_id' | 'file_id'>

type WithDb = { readonly db: Db }
type Workspace = { readonly workspaceId: number }

export async function insertFile(
  ctx: AccountScope,
  values: Omit<Insertable<Tables['upload_files']>, 'account_id'>,
): Promise<FileRowData> {
  return (await insertScoped(ctx, 'upload_files', values).returningAll().executeTakeFirstOrThrow()) as FileRowData
}

export async function findFile(
  ctx: AccountScope,
  { workspaceId, fileId }: Workspace & { fileId: string },
): Promise<FileRowData | undefined> {
  return await scoped(ctx, 'upload_files')
    .selectAll()
    .where('id', '=', fileId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

export async function findFilesOfSchema(
  ctx: AccountScope,
  where: Workspace & { integrationCode: string; schema: string },
): Promise<FileRowData[]> {
  return await scoped(ctx, 'upload_files')
    .selectAll()
    .where('workspace_id', '=', where.workspaceId)
    .where('integration_code', '=', where.integrationCode)
    .where('schema_name', '=', where.schema)
    .orderBy('created_at', 'desc')
    .limit(200)
    .execute()
}

export async function findFilesByLoads(
  ctx: AccountScope,
  { workspaceId, loadIds }: Workspace & { loadIds: readonly string[] },
): Promise<FileRowData[]> {
  if (loadIds.length === 0) return []
  return await scoped(ctx, 'upload_files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('load_id', 'in', loadIds)
    .execute()
}

/** Pending files count towards the plan. */
export async function sumPendingBytes(ctx: AccountScope, exceptFileId: string | undefined): Promise<number> {
  const row = await scoped(ctx, 'upload_files')
    .select(({ fn }) => fn.sum<string | null>('size_bytes').as('bytes'))
    .where('state', '<>', 'delivered')
    .$if(exceptFileId !== undefined, (query) => query.where('id', '<>', exceptFileId as string))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export async function updateFileRow(
  ctx: AccountScope,
  fileId: string,
  values: Updateable<Tables['upload_files']>,
): Promise<void> {
  await updateScoped(ctx, 'upload_files')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', fileId)
    .execute()
}

/** A file that a job has taken meanwhile stays as it is. */
export async function completeFileRow(ctx: AccountScope, fileId: string): Promise<void> {
  await updateScoped(ctx, 'upload_files')
    .set({ state: 'uploaded', updated_at: new Date() })
    .where('id', '=', fileId)
    .where('state', '=', 'uploading')
    .execute()
}

export async function addPart(
  ctx: AccountScope,
  fileId: string,
  part: { number: number; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateScoped(ctx, 'upload_files')
    .set({
      parts: sql`parts || jsonb_build_object(${String(part.number)}::text, ${part.bytes}::bigint)` as never,
      updated_at: new Date(),
    })
    .where('id', '=', fileId)
    .where('state', '=', 'uploading')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteFileRow(ctx: AccountScope, fileId: string): Promise<void> {
  await deleteScoped(ctx, 'upload_files').where('id', '=', fileId).execute()
}

export async function findLatestJobs(ctx: AccountScope, fileIds: readonly string[]): Promise<Map<string, JobRowData>> {
  if (fileIds.length === 0) return new Map()
  const rows = await scoped(ctx, 'upload_jobs')
    .selectAll()
    .distinctOn('file_id')
    .where('file_id', 'in', fileIds)
    .orderBy('file_id')
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.flatMap((row) => (row.file_id === null ? [] : [[row.file_id, row] as const])))
}

export async function findUndoneLoadIds(ctx: AccountScope, loadIds: readonly string[]): Promise<Set<string>> {
  if (loadIds.length === 0) return new Set()
  const undos = await scoped(ctx, 'upload_jobs')
    .select(['id', sql<string>`request->>'load_id'`.as('load_id')])
    .where('kind', '=', 'undo')
    .where('status', '=', 'completed')
    .where(sql<string>`request->>'load_id'`, 'in', loadIds)
    .execute()
  const undoneUndos = await findUndoneLoadIds(
    ctx,
    undos.map(({ id }) => id),
  )
  return new Set(undos.filter(({ id }) => !undoneUndos.has(id)).map(({ load_id }) => load_id))
}

export async function findLoadedRowCounts(ctx: AccountScope, loadIds: readonly string[]): Promise<Map<string, number>> {
  if (loadIds.length === 0) return new Map()
  const rows = await scoped(ctx, 'upload_jobs')
    .select(['id', sql<string | null>`load->>'rows'`.as('rows')])
    .where('id', 'in', loadIds)
    .execute()
  return new Map(rows.flatMap(({ id, rows: rowCount }) => (rowCount === null ? [] : [[id, Number(rowCount)] as const])))
}

export async function insertJob(
  ctx: AccountScope,
  values: Omit<Insertable<Tables['upload_jobs']>, 'account_id'>,
): Promise<JobRowData | undefined> {
  return (await insertScoped(ctx, 'upload_jobs', values)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()) as JobRowData | undefined
}

export async function findJob(
  ctx: AccountScope,
  { workspaceId, jobId }: Workspace & { jobId: string },
): Promise<JobRowData | undefined> {
  return await scoped(ctx, 'upload_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

export async function findJobs(
  ctx: AccountScope,
  where: Workspace & { status: JobRowData['status'] | undefined; limit: number },
): Promise<JobRowData[]> {
  return await scoped(ctx, 'upload_jobs')
    .selectAll()
    .where('workspace_id', '=', where.workspaceId)
    .$if(where.status !== undefined, (query) => query.where('status', '=', where.status as JobRowData['status']))
    .orderBy('created_at', 'desc')
    .limit(where.limit)
    .execute()
}

export async function requestJobCancel(ctx: AccountScope, jobId: string): Promise<boolean> {
  const { numUpdatedRows } = await updateScoped(ctx, 'upload_jobs')
    .set({ is_cancel_wanted: true })
    .where('id', '=', jobId)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function findBadRows(
  ctx: AccountScope,
  { fileId, after, limit }: { fileId: string; after: number; limit: number },
): Promise<BadRowData[]> {
  return await scoped(ctx, 'upload_bad_rows')
    .select(['row_number', 'line_number', 'column_name', 'value', 'reason', 'raw'])
    .where('file_id', '=', fileId)
    .where('row_number', '>', after)
    .orderBy('row_number')
    .limit(limit)
    .execute()
}

export async function findJobRow({ db }: WithDb, jobId: string): Promise<JobRowData | undefined> {
  return await db.selectFrom('upload_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
}

export async function findFileRow({ db }: WithDb, fileId: string): Promise<FileRowData | undefined> {
  return await db.selectFrom('upload_files').selectAll().where('id', '=', fileId).executeTakeFirst()
}

/** Current roles of the job's starter. */
export async function findProfileRoles(
  { db }: WithDb,
  job: Pick<JobRowData, 'account_id' | 'workspace_id' | 'profile_id'>,
): Promise<CallerRoles> {
  const row = await db
    .selectFrom('account_members')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.profile_id', '=', 'account_members.profile_id')
        .on('workspace_members.workspace_id', '=', job.workspace_id),
    )
    .select(['account_members.role', 'workspace_members.role as given'])
    .where('account_members.account_id', '=', job.account_id)
    .where('account_members.profile_id', '=', job.profile_id ?? -1)
    .executeTakeFirst()
  if (!row) return { accountRole: null, workspaceRole: null }
  return { accountRole: row.role, workspaceRole: toWorkspaceRole(row.role, row.given) }
}

export async function saveHeartbeat(
  { db }: WithDb,
  jobId: string,
  progress: object,
): Promise<'go' | 'cancel' | 'over'> {
  const row = await db
    .updateTable('upload_jobs')
    .set({ progress: JSON.stringify(progress), beat_at: new Date() })
    .where('id', '=', jobId)
    .where('status', '=', 'in_progress')
    .returning('is_cancel_wanted')
    .executeTakeFirst()
  return row === undefined ? 'over' : row.is_cancel_wanted ? 'cancel' : 'go'
}

export async function endJob(
  { db }: WithDb,
  jobId: string,
  outcome: { status: 'completed' | 'failed' | 'cancelled'; error?: string; load?: object },
): Promise<void> {
  await db
    .updateTable('upload_jobs')
    .set({
      status: outcome.status,
      error: outcome.error ?? null,
      load: outcome.load ? JSON.stringify(outcome.load) : null,
      finished_at: new Date(),
    })
    .where('id', '=', jobId)
    .where('status', '=', 'in_progress')
    .execute()
}

export async function setFile(
  { db }: WithDb,
  fileId: string,
  values: Updateable<Tables['upload_files']>,
): Promise<void> {
  await db
    .updateTable('upload_files')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', fileId)
    .execute()
}

export async function clearStage({ db }: WithDb, fileId: string, stagedFrom: string): Promise<void> {
  await db
    .updateTable('upload_files')
    .set({ staged_from: null })
    .where('id', '=', fileId)
    .where('staged_from', '=', stagedFrom)
    .execute()
}

export async function replaceBadRows(
  { db }: WithDb,
  file: { id: string; account_id: number },
  rejected: readonly RejectedRow[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('upload_bad_rows').where('file_id', '=', file.id).execute()
    for (let start = 0; start < rejected.length; start += 500) {
      const batch = rejected.slice(start, start + 500).map((row) => ({
        account_id: file.account_id,
        file_id: file.id,
        row_number: row.row,
        line_number: row.line,
        column_name: row.column,
        value: row.value === null ? null : replaceZeroCharacters(row.value),
        reason: row.reason,
        raw: replaceZeroCharacters(row.raw),
      }))
      await tx.insertInto('upload_bad_rows').values(batch).execute()
    }
  })
}

/** Text of Postgres has no zero characters. */
const replaceZeroCharacters = (text: string) => text.replaceAll('\0', '\u2400')

export async function listRejectedRows({ db }: WithDb, fileId: string): Promise<RejectedRow[]> {
  const rows = await db
    .selectFrom('upload_bad_rows')
    .select(['row_number', 'line_number', 'column_name', 'value', 'reason', 'raw'])
    .where('file_id', '=', fileId)
    .orderBy('row_number')
    .execute()
  return rows.map(toRejectedRow)
}

const toRejectedRow = ({ row_number, line_number, column_name, ...row }: BadRowData): RejectedRow => ({
  row: row_number,
  line: line_number,
  column: column_name,
  ...row,
})
