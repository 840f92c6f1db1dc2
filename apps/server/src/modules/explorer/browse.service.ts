import type * as schemas from '@trellis/contract/explorer/explorer.schemas'
import { LIST_PAGE } from '@trellis/contract/explorer/explorer.schemas'
import { listTables as readTables } from '@trellis/workspace-db/catalogue/list-tables'
import type { Names } from '@trellis/workspace-db/catalogue/read-names'
import { searchNames } from '@trellis/workspace-db/catalogue/search-names'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listOutsideDatabases } from '../integrations/outside-databases.service.ts'
import { type DatabaseRow, findOwnDatabase } from '../../platform/workspace-database/workspace-databases.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { findLabelsOfTables } from './labels.repository.ts'
import { getSchema, readCatalogueNames, withReaderSession } from './open-session.service.ts'

type DatabaseParams = { integration_trellis_code: string }
type SchemaParams = DatabaseParams & { schema_name: string }

export async function listDatabases(ctx: WorkspaceCtx): Promise<schemas.Database[]> {
  return [...(await listOwnDatabase(ctx)), ...(await listOutsideDatabases(ctx)).map((row) => toOutside(row))]
}

const OUTSIDE_STATES = { SETUP: 'provisioning', VALIDATING: 'provisioning', ACTIVE: 'online' } as const

function toOutside(row: { trellis_code: string; name: string; state: string }): schemas.Database {
  return {
    integration_trellis_code: row.trellis_code,
    name: row.name,
    kind: 'integration',
    state: OUTSIDE_STATES[row.state as keyof typeof OUTSIDE_STATES] ?? 'unreachable',
    size_bytes: null,
  }
}

async function listOwnDatabase(ctx: WorkspaceCtx): Promise<schemas.Database[]> {
  const row = await findOwnDatabase(ctx, ctx.workspace.id)
  if (!row) return []
  const size = row.database_key && row.state === 'online' ? await measure(ctx, row, row.database_key) : null
  const isUnreachable = row.state === 'online' && size === null
  return [
    {
      integration_trellis_code: managedCode(row.trellis_code),
      name: row.name,
      kind: 'managed',
      state: isUnreachable ? 'unreachable' : row.state,
      size_bytes: size,
    },
  ]
}

/** Null if the cluster is unreachable, so that the page still works. */
async function measure(ctx: WorkspaceCtx, row: DatabaseRow, key: string): Promise<number | null> {
  try {
    const cluster = await ctx.ports.cluster.openById(ctx, row.cluster_id)
    const { rows } = await cluster.admin.query<{ bytes: string | null }>('select pg_database_size($1::name) as bytes', [
      toWorkspaceNames(key).database,
    ])
    const bytes = rows[0]?.bytes ?? null
    return bytes === null ? null : Number(bytes)
  } catch (error) {
    ctx.log.warn({ err: error }, 'The database of a workspace could not be measured.')
    return null
  }
}

export async function listSchemas(ctx: WorkspaceCtx, params: DatabaseParams): Promise<string[]> {
  return await withReaderSession(ctx, { integrationCode: params.integration_trellis_code }, async (session, database) =>
    (await readCatalogueNames(session, database)).schemas.map((schema) => schema.name),
  )
}

export async function getDatabaseInformation(
  ctx: WorkspaceCtx,
  params: DatabaseParams,
): Promise<z.infer<typeof schemas.DatabaseInformation>> {
  return await withReaderSession(
    ctx,
    { integrationCode: params.integration_trellis_code },
    async (session, database) => {
      const names = await readCatalogueNames(session, database)
      const { rows } = await session.query({
        text: "select current_setting('server_version'), pg_database_size(current_database())::text",
      })
      const [version, bytes] = rows[0] ?? []
      const known =
        database.kind === 'managed'
          ? (await listOwnDatabase(ctx))[0]
          : { ...toOutside({ trellis_code: database.integrationCode, name: database.name, state: 'ACTIVE' }) }
      if (!known) throw new AppError('not_found')
      const schemas = names.schemas.map((schema) => toSchemaLine(names, schema))
      return { ...known, size_bytes: known.size_bytes ?? Number(bytes), server_version: version ?? '', schemas }
    },
  )
}

export function toSchemaLine(names: Names, schema: { name: string; description: string | null }) {
  const kinds = names.tables.filter((table) => table.schema === schema.name).map((table) => table.kind)
  const views = kinds.filter((kind) => kind === 'view' || kind === 'materialized_view').length
  return {
    name: schema.name,
    description: schema.description,
    table_count: kinds.length - views,
    view_count: views,
  }
}

export async function listTables(
  ctx: WorkspaceCtx,
  params: SchemaParams,
  query: z.infer<typeof schemas.TableListQuery>,
): Promise<z.infer<typeof schemas.TableList>> {
  const labels = await findLabelsOfTables(ctx, params)
  const { label_id } = query
  const only =
    label_id === undefined
      ? undefined
      : new Set([...labels].filter(([, of]) => of.some((label) => label.id === label_id)).map(([name]) => name))
  return await withReaderSession(
    ctx,
    { integrationCode: params.integration_trellis_code },
    async (session, database) => {
      const names = await readCatalogueNames(session, database)
      if (!names.schemas.some((schema) => schema.name === params.schema_name))
        await getSchema(session, params.schema_name)
      const page = { schema: params.schema_name, limit: query.limit ?? LIST_PAGE, only }
      const tableLines = await readTables(session, names, { ...page, search: query.search, after: query.after })
      return {
        items: tableLines.items.map((table) => ({
          name: table.name,
          kind: table.kind,
          rows_estimate: table.rowsEstimate,
          size_bytes: table.sizeBytes,
          description: table.description,
          labels: labels.get(table.name) ?? [],
        })),
        next_after: tableLines.nextAfter,
      }
    },
  )
}

const SEARCH_LIMIT = 50

export async function searchDatabase(
  ctx: WorkspaceCtx,
  params: DatabaseParams,
  query: z.infer<typeof schemas.SearchQuery>,
): Promise<z.infer<typeof schemas.SearchHit>[]> {
  // Postgres refuses NUL in a parameter.
  if (query.search.includes('\0')) return []
  return await withReaderSession(
    ctx,
    { integrationCode: params.integration_trellis_code },
    async (session, database) => {
      const names = await readCatalogueNames(session, database)
      const hits = await searchNames(session, names, { search: query.search, limit: query.limit ?? SEARCH_LIMIT })
      return hits.map((hit) => ({
        schema_name: hit.schema,
        table_name: hit.table,
        kind: hit.kind,
        column_name: hit.column,
      }))
    },
  )
}
