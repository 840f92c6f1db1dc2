import { createHash } from 'node:crypto'
import type { TableKind } from '@trellis/workspace-db/catalogue/visible'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findLabelsOfTables } from './labels.repository.ts'
import { readCatalogueNames, withReaderSession } from './open-session.service.ts'

export interface NamedTable {
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
}

export async function listTableNames(ctx: WorkspaceCtx, integrationCode: string): Promise<readonly NamedTable[]> {
  return await withReaderSession(ctx, { integrationCode }, async (session, database) => {
    const { tables } = await readCatalogueNames(session, database)
    return tables.map(({ schema, name, kind }) => ({ schema, name, kind }))
  })
}

export async function listUnreadableTables(
  ctx: WorkspaceCtx,
  integrationCode: string,
  tables: readonly { readonly schema: string; readonly name: string }[],
): Promise<{ schema: string; name: string }[]> {
  return await withReaderSession(ctx, { integrationCode }, async (session) => {
    const { rows } = await session.query({
      text: `select n.nspname, c.relname from json_to_recordset($1::json) t(schema text, name text)
               join pg_namespace n on n.nspname = t.schema join pg_class c on c.relnamespace = n.oid and c.relname = t.name
              where not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))`,
      values: [JSON.stringify(tables)],
    })
    return rows.map(([schema, name]) => ({ schema: schema ?? '', name: name ?? '' }))
  })
}

export async function listTableLabels(
  ctx: WorkspaceCtx,
  integrationCode: string,
  schemas: Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const schema_name of schemas) {
    const labels = await findLabelsOfTables(ctx, { integration_trellis_code: integrationCode, schema_name })
    for (const [table, given] of labels) {
      found.set(
        JSON.stringify([schema_name, table]),
        given.map(({ name }) => name),
      )
    }
  }
  return found
}

export async function readColumnNames(
  ctx: WorkspaceCtx,
  integrationCode: string,
  tables: readonly { readonly schema: string; readonly name: string }[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  return await withReaderSession(ctx, { integrationCode, limits: { maxRows: MAX_SHAPES } }, async (session) => {
    const { rows } = await session.query({
      text: `select t.schema, t.name, json_agg(a.attname)
               from (select distinct schema, name from json_to_recordset($1::json) t(schema text, name text)) t
               join pg_namespace n on n.nspname = t.schema join pg_class c on c.relnamespace = n.oid and c.relname = t.name
               join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
              group by t.schema, t.name`,
      values: [JSON.stringify(tables.map(({ schema, name }) => ({ schema, name })))],
    })
    return new Map(
      rows.map(([schema, name, names]) => [
        JSON.stringify([schema, name]),
        new Set(JSON.parse(names ?? '[]') as string[]),
      ]),
    )
  })
}

/** Hash of column names and types, by `["schema","table"]`. */
export async function readTableShapes(
  ctx: WorkspaceCtx,
  integrationCode: string,
): Promise<ReadonlyMap<string, string>> {
  return await withReaderSession(ctx, { integrationCode, limits: { maxRows: MAX_SHAPES } }, async (session) => {
    const { rows } = await session.query({
      text: `select n.nspname, c.relname, md5(string_agg(a.attname || ' ' || a.atttypid::text, ',' order by a.attnum))
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
               join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
              where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~* '^(pg_|trellis|information_schema$)'
              group by n.nspname, c.relname`,
    })
    return new Map(rows.map(([schema, name, hash]) => [JSON.stringify([schema, name]), hash ?? '']))
  })
}

/** Changes when a column changes or a table appears or disappears. */
export function hashShapes(
  shapes: ReadonlyMap<string, string>,
  tables: readonly { readonly schema: string; readonly name: string }[],
): string {
  const seen = tables.map(({ schema, name }) => [schema, name, shapes.get(JSON.stringify([schema, name])) ?? null])
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex')
}

const MAX_SHAPES = 100_000
