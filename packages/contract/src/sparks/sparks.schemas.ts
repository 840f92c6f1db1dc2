import * as z from 'zod/mini'
import { ChartSpec } from '../charts/charts.schemas.ts'
import { QueryAccount } from '../ai/message-parts.schemas.ts'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { IntegrationCode } from '../explorer/explorer.schemas.ts'
import { ObjectName } from '../explorer/names.ts'
import { ResultColumn } from '../sql/sql.schemas.ts'
import { ParameterValues } from './spark-bridge.schemas.ts'
import { MAX_SPARK_PARAMETERS, SparkContent, SparkParameter, SparkSource } from './spark-content.schemas.ts'

export const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
const Name = z
  .string({ error: 'Name is required' })
  .check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(200), visibleName)
const Description = z.string().check(z.maxLength(2000), visibleText)

export const SparkParams = z.extend(WorkspaceParams, { spark_trellis_code: Code })
export const SparkVersionParams = z.extend(SparkParams, { spark_version_trellis_code: Code })
export const SparkProjectParams = z.extend(WorkspaceParams, { project_trellis_code: Code })
export const SparkDataParams = z.extend(WorkspaceParams, { based_key: Code })

const SourceProblem = z.object({ source: z.string(), message: z.string() })

export const SparkVersion = z.object({
  spark_version_trellis_code: z.string(),
  number: z.int(),
  note: z.string(),
  created_by: z.nullable(z.string()),
  created_at: Instant,
})
export type SparkVersion = z.infer<typeof SparkVersion>
export const SparkVersions = z.object({ versions: z.array(SparkVersion) })
export const SparkVersionDetail = z.extend(SparkVersion, {
  spark_trellis_code: z.string(),
  content: SparkContent,
  based_keys: z.record(z.string(), z.string()),
})
export type SparkVersionDetail = z.infer<typeof SparkVersionDetail>

export const Spark = z.object({
  spark_trellis_code: z.string(),
  project_trellis_code: z.string(),
  project_name: z.string(),
  name: z.string(),
  description: z.string(),
  /** The pinned version, or the latest. */
  shown_version: SparkVersion,
  latest_version: SparkVersion,
  pinned_version_trellis_code: z.nullable(z.string()),
  is_on_dashboard: z.boolean(),
  /** Since when a source of the shown version fails; viewers see the last good rows. */
  stale_since: z.nullable(Instant),
  problems: z.array(SourceProblem),
  open_comments: z.int(),
  created_by: z.nullable(z.string()),
  created_at: Instant,
  updated_at: Instant,
})
export type Spark = z.infer<typeof Spark>
export const Sparks = z.object({ sparks: z.array(Spark) })

const SPARK_TEMPLATES = [
  'kpi_page',
  'trend',
  'cohort',
  'funnel',
  'filtered_table',
  'map',
  'metric_tree',
  'data_quality',
] as const
export const SparkTemplate = z.enum(SPARK_TEMPLATES)
export type SparkTemplate = z.infer<typeof SparkTemplate>
/** Column names by purpose, such as `time`, `value` or `step`; `listSparkTemplates` says which a template needs. */
const TemplateValues = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  table_name: ObjectName,
  columns: z.record(z.string(), z.array(ObjectName).check(z.maxLength(20))),
})
const TemplateField = z.object({
  key: z.string(),
  label: z.string(),
  hint: z.string(),
  kinds: z.array(z.enum(['number', 'time', 'category', 'any'])),
  is_required: z.boolean(),
  is_list: z.boolean(),
})
export const SparkTemplates = z.object({
  templates: z.array(
    z.object({ template: SparkTemplate, name: z.string(), description: z.string(), fields: z.array(TemplateField) }),
  ),
})
export type SparkTemplates = z.infer<typeof SparkTemplates>

export const MAX_SPARKS = 500
export const MAX_DASHBOARD_SPARKS = 12
/** Per spark; the oldest versions that are not pinned are deleted first. */
export const MAX_SPARK_VERSIONS = 200
export const MAX_SPARK_CONTENT_BYTES = 512 * 1024

export const SparkOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('template'), template: SparkTemplate, values: TemplateValues }),
  z.object({ kind: z.literal('answer'), conversation_trellis_code: Code, message_trellis_code: Code }),
  z.object({
    kind: z.literal('query'),
    integration_trellis_code: IntegrationCode,
    sql: z.string().check(z.minLength(1), z.maxLength(50_000)),
    chart: z._default(z.nullable(ChartSpec), null),
  }),
  z.object({ kind: z.literal('prompt'), prompt: z.string().check(z.minLength(1), z.maxLength(4000), visibleText) }),
  z.object({ kind: z.literal('content'), content: SparkContent }),
])
export type SparkOrigin = z.infer<typeof SparkOrigin>

export const CreateSparkRequest = z.object({
  project_trellis_code: Code,
  name: Name,
  description: z._default(Description, ''),
  origin: SparkOrigin,
})
export type CreateSparkRequest = z.infer<typeof CreateSparkRequest>

export const PreviewSparkRequest = z.object({
  project_trellis_code: Code,
  template: SparkTemplate,
  values: TemplateValues,
})
export type PreviewSparkRequest = z.infer<typeof PreviewSparkRequest>

export const SparkPreview = z.object({ content: SparkContent })
export type SparkPreview = z.infer<typeof SparkPreview>

export const UpdateSparkRequest = z.object({
  name: z.optional(Name),
  description: z.optional(Description),
  /** Creates a version. Conflict when `base_version_trellis_code` is no longer the latest. */
  content: z.optional(SparkContent),
  /** Creates a version with the content of an older one. */
  restore_version_trellis_code: z.optional(Code),
  base_version_trellis_code: z.optional(Code),
  note: z.optional(z.string().check(z.maxLength(500), visibleText)),
  /** Null unpins: viewers get the latest again. */
  pinned_version_trellis_code: z.optional(z.nullable(Code)),
  is_on_dashboard: z.optional(z.boolean()),
})
export type UpdateSparkRequest = z.infer<typeof UpdateSparkRequest>

export const SparkDataQuery = z.object({
  /** JSON: a text or null per parameter; missing ones have their initial value. */
  parameters: z.optional(z.string().check(z.maxLength(20_000))),
  /** Bypass the cache. */
  fresh: z._default(z.stringbool(), false),
})
/** Values as text in the order of `columns`. */
export const SparkData = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
  queried_at: Instant,
  /** Since when the query fails; the rows are the last good ones. */
  stale_since: z.nullable(Instant),
  problem: z.nullable(z.string()),
  tables: z.array(z.object({ schema_name: z.string(), table_name: z.string(), loaded_at: z.nullable(Instant) })),
  account: z.nullable(QueryAccount),
})
export type SparkData = z.infer<typeof SparkData>

export const MAX_SOURCE_CHECK_ROWS = 50
export const CheckSparkSourceRequest = z.object({
  project_trellis_code: Code,
  source: SparkSource,
  parameters: z._default(z.array(SparkParameter).check(z.maxLength(MAX_SPARK_PARAMETERS)), []),
  values: z._default(ParameterValues, {}),
})
export type CheckSparkSourceRequest = z.infer<typeof CheckSparkSourceRequest>
export const SparkSourceCheck = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
  problem: z.nullable(
    z.object({
      message: z.string(),
      hint: z.nullable(z.string()),
      /** UTF-16 offset in the SQL. */
      position: z.nullable(z.int()),
    }),
  ),
  account: z.nullable(QueryAccount),
})
export type SparkSourceCheck = z.infer<typeof SparkSourceCheck>
