import type * as schemas from '@trellis/contract/explorer/explorer.schemas'
import { readStatistics } from '@trellis/workspace-db/catalogue/column-statistics'
import { describeTable } from '@trellis/workspace-db/catalogue/describe'
import { type Receipt, canUndo, listReceipts } from '@trellis/loads/receipts'
import { readSchemaSizes } from '@trellis/workspace-db/catalogue/schema-summary'
import { type ForeignKeyDetails, readTableDetails } from '@trellis/workspace-db/catalogue/table-details'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { toSchemaLine } from './browse.service.ts'
import { type TableKey, findLabelsOfTables } from './labels.repository.ts'
import {
  type ExploredDatabase,
  getSchema,
  getTable,
  readCatalogueNames,
  withReaderSession,
  toSessionTarget,
  withWriterSession,
} from './open-session.service.ts'
import { countFiles, saveOpenedTable } from './remembered.repository.ts'

const LATEST_LOADS = 10

export type { TableKey } from './labels.repository.ts'

export async function getTableDetails(
  ctx: WorkspaceCtx,
  params: TableKey,
): Promise<Omit<schemas.TableDetails, 'dependents' | 'dependencies'>> {
  const target = { integrationCode: params.integration_trellis_code }
  const details = await withReaderSession(ctx, target, async (session, database) => {
    const table = await getTable(session, params)
    const parts = await readTableDetails(session, table)
    const statistics = new Map((await readStatistics(session, table)).map((statistic) => [statistic.column, statistic]))
    const keys = new Set(table.primaryKey.map((column) => column.name))
    return {
      table_id: String(table.oid),
      name: table.name,
      schema_name: table.schema,
      kind: table.kind,
      description: parts.description,
      rows_estimate: table.rowsEstimate,
      size_bytes: parts.sizeBytes,
      index_bytes: parts.indexBytes,
      columns: parts.columns.map((column) => ({
        name: column.name,
        type: column.type,
        is_nullable: column.isNullable,
        default: column.default,
        is_generated: column.isGenerated,
        is_primary_key: keys.has(column.name),
        description: column.description,
        statistics: toStatistics(statistics.get(column.name)),
      })),
      primary_key: [...keys],
      indexes: parts.indexes.map((index) => ({
        name: index.name,
        method: index.method,
        definition: index.definition,
        is_unique: index.isUnique,
        size_bytes: index.sizeBytes,
      })),
      references: parts.references.map((key) => toForeignKey(key)),
      referenced_by: parts.referencedBy.map((key) => toForeignKey(key)),
      view_definition: parts.viewDefinition,
      analyzed_at: parts.analyzedAt,
      database,
    }
  })
  const { database, ...rest } = details
  const loads = await listLoads(database, { schema: rest.schema_name, table: rest.name })
  const labels = (await findLabelsOfTables(ctx, params)).get(rest.name) ?? []
  await saveOpenedTable(ctx, params, ctx.clock.now())
  return { ...rest, labels, last_load: loads[0] ? toLoad(loads[0], loads) : null }
}

type Statistics = Awaited<ReturnType<typeof readStatistics>>[number]

function toStatistics(knownColumnStatistics: Statistics | undefined): z.infer<typeof schemas.ColumnStatistics> | null {
  if (!knownColumnStatistics) return null
  const { nullFraction, distinct, common, lowest, highest } = knownColumnStatistics
  return { null_fraction: nullFraction, distinct, common: [...common], lowest, highest }
}

function toForeignKey(key: ForeignKeyDetails): z.infer<typeof schemas.ForeignKey> {
  return {
    name: key.name,
    columns: [...key.columns],
    schema_name: key.schema,
    table_name: key.table,
    other_columns: [...key.otherColumns],
  }
}

function toLoad(receipt: Receipt, newestFirst: readonly Receipt[]): z.infer<typeof schemas.LoadSummary> {
  const { loadId, mode, source, rows, finishedAt, by } = receipt
  return {
    load_id: loadId,
    mode,
    source,
    rows,
    finished_at: finishedAt,
    by,
    can_undo: canUndo(receipt, newestFirst),
  }
}

/** As owner, since load receipts lie next to rejected values; only the receipts are returned. */
async function listLoads(
  database: ExploredDatabase,
  about: { schema: string; table?: string },
): Promise<readonly Receipt[]> {
  if (database.kind !== 'managed') return []
  const target = toSessionTarget(database, 'rw')
  return await withCatalogueSession(database.cluster, target, (session) =>
    listReceipts(session, { ...about, limit: LATEST_LOADS }),
  )
}

export async function getSchemaSummary(
  ctx: WorkspaceCtx,
  params: Omit<TableKey, 'table_name'>,
): Promise<z.infer<typeof schemas.SchemaSummary>> {
  const target = { integrationCode: params.integration_trellis_code }
  const found = await withReaderSession(ctx, target, async (session, database) => {
    const schema = await getSchema(session, params.schema_name)
    const sizes = await readSchemaSizes(session, schema)
    return { database, sizes, line: toSchemaLine(await readCatalogueNames(session, database), schema) }
  })
  const loads = await listLoads(found.database, { schema: params.schema_name })
  return {
    ...found.line,
    size_bytes: found.sizes.sizeBytes,
    rows_estimate: found.sizes.rowsEstimate,
    largest: found.sizes.largest.map(({ name, sizeBytes }) => ({ name, size_bytes: sizeBytes })),
    latest_loads: loads.map((load) => ({ ...toLoad(load, loads), table_name: load.table })),
    file_count: await countFiles(ctx, params),
  }
}

export async function getTableDescription(
  ctx: WorkspaceCtx,
  params: TableKey,
): Promise<z.infer<typeof schemas.TableDescription>> {
  return await withReaderSession(ctx, { integrationCode: params.integration_trellis_code }, async (session) =>
    toDescription(await readTableDetails(session, await getTable(session, params))),
  )
}

export async function setTableDescription(
  ctx: WorkspaceCtx,
  params: TableKey,
  body: z.infer<typeof schemas.TableDescriptionPut>,
): Promise<z.infer<typeof schemas.TableDescription>> {
  return await withWriterSession(ctx, { integrationCode: params.integration_trellis_code }, async (session) => {
    const table = await getTable(session, params)
    for (const [at, { name }] of (body.columns ?? []).entries()) {
      if (table.columns.some((column) => column.name === name)) continue
      const source = { pointer: `/columns/${at}/name` }
      throw new AppError('invalid_request', `The table has no column "${name.slice(0, 80)}".`, { source })
    }
    await describeTable(session, table, { table: body.description, columns: body.columns })
    return toDescription(await readTableDetails(session, table))
  })
}

function toDescription(parts: Awaited<ReturnType<typeof readTableDetails>>) {
  return {
    description: parts.description ?? '',
    columns: parts.columns.map(({ name, description }) => ({ name, description: description ?? '' })),
  }
}
