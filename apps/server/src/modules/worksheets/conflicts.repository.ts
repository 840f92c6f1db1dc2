import { type AccountScope, deleteScoped, insertScoped, scoped } from '@trellis/control-db/scoped'

export interface ConflictRow {
  readonly file_id: string
  readonly base_path: string | null
  readonly base_blob: string | null
  readonly theirs_path: string | null
  readonly theirs_blob: string | null
}

export async function findConflicts(ctx: AccountScope, branchId: number): Promise<Map<string, ConflictRow>> {
  const rows = await scoped(ctx, 'worksheet_conflicts')
    .select(['file_id', 'base_path', 'base_blob', 'theirs_path', 'theirs_blob'])
    .where('branch_id', '=', branchId)
    .execute()
  return new Map(rows.map((row) => [row.file_id, row]))
}

export async function insertConflict(ctx: AccountScope, branchId: number, row: ConflictRow): Promise<void> {
  await insertScoped(ctx, 'worksheet_conflicts', { branch_id: branchId, ...row }).execute()
}

export async function deleteConflict(ctx: AccountScope, branchId: number, fileId: string): Promise<void> {
  await deleteScoped(ctx, 'worksheet_conflicts')
    .where('branch_id', '=', branchId)
    .where('file_id', '=', fileId)
    .execute()
}
