import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import type * as schemas from '@trellis/contract/explorer/explorer.schemas'
import { transaction } from '@trellis/control-db/database'
import * as tables from '@trellis/workspace-db/catalogue/change-tables'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { renameInReceipts, renameSchemaInReceipts } from '@trellis/loads/rename-receipts'
import * as places from '@trellis/workspace-db/schemas/change-schemas'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { getSchema, getTable, withReaderSession, withWriterSession } from './open-session.service.ts'
import { renameRemembered, renameRememberedSchema } from './remembered.repository.ts'

type DoneResponse = { done: true }
const DONE: DoneResponse = { done: true }

export async function createSchema(ctx: WorkspaceCtx, body: z.infer<typeof schemas.NewSchema>): Promise<DoneResponse> {
  const { cluster, key } = await openDatabase(ctx, body.integration_trellis_code)
  await places.createSchema(cluster, { key, name: body.schema_name }).catch(nameTaken('schema', '/schema_name'))
  return DONE
}

export async function renameSchema(
  ctx: WorkspaceCtx,
  body: z.infer<typeof schemas.RenameSchema>,
): Promise<DoneResponse> {
  const target = { integrationCode: body.integration_trellis_code }
  const database = await openDatabase(ctx, target.integrationCode)
  const { name } = await withReaderSession(ctx, target, (session) => getSchema(session, body.schema_name))
  if (name === body.new_schema_name) return DONE
  await transaction(ctx, async (ctx) => {
    await renameRememberedSchema(ctx, body, body.new_schema_name)
    await places
      .renameSchema(database.cluster, { key: database.key, name, newName: body.new_schema_name })
      .catch(nameTaken('schema', '/new_schema_name'))
  })
  await withWriterSession(ctx, target, (session) => renameSchemaInReceipts(session, name, body.new_schema_name))
  return DONE
}

export async function createTable(ctx: WorkspaceCtx, body: z.infer<typeof schemas.NewTable>): Promise<DoneResponse> {
  const names = body.columns.map((column) => column.name)
  const twin = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twin >= 0) {
    const source = { pointer: `/columns/${twin}/name` }
    throw new AppError('invalid_request', `There are two columns named "${names[twin]}".`, { source })
  }
  await withWriterSession(ctx, { integrationCode: body.integration_trellis_code }, async (session) => {
    const schema = await getSchema(session, body.schema_name)
    const columns = body.columns.map((column) => ({
      name: column.name,
      type: COLUMN_TYPES[column.type].postgres,
      isNullable: column.is_nullable,
      isPrimaryKey: column.is_primary_key,
    }))
    await tables
      .createTable(session, { schema, name: body.table_name, columns })
      .catch(nameTaken('table', '/table_name'))
  })
  return DONE
}

export async function renameTable(ctx: WorkspaceCtx, body: z.infer<typeof schemas.RenameTable>): Promise<DoneResponse> {
  await withWriterSession(ctx, { integrationCode: body.integration_trellis_code }, async (session) => {
    const table = await getTable(session, body)
    if (table.name === body.new_table_name) return
    const change = { schema: table.schema, table: table.name, newName: body.new_table_name }
    await transaction(ctx, async (ctx) => {
      await renameRemembered(ctx, body, body.new_table_name)
      await inTransaction(session, async () => {
        await tables.renameTable(session, table, body.new_table_name).catch(nameTaken('table', '/new_table_name'))
        await renameInReceipts(session, change)
      })
    })
  })
  return DONE
}

const TAKEN = new Set(['42P06', '42P07', '42710'])

function nameTaken(what: 'schema' | 'table', pointer: string) {
  return (error: unknown): never => {
    if (!TAKEN.has((error as { sqlState?: string }).sqlState ?? '')) throw error
    throw new AppError('conflict', `A ${what} with this name exists already. Choose another one.`, {
      source: { pointer },
      cause: error,
    })
  }
}
