import { randomBytes } from 'node:crypto'
import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import { RECYCLE_BIN_DAYS } from '@trellis/contract/explorer/recycle-bin.schemas'
import { transaction } from '@trellis/control-db/database'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { DeletedObjects } from '@trellis/workspace-db/recycle-bin/deleted-objects'
import { moveToBin } from '@trellis/workspace-db/recycle-bin/move-to-bin'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { readUsage, toUsage } from '../dependencies/dependencies.service.ts'
import type { UsageTarget } from '../explorer/catalogue-usage.service.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { findLabelsOn, deleteRememberedTable } from '../explorer/remembered-tables.service.ts'
import { type KeptLabel, deleteDeletion, insertDeletion, markMoved } from './recycle-bin.repository.ts'

export interface Agreement {
  readonly cascade?: boolean | undefined
  readonly confirmed?: string | undefined
}

export async function deleteToBin(
  ctx: WorkspaceCtx,
  target: UsageTarget,
  agreement: Agreement,
): Promise<{ done: true; deletion_code: string }> {
  const { cluster, key } = await openDatabase(ctx, target.integrationCode)
  const usage = await readUsage(ctx, target)
  assertAgreed(agreement, usage)
  const others = usage.used_by.filter(isOutside)
  const code = randomBytes(8).toString('hex')
  await transaction(ctx, (ctx) => insertDeletion(ctx, buildDeletionRow(ctx, code, target)))
  const { schema, table } = target
  const agree = (deletedObjects: DeletedObjects) => assertAgreed(agreement, toUsage(target, deletedObjects, others))
  const deleted = await moveToBin(cluster, { key, binKey: code, schema, table, assertAgreed: agree }).catch(
    async (error: unknown) => {
      await transaction(ctx, (ctx) => deleteDeletion(ctx, code))
      throw toConflict(error)
    },
  )
  await transaction(ctx, (ctx) => removeLabels(ctx, { code, place: target, deleted }))
  ctx.http.addAuditDetail({ deletion: code, what: table === undefined ? schema : `${schema}.${table}` })
  return { done: true, deletion_code: code }
}

const isOutside = ({ kind }: Dependent) =>
  !['view', 'materialized_view', 'foreign_key', 'table', 'function', 'object'].includes(kind)

function buildDeletionRow(ctx: WorkspaceCtx, code: string, { integrationCode, schema, table }: UsageTarget) {
  const now = ctx.clock.now()
  return {
    code,
    integration_code: integrationCode,
    kind: table === undefined ? ('schema' as const) : ('table' as const),
    schema_name: schema,
    table_name: table ?? null,
    deleted_by: ctx.actor.profileId,
    deleted_at: now,
    purge_at: new Date(now.getTime() + RECYCLE_BIN_DAYS * 86_400_000),
  }
}

interface BinnedTable {
  readonly code: string
  readonly place: UsageTarget
  readonly deleted: DeletedObjects
}

/** Labels are in the control database: removed here, restored with the tables. */
async function removeLabels(ctx: WorkspaceCtx, { code, place, deleted }: BinnedTable): Promise<void> {
  const keys = new Set(deleted.relations.map(({ schema, name }) => JSON.stringify([schema, name])))
  const labelled = await findLabelsOn(ctx, place.integrationCode)
  const labels: KeptLabel[] = labelled
    .filter(({ schema_name, table_name }) => keys.has(JSON.stringify([schema_name, table_name])))
    .map(({ schema_name, table_name, label_id }) => ({ schema: schema_name, table: table_name, label_id }))
  for (const { schema, name } of deleted.relations) {
    const key = { integration_trellis_code: place.integrationCode, schema_name: schema, table_name: name }
    await deleteRememberedTable(ctx, key)
  }
  const { tables, views, rows_estimate, size_bytes } = toUsage(place, deleted, [])
  await markMoved(ctx, code, { tables: tables + views, rows_estimate, size_bytes, labels })
}

const CHANGED =
  'What depends on it is not what was agreed to any more. Look at the list again and decide anew. Nothing was deleted.'

function assertAgreed(
  { cascade, confirmed }: Agreement,
  usage: Pick<ReturnType<typeof toUsage>, 'used_by' | 'needs_cascade' | 'confirmation' | 'tables' | 'views'>,
): void {
  const blocking = usage.used_by.filter(({ effect }) => effect === 'blocks')
  if (blocking.length > 0) {
    throw new AppError(
      'conflict',
      `This can not be deleted while it is used by ${nameSome(blocking)}. Change that first.`,
    )
  }
  if (!usage.needs_cascade) return
  if (cascade) {
    if (usage.confirmation !== confirmed) throw new AppError('conflict', CHANGED)
    return
  }
  const users = usage.used_by.filter(({ effect }) => effect !== 'kept')
  if (users.length === 0) {
    const count = usage.tables + usage.views
    throw new AppError(
      'conflict',
      `It holds ${count} ${count === 1 ? 'table or view' : 'tables and views'}. Agree to delete them too.`,
    )
  }
  throw new AppError(
    'conflict',
    `Something depends on it: ${nameSome(users)}. Delete it together with what depends on it, or change that first.`,
  )
}

const NAMED = 5

function nameSome(items: readonly Dependent[]): string {
  const named = items
    .slice(0, NAMED)
    .map(({ kind, schema_name, name }) =>
      kind === 'object'
        ? name
        : `${kind.replaceAll('_', ' ')} ${schema_name === null ? name : `${schema_name}.${name}`}`,
    )
  const rest = items.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const IN_USE = 'It is being read or written right now. Try again in a moment. Nothing was deleted.'

export function toConflict(error: unknown): unknown {
  if (!(error instanceof WorkspaceDbError)) return error
  if (error.code === 'locked') return new AppError('conflict', IN_USE, { cause: error })
  if (error.code === 'missing') return new AppError('not_found', error.message, { cause: error })
  return error.code === 'refused' ? new AppError('conflict', error.message, { cause: error }) : error
}
