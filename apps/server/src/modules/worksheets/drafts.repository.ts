import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { Draft } from './merge/trees.ts'

export interface BranchRow {
  readonly id: number
  readonly project_id: number
  readonly base_seq: number
  readonly head: string | null
  readonly head_seq: number | null
}
export interface DraftRow extends Draft {
  readonly file_id: string
  readonly version: number
  readonly kept_at: Date
  readonly updated_at: Date
}

const BRANCH = ['id', 'project_id', 'base_seq', 'head', 'head_seq'] as const

const selectBranches = (ctx: AccountScope, profileId: number) =>
  scoped(ctx, 'worksheet_branches').select(BRANCH).where('profile_id', '=', profileId)

export async function findBranch(
  ctx: AccountScope,
  where: { projectId: number; profileId: number },
): Promise<BranchRow | undefined> {
  return await selectBranches(ctx, where.profileId).where('project_id', '=', where.projectId).executeTakeFirst()
}

/** Every change of a branch holds this lock. Creates the branch if needed. */
export async function lockBranch(
  ctx: AccountScope,
  where: { projectId: number; profileId: number; liveSeq: number },
): Promise<BranchRow> {
  await insertScoped(ctx, 'worksheet_branches', {
    project_id: where.projectId,
    profile_id: where.profileId,
    base_seq: where.liveSeq,
    head: null,
    head_seq: null,
  })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await selectBranches(ctx, where.profileId)
    .where('project_id', '=', where.projectId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateBranch(
  ctx: AccountScope,
  id: number,
  change: { base_seq?: number; head?: string; head_seq?: number },
): Promise<void> {
  await updateScoped(ctx, 'worksheet_branches').set(change).where('id', '=', id).execute()
}

export async function findDrafts(ctx: AccountScope, branchId: number): Promise<Map<string, DraftRow>> {
  const rows = await scoped(ctx, 'worksheet_drafts')
    .select(['file_id', 'path', 'content', 'version', 'kept_at', 'updated_at'])
    .where('branch_id', '=', branchId)
    .orderBy('updated_at', 'desc')
    .orderBy('file_id')
    .execute()
  return new Map(rows.map((row) => [row.file_id, row]))
}

export async function findDraftLines(ctx: AccountScope, branchId: number): Promise<Map<string, DraftRow>> {
  const rows = await scoped(ctx, 'worksheet_drafts')
    .select(['file_id', 'path', 'version', 'kept_at', 'updated_at'])
    .where('branch_id', '=', branchId)
    .execute()
  return new Map(rows.map((row) => [row.file_id, { ...row, content: null }]))
}

export async function findDraft(ctx: AccountScope, branchId: number, fileId: string): Promise<DraftRow | undefined> {
  return await scoped(ctx, 'worksheet_drafts')
    .select(['file_id', 'path', 'content', 'version', 'kept_at', 'updated_at'])
    .where('branch_id', '=', branchId)
    .where('file_id', '=', fileId)
    .executeTakeFirst()
}

export async function putDraft(
  ctx: AccountScope,
  branchId: number,
  draft: Draft & { fileId: string; at: Date; keptAt: Date },
): Promise<DraftRow> {
  const values = {
    path: draft.path,
    content: draft.content,
    size_bytes: Buffer.byteLength(draft.content ?? ''),
    updated_at: draft.at,
    kept_at: draft.keptAt,
  }
  return await insertScoped(ctx, 'worksheet_drafts', { branch_id: branchId, file_id: draft.fileId, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['branch_id', 'file_id'])
        .doUpdateSet({ ...values, version: sql<number>`nextval('worksheet_draft_numbers')` }),
    )
    .returning(['file_id', 'path', 'content', 'version', 'kept_at', 'updated_at'])
    .executeTakeFirstOrThrow()
}

export async function deleteDrafts(ctx: AccountScope, branchId: number, fileIds: readonly string[]): Promise<void> {
  await deleteScoped(ctx, 'worksheet_drafts')
    .where('branch_id', '=', branchId)
    .where(sql<boolean>`file_id = any(${fileIds}::text[])`)
    .execute()
}

export async function sumDraftBytes(ctx: AccountScope, branchId: number): Promise<number> {
  const row = await scoped(ctx, 'worksheet_drafts')
    .select(({ fn }) => fn.sum<string | null>('size_bytes').as('bytes'))
    .where('branch_id', '=', branchId)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export async function findFolders(ctx: AccountScope, branchId: number): Promise<string[]> {
  const rows = await scoped(ctx, 'worksheet_folders').select('path').where('branch_id', '=', branchId).execute()
  return rows.map(({ path }) => path)
}

export async function insertFolders(ctx: AccountScope, branchId: number, paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths)) {
    await insertScoped(ctx, 'worksheet_folders', { branch_id: branchId, path })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function deleteFolders(ctx: AccountScope, branchId: number, paths: readonly string[]): Promise<void> {
  await deleteScoped(ctx, 'worksheet_folders')
    .where('branch_id', '=', branchId)
    .where(sql<boolean>`path = any(${paths}::text[])`)
    .execute()
}
