import { allows } from '@trellis/contract/core/permissions'
import type { Deletion, RecycleBin, Restored } from '@trellis/contract/explorer/recycle-bin.schemas'
import { transaction } from '@trellis/control-db/database'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { purgeFromBin } from '@trellis/workspace-db/recycle-bin/purge-bin'
import { restoreFromBin } from '@trellis/workspace-db/recycle-bin/restore-from-bin'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { withWriterSession } from '../explorer/open-session.service.ts'
import { insertLabelled } from '../explorer/remembered-tables.service.ts'
import { toConflict } from './delete-to-bin.service.ts'
import { type DeletionRow, deleteDeletion, findDeletion, findDeletions } from './recycle-bin.repository.ts'

export async function listDeletions(ctx: WorkspaceCtx): Promise<z.infer<typeof RecycleBin>> {
  const items = (await findDeletions(ctx)).map(toDeletion)
  return { items, size_bytes: items.reduce((total, { size_bytes }) => total + size_bytes, 0) }
}

const toDeletion = (row: DeletionRow): Deletion => ({
  deletion_code: row.code,
  integration_trellis_code: row.integration_code,
  kind: row.kind,
  schema_name: row.schema_name,
  table_name: row.table_name,
  tables: row.tables,
  rows_estimate: row.rows_estimate,
  size_bytes: row.size_bytes,
  deleted_at: row.deleted_at.toISOString(),
  deleted_by: row.deleted_by_name,
  purge_at: row.purge_at.toISOString(),
})

const NOT_THERE = 'This is not in the recycle bin any more.'
const FOR_ADMINS = 'Only an admin of the workspace can restore a schema or delete it for good.'

/** Restoring a schema requires the right to delete one. */
async function getDeletion(ctx: WorkspaceCtx, code: string): Promise<DeletionRow> {
  const row = await findDeletion(ctx, code)
  if (!row) throw new AppError('not_found', NOT_THERE)
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (row.kind === 'schema' && !allows('explorer:manage', callerRoles)) throw new AppError('forbidden', FOR_ADMINS)
  return row
}

export async function restoreDeletion(
  ctx: WorkspaceCtx,
  code: string,
  newName: string | undefined,
): Promise<z.infer<typeof Restored>> {
  const row = await getDeletion(ctx, code)
  const { cluster, key } = await openDatabase(ctx, row.integration_code)
  const { schema, table, unchecked, notes } = await transaction(ctx, async (ctx) => {
    await insertLabelled(
      ctx,
      row.labels.map((label) => ({
        label_id: label.label_id,
        integration_trellis_code: row.integration_code,
        ...withNewName(row, label, newName),
      })),
    )
    await deleteDeletion(ctx, code)
    return await restoreFromBin(cluster, { key, binKey: code, newName })
  }).catch(async (error: unknown) => {
    const isGone = error instanceof WorkspaceDbError && error.code === 'missing'
    if (isGone) await transaction(ctx, (ctx) => deleteDeletion(ctx, code))
    throw toConflict(error)
  })
  const failed = await checkKeys(ctx, row.integration_code, unchecked)
  ctx.http.addAuditDetail({ deletion: code, what: table === null ? schema : `${schema}.${table}` })
  return { schema_name: schema, table_name: table, notes: [...notes, ...failed] }
}

function withNewName(
  row: DeletionRow,
  { schema, table }: { schema: string; table: string },
  newName: string | undefined,
) {
  const isTable = row.kind === 'table' && schema === row.schema_name && table === row.table_name
  const isSchema = row.kind === 'schema' && schema === row.schema_name
  return { schema_name: isSchema ? (newName ?? schema) : schema, table_name: isTable ? (newName ?? table) : table }
}

const CHECK_MS = 60_000

/** As owner: user-defined operators may run. If old rows violate the key, it applies to new rows only. */
async function checkKeys(
  ctx: WorkspaceCtx,
  integrationCode: string,
  keys: readonly { table: string; name: string }[],
): Promise<string[]> {
  if (keys.length === 0) return []
  const notes: string[] = []
  await withWriterSession(
    ctx,
    { integrationCode, limits: { statementMs: CHECK_MS }, isMakingRoom: true },
    async (session) => {
      for (const { table, name } of keys) {
        await session.query({ text: `alter table ${table} validate constraint ${name}` }).catch((error: unknown) => {
          const why = error instanceof WorkspaceDbError ? error.message : 'It could not be checked.'
          notes.push(`The foreign key ${name} of ${table} holds for new rows only: ${why}`)
        })
      }
    },
  )
  return notes
}

export async function purgeDeletion(ctx: WorkspaceCtx, code: string): Promise<{ done: true }> {
  const row = await getDeletion(ctx, code)
  const { cluster, key } = await openDatabase(ctx, row.integration_code)
  await purgeFromBin(cluster, { key, binKey: code }).catch((error: unknown) => {
    throw toConflict(error)
  })
  await deleteDeletion(ctx, code)
  const { schema_name, table_name } = row
  ctx.http.addAuditDetail({ deletion: code, what: table_name === null ? schema_name : `${schema_name}.${table_name}` })
  return { done: true }
}
