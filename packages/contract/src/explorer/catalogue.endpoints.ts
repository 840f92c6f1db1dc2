import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { DatabaseParams, TableKind } from './explorer.schemas.ts'

/** Parallel arrays instead of an object per column: a catalogue of 20,000 tables is sent to every editor. */
const CatalogueTable = z.object({
  schema: z.string(),
  name: z.string(),
  kind: TableKind,
  comment: z.nullable(z.string()),
  columns: z.array(z.string()),
  types: z.array(z.string()),
  column_comments: z.record(z.string(), z.string()),
})
export type CatalogueTable = z.infer<typeof CatalogueTable>

const CatalogueForeignKey = z.object({
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  foreign_schema: z.string(),
  foreign_table: z.string(),
  foreign_columns: z.array(z.string()),
})
export type CatalogueForeignKey = z.infer<typeof CatalogueForeignKey>

const CatalogueFunction = z.object({
  schema: z.string(),
  name: z.string(),
  /** As Postgres prints them, with names and defaults. */
  arguments: z.string(),
  result: z.string(),
  kind: z.enum(['function', 'aggregate', 'window', 'procedure']),
  comment: z.nullable(z.string()),
})
export type CatalogueFunction = z.infer<typeof CatalogueFunction>

export const CataloguePage = z.object({
  /** Changes with every definition or comment. */
  version: z.string(),
  /** The caller's version is current; the rest is omitted. */
  is_unchanged: z.boolean(),
  search_path: z.array(z.string()),
  schemas: z.array(z.string()),
  tables: z.array(CatalogueTable),
  foreign_keys: z.array(CatalogueForeignKey),
  functions: z.array(CatalogueFunction),
  next_after: z.nullable(z.int()),
})
export type CataloguePage = z.infer<typeof CataloguePage>

export const getCatalogue = defineEndpoint({
  id: 'getCatalogue',
  feature: 'explorer',
  permission: 'explorer:read',
  method: 'GET',
  path: '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager/catalogue/:integration_trellis_code',
  summary: 'Tables, columns, foreign keys and functions of a database for an editor, a page at a time',
  params: DatabaseParams,
  query: z.object({
    known_version: z.optional(z.string().check(z.maxLength(100))),
    /** `next_after` of the previous page. */
    after: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(4_294_967_295))),
  }),
  response: CataloguePage,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})

export const catalogueEndpoints = [getCatalogue]
