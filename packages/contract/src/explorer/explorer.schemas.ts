import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { COLUMN_TYPE_NAMES, MAX_COLUMNS } from './column-types.ts'
import { FILE_FORMATS } from './file-formats.ts'
import { FilterList, Filter, MAX_FILTERS } from './filters.ts'
import { ObjectName, NewColumnName, NewSchemaName, NewTableName } from './names.ts'

export const IntegrationCode = z.string().check(z.minLength(1), z.maxLength(64))

export const DatabaseParams = z.extend(WorkspaceParams, { integration_trellis_code: IntegrationCode })
export const SchemaParams = z.extend(DatabaseParams, { schema_name: ObjectName })
export const TableParams = z.extend(SchemaParams, { table_name: ObjectName })

const TABLE_KINDS = ['table', 'partitioned_table', 'view', 'materialized_view', 'foreign_table'] as const
export const TableKind = z.enum(TABLE_KINDS)

export const Label = z.object({ id: z.int(), name: z.string(), color: z.string() })
export type Label = z.infer<typeof Label>
export const LABEL_COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
const LabelName = z
  .string({ error: 'Field required' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Field required', abort: true }),
    z.maxLength(40, 'Label must be at most 40 characters long'),
    visibleName,
  )
export const LabelCreate = z.object({ name: LabelName, color: z.enum(LABEL_COLORS) })
export const LabelUpdate = z.object({
  id: z.int(),
  name: z.optional(LabelName),
  color: z.optional(z.enum(LABEL_COLORS)),
})
export const LabelId = z.object({ id: z.int() })

const TableRef = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  table_name: ObjectName,
})
const SchemaRef = z.object({ integration_trellis_code: IntegrationCode, schema_name: ObjectName })
/**
 * Without `cascade` nothing is deleted while something depends on it or a schema is not empty. With it, `confirmed`
 * must be the `confirmation` of the current usage: new dependents since then refuse the deletion.
 */
const WithDependents = {
  cascade: z.optional(z.stringbool()),
  confirmed: z.optional(z.string().check(z.maxLength(40))),
}
export const SchemaDelete = z.extend(SchemaRef, WithDependents)
export const TableDelete = z.extend(TableRef, WithDependents)
export const TableLabel = z.extend(TableRef, { label_id: z.int() })
export const TableLabels = z.extend(TableRef, { label_ids: z.array(z.int()).check(z.maxLength(50)) })

export const Database = z.object({
  integration_trellis_code: z.string(),
  name: z.string(),
  /** `managed`: the workspace's own database. */
  kind: z.enum(['managed', 'integration']),
  state: z.enum(['online', 'provisioning', 'failed', 'unreachable']),
  size_bytes: z.nullable(z.int()),
})
export type Database = z.infer<typeof Database>

const SchemaSummaryLine = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  table_count: z.int(),
  view_count: z.int(),
})
export const DatabaseInformation = z.extend(Database, {
  server_version: z.string(),
  schemas: z.array(SchemaSummaryLine),
})

export const TableLine = z.object({
  name: z.string(),
  kind: TableKind,
  /** The planner's estimate; null before the first ANALYZE. */
  rows_estimate: z.nullable(z.int()),
  size_bytes: z.int(),
  description: z.nullable(z.string()),
  labels: z.array(Label),
})
export type TableLine = z.infer<typeof TableLine>

export const LIST_PAGE = 200
export const TableListQuery = z.object({
  search: z.optional(z.string().check(z.maxLength(200))),
  label_id: z.optional(z.coerce.number().check(z.int())),
  /** The last name of the previous page. */
  after: z.optional(z.string().check(z.maxLength(255))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
})
export const TableList = z.object({ items: z.array(TableLine), next_after: z.nullable(z.string()) })

export const SearchQuery = z.object({
  search: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
})
export const SearchHit = z.object({
  schema_name: z.string(),
  table_name: z.string(),
  kind: TableKind,
  column_name: z.nullable(z.string()),
})

const DEPENDENT_KINDS = [
  'view',
  'materialized_view',
  'foreign_key',
  'table',
  'function',
  'sequence',
  'object',
  'dataflow',
  'worksheet',
  'spark',
  'ai_project',
  'verified_question',
  'metric',
  'role',
  'login',
  'label',
  'export',
] as const
export const Dependent = z.object({
  kind: z.enum(DEPENDENT_KINDS),
  schema_name: z.nullable(z.string()),
  name: z.string(),
  detail: z.string(),
  /**
   * `deleted` and restored together with it; `stops` working; `kept`: waits until it is restored; `blocks` the
   * deletion.
   */
  effect: z.enum(['deleted', 'stops', 'kept', 'blocks']),
  /** For links: the code of a dataflow or spark, `project/folder/file` for a worksheet. */
  code: z.nullable(z.string()),
})
export type Dependent = z.infer<typeof Dependent>

export const Usage = z.object({
  tables: z.int(),
  views: z.int(),
  rows_estimate: z.int(),
  size_bytes: z.int(),
  used_by: z.array(Dependent),
  uses: z.array(Dependent),
  /** Something depends on it, or the schema is not empty. */
  needs_cascade: z.boolean(),
  confirmation: z.string(),
})
export type Usage = z.infer<typeof Usage>

export const LoadSummary = z.object({
  load_id: z.string(),
  mode: z.enum(['new', 'append', 'replace', 'upsert', 'undo']),
  source: z.string(),
  rows: z.int(),
  finished_at: Instant,
  by: z.nullable(z.string()),
  can_undo: z.boolean(),
})

export const SchemaSummary = z.object({
  name: z.string(),
  description: z.nullable(z.string()),
  table_count: z.int(),
  view_count: z.int(),
  size_bytes: z.int(),
  rows_estimate: z.int(),
  largest: z.array(z.object({ name: z.string(), size_bytes: z.int() })),
  latest_loads: z.array(z.extend(LoadSummary, { table_name: z.string() })),
  file_count: z.int(),
})

export const ColumnStatistics = z.object({
  null_fraction: z.number(),
  /** `n_distinct` of pg_stats: a count above 0, minus the share of distinct rows below 0. */
  distinct: z.number(),
  common: z.array(z.object({ value: z.string(), share: z.number() })),
  lowest: z.nullable(z.string()),
  highest: z.nullable(z.string()),
})
export const Column = z.object({
  name: z.string(),
  type: z.string(),
  is_nullable: z.boolean(),
  default: z.nullable(z.string()),
  is_generated: z.boolean(),
  is_primary_key: z.boolean(),
  description: z.nullable(z.string()),
  statistics: z.nullable(ColumnStatistics),
})
export type Column = z.infer<typeof Column>

export const ForeignKey = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  schema_name: z.string(),
  table_name: z.string(),
  other_columns: z.array(z.string()),
})
export const TableDetails = z.object({
  table_id: z.string(),
  name: z.string(),
  schema_name: z.string(),
  kind: TableKind,
  description: z.nullable(z.string()),
  labels: z.array(Label),
  rows_estimate: z.nullable(z.int()),
  size_bytes: z.int(),
  index_bytes: z.int(),
  columns: z.array(Column),
  primary_key: z.array(z.string()),
  indexes: z.array(
    z.object({
      name: z.string(),
      method: z.string(),
      definition: z.string(),
      is_unique: z.boolean(),
      size_bytes: z.int(),
    }),
  ),
  references: z.array(ForeignKey),
  referenced_by: z.array(ForeignKey),
  dependents: z.array(Dependent),
  dependencies: z.array(Dependent),
  view_definition: z.nullable(z.string()),
  analyzed_at: z.nullable(Instant),
  last_load: z.nullable(LoadSummary),
})
export type TableDetails = z.infer<typeof TableDetails>

const Description = z
  .string()
  .check(z.maxLength(20_000, 'Description must be at most 20,000 characters long'), visibleText)
export const TableDescription = z.object({
  description: z.string(),
  columns: z.array(z.object({ name: z.string(), description: z.string() })),
})
export const TableDescriptionPut = z.object({
  description: z.optional(Description),
  columns: z.optional(
    z.array(z.object({ name: ObjectName, description: Description })).check(z.maxLength(MAX_COLUMNS)),
  ),
})

export const PREVIEW_LIMIT = 100
const PREVIEW_MAX = 1000
export const PreviewQuery = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PREVIEW_MAX))),
  sort: z.optional(ObjectName),
  direction: z.optional(z.enum(['asc', 'desc'])),
  filters: z.optional(FilterList),
  after: z.optional(z.string().check(z.maxLength(20_000))),
})
export const Preview = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string(), is_sortable: z.boolean() })),
  rows: z.array(
    z.object({ key: z.nullable(z.string()), cells: z.array(z.nullable(z.string())), cut: z.array(z.int()) }),
  ),
  next: z.nullable(z.string()),
  rows_estimate: z.nullable(z.int()),
  note: z.nullable(z.string()),
})
export type Preview = z.infer<typeof Preview>
export const CellQuery = z.object({ column: ObjectName, key: z.string().check(z.maxLength(20_000)) })
export const Cell = z.object({ value: z.nullable(z.string()), bytes: z.int(), is_cut: z.boolean() })
export const CountQuery = z.object({ filters: z.optional(FilterList) })
export const RowCount = z.object({ rows: z.int() })

export const NewTable = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  table_name: NewTableName,
  columns: z
    .array(
      z.object({
        name: NewColumnName,
        type: z.enum(COLUMN_TYPE_NAMES),
        is_nullable: z.boolean(),
        is_primary_key: z.boolean(),
      }),
    )
    .check(
      z.minLength(1, 'A table needs at least one column'),
      z.maxLength(MAX_COLUMNS, `A table may have at most ${MAX_COLUMNS} columns`),
    ),
})
export const NewSchema = z.object({ integration_trellis_code: IntegrationCode, schema_name: NewSchemaName })
export const RenameSchema = z.extend(SchemaRef, { new_schema_name: NewSchemaName })
export const RenameTable = z.extend(TableRef, { new_table_name: NewTableName })

export const ExportQuery = z.object({
  /** False: only the first rows, as the preview shows them. */
  full_export: z.optional(z.stringbool()),
})
export const ExportRequest = z.object({
  format: z._default(z.enum(FILE_FORMATS), 'csv'),
  filters: z.optional(z.array(Filter).check(z.maxLength(MAX_FILTERS))),
  sort: z.optional(ObjectName),
  direction: z.optional(z.enum(['asc', 'desc'])),
  /** Do not escape CSV cells that a spreadsheet would execute as a formula. */
  is_raw: z.optional(z.boolean()),
})
export const ExportParams = z.extend(WorkspaceParams, { job_id: z.uuid() })
export const ExportJob = z.object({
  job_id: z.string(),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  schema_name: z.string(),
  table_name: z.string(),
  format: z.enum(FILE_FORMATS),
  rows_written: z.int(),
  size_bytes: z.nullable(z.int()),
  file_name: z.string(),
  error: z.nullable(z.string()),
  created_at: Instant,
  finished_at: z.nullable(Instant),
  expires_at: Instant,
})
export type ExportJob = z.infer<typeof ExportJob>

export const SchemaDiagram = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      kind: TableKind,
      columns: z.array(
        z.object({ name: z.string(), type: z.string(), is_nullable: z.boolean(), is_primary_key: z.boolean() }),
      ),
    }),
  ),
  foreign_keys: z.array(
    z.object({
      name: z.string(),
      table_name: z.string(),
      columns: z.array(z.string()),
      other_schema_name: z.string(),
      other_table_name: z.string(),
      other_columns: z.array(z.string()),
    }),
  ),
  /** More tables than the diagram's limit. */
  is_cut: z.boolean(),
})
export type SchemaDiagram = z.infer<typeof SchemaDiagram>

const RecentWorksheet = z.object({
  project_id: z.string(),
  project_name: z.string(),
  folder_id: z.string(),
  file_id: z.string(),
  name: z.string(),
  opened_at: Instant,
})
export type RecentWorksheet = z.infer<typeof RecentWorksheet>

export const ExplorerHome = z.object({
  databases: z.array(Database),
  recent_tables: z.array(
    z.object({
      integration_trellis_code: z.string(),
      schema_name: z.string(),
      table_name: z.string(),
      opened_at: Instant,
    }),
  ),
  recent_worksheets: z.array(RecentWorksheet),
  storage: z.object({ used_bytes: z.int(), limit_bytes: z.nullable(z.int()) }),
})
