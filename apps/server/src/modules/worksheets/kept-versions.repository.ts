import type { DRAFT_VERSION_REASONS } from '@trellis/contract/worksheets/worksheets.schemas'
import { type AccountScope, insertScoped, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export type KeptReason = (typeof DRAFT_VERSION_REASONS)[number]

export interface KeptVersionRow {
  readonly id: number
  readonly path: string
  readonly reason: string
  readonly size_bytes: number
  readonly saved_at: Date
}

const MAX_KEPT_PER_FILE = 50
const MAX_KEPT_BYTES = 50 * 1024 * 1024

export async function saveVersion(
  ctx: AccountScope,
  branchId: number,
  kept: { fileId: string; path: string; content: string; reason: KeptReason; at: Date },
): Promise<void> {
  if (kept.content === '') return
  await insertScoped(ctx, 'worksheet_draft_versions', {
    branch_id: branchId,
    file_id: kept.fileId,
    path: kept.path,
    content: kept.content,
    size_bytes: Buffer.byteLength(kept.content),
    reason: kept.reason,
    saved_at: kept.at,
  }).execute()
  await sql`
    delete from worksheet_draft_versions where account_id = ${ctx.account.id} and id in (
      select id from (
        select id, row_number() over (partition by file_id order by id desc) as place,
               sum(size_bytes) over (order by id desc) as bytes
          from worksheet_draft_versions where branch_id = ${branchId}) kept
       where place > ${MAX_KEPT_PER_FILE} or bytes > ${MAX_KEPT_BYTES})`.execute(ctx.db)
}

export async function findKeptVersions(ctx: AccountScope, branchId: number, fileId: string): Promise<KeptVersionRow[]> {
  return await scoped(ctx, 'worksheet_draft_versions')
    .select(['id', 'path', 'reason', 'size_bytes', 'saved_at'])
    .where('branch_id', '=', branchId)
    .where('file_id', '=', fileId)
    .orderBy('id', 'desc')
    .execute()
}

export async function findKeptVersion(
  ctx: AccountScope,
  branchId: number,
  where: { fileId: string; id: number },
): Promise<(KeptVersionRow & { content: string }) | undefined> {
  return await scoped(ctx, 'worksheet_draft_versions')
    .select(['id', 'path', 'reason', 'size_bytes', 'saved_at', 'content'])
    .where('branch_id', '=', branchId)
    .where('file_id', '=', where.fileId)
    .where('id', '=', where.id)
    .executeTakeFirst()
}

export async function findKeptFiles(
  ctx: AccountScope,
  branchId: number,
): Promise<(KeptVersionRow & { file_id: string })[]> {
  return await scoped(ctx, 'worksheet_draft_versions')
    .distinctOn('file_id')
    .select(['file_id', 'id', 'path', 'reason', 'size_bytes', 'saved_at'])
    .where('branch_id', '=', branchId)
    .orderBy('file_id')
    .orderBy('id', 'desc')
    .execute()
}
