import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { COLUMN_TYPE_NAMES } from '../explorer/column-types.ts'
import { Forma, FormaValues, SecretsSet } from '../formas/forma.ts'
import { RestManifest } from './rest-manifest.ts'

const INTEGRATION_STATES = ['SETUP', 'VALIDATING', 'ACTIVE', 'ERROR', 'ARCHIVED'] as const
const VALIDATION_STATES = ['VALIDATING', 'COMPLETED_SUCCESS', 'COMPLETED_ERROR'] as const
export const PLATFORM_KINDS = ['Extraction', 'Load', 'Database'] as const
export const PLATFORM_TAGS = [
  'source',
  'destination',
  'database',
  'files',
  'advertising',
  'analytics',
  'commerce',
  'crm',
  'payments',
  'spreadsheet',
  'api',
  'sample',
] as const
/** Decides what the person can do about a failed connection. */
const PROBLEM_KINDS = ['configuration', 'transient', 'rate_limited', 'system'] as const

const PlatformCode = z.string().check(z.regex(/^[a-z0-9_]{1,40}$/))
const IntegrationCode = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))
export const PlatformParams = z.extend(WorkspaceParams, { platform_trellis_code: PlatformCode })
export const IntegrationParams = z.extend(WorkspaceParams, { integration_trellis_code: IntegrationCode })
/** Canvas calls use `id` for a platform, an integration or a task block. */
export const CanvasIdParams = z.extend(WorkspaceParams, { id: z.string().check(z.regex(/^[a-z0-9_-]{1,60}$/)) })

const Tags = z.optional(z.string().check(z.regex(/^[a-z_]+(,[a-z_]+)*$/)))
export const PlatformFilter = z.object({ tags: Tags })
export const IntegrationFilter = z.object({ platform_trellis_code: z.optional(PlatformCode), platform_tags: Tags })

export const Platform = z.object({
  platform_trellis_code: z.string(),
  name: z.string(),
  summary: z.string(),
  tags: z.array(z.enum(PLATFORM_TAGS)),
  kinds: z.array(z.enum(PLATFORM_KINDS)),
  icon: z.string(),
  can_be_set_up: z.boolean(),
  /** Can be used with sample data, without an account at the platform. */
  has_simulator: z.boolean(),
})
export type Platform = z.infer<typeof Platform>

export const PlatformDetails = z.extend(Platform, {
  documentation: z.string(),
  oauth: z.nullable(
    z.object({
      provider: z.string(),
      scopes: z.array(z.string()),
      /** The exact redirect URL to register at the provider. */
      redirect_url: z.string(),
      /** The operator registered an OAuth app; people need not bring their own. */
      has_app: z.boolean(),
    }),
  ),
})
export type PlatformDetails = z.infer<typeof PlatformDetails>
export const SetupForma = z.object({ forma: Forma, platform: Platform })

export const Problem = z.object({
  kind: z.enum(PROBLEM_KINDS),
  message: z.string(),
  advice: z.nullable(z.string()),
  /** The invalid element, as `section.element`. */
  field: z.nullable(z.string()),
})
export type Problem = z.infer<typeof Problem>

const OauthState = z.object({
  is_linked: z.boolean(),
  linked_as: z.nullable(z.string()),
  linked_at: z.nullable(Instant),
  /** When consent expires and has to be given again; null when it does not expire. */
  expires_at: z.nullable(Instant),
})

export const Integration = z.object({
  integration_trellis_code: z.string(),
  platform_trellis_code: z.string(),
  platform_name: z.string(),
  icon: z.string(),
  kinds: z.array(z.enum(PLATFORM_KINDS)),
  name: z.string(),
  description: z.string(),
  state: z.enum(INTEGRATION_STATES),
  /** The workspace's own database: always exists, read-only. */
  is_managed: z.boolean(),
  is_simulated: z.boolean(),
  validation: z.nullable(z.enum(VALIDATION_STATES)),
  validated_at: z.nullable(Instant),
  problem: z.nullable(Problem),
  oauth: z.nullable(OauthState),
  created_by: z.nullable(z.string()),
  created_at: Instant,
  updated_at: Instant,
})
export type Integration = z.infer<typeof Integration>

export const IntegrationDetails = z.extend(Integration, {
  forma: Forma,
  values: FormaValues,
  secrets_set: SecretsSet,
  /** Optimistic locking: an update of an older version is refused. */
  version: z.int(),
})
export type IntegrationDetails = z.infer<typeof IntegrationDetails>

export const UsedBy = z.object({
  kind: z.enum(['dataflow', 'project']),
  trellis_code: z.string(),
  name: z.string(),
})
export const IntegrationDescription = z.extend(Integration, {
  documentation: z.string(),
  settings: z.array(z.object({ label: z.string(), value: z.string() })),
  secrets_set: z.array(z.string()),
  used_by: z.array(UsedBy),
  history: z.array(z.object({ at: Instant, who: z.nullable(z.string()), what: z.string() })),
})
export type IntegrationDescription = z.infer<typeof IntegrationDescription>

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), visibleName)
const Description = z.string().check(z.maxLength(10_000), visibleText)
export const CreateIntegration = z.object({
  platform_trellis_code: PlatformCode,
  name: Name,
  description: z.optional(Description),
  values: FormaValues,
  is_simulated: z.optional(z.boolean()),
})
export const UpdateIntegration = z.object({
  name: z.optional(Name),
  description: z.optional(Description),
  /** All values; an omitted secret keeps its value. */
  values: z.optional(FormaValues),
  version: z.int(),
})

export const ValidationStatus = z.object({
  status: z.nullable(z.enum(VALIDATION_STATES)),
  state: z.enum(INTEGRATION_STATES),
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  problem: z.nullable(Problem),
  /** What the connection test found: version, account name, number of tables. */
  found: z.array(z.object({ label: z.string(), value: z.string() })),
})
export type ValidationStatus = z.infer<typeof ValidationStatus>

export const LinkRequest = z.object({ integration_trellis_code: IntegrationCode })
export const LinkAnswer = z.object({ url: z.string() })

const OutsideTable = z.object({
  name: z.string(),
  kind: z.enum(['table', 'view']),
  /** The database's estimate; null when unknown. */
  rows: z.nullable(z.int()),
})
export const OutsideSchemas = z.object({
  schemas: z.array(z.object({ name: z.string(), tables: z.array(OutsideTable), is_cut: z.boolean() })),
})
export type OutsideSchemas = z.infer<typeof OutsideSchemas>

export const OptionsQuery = z.object({
  options: z.string().check(z.maxLength(60)),
  search: z.optional(z.string().check(z.maxLength(200))),
})
export const Options = z.array(z.object({ value: z.string(), label: z.string(), hint: z.optional(z.string()) }))

const DataField = z.object({
  name: z.string(),
  type: z.enum(COLUMN_TYPE_NAMES),
  is_nullable: z.boolean(),
})
export const INDEX_TYPES = ['btree', 'hash', 'brin'] as const
export const SourceDataModel = z.object({
  fields: z.record(z.string(), z.enum(COLUMN_TYPE_NAMES)),
  column_mapping: z.record(z.string(), z.string()),
  primary_keys: z.array(z.string()),
  indexes: z.record(z.string(), z.enum(INDEX_TYPES)),
})
export type SourceDataModel = z.infer<typeof SourceDataModel>

export const PreviewRequest = z.object({
  values: FormaValues,
  rows: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
})
export const ColumnStatistics = z.extend(DataField, {
  nulls: z.int(),
  distinct: z.int(),
  smallest: z.nullable(z.string()),
  largest: z.nullable(z.string()),
  /** No duplicates and no nulls among the sampled rows. */
  can_be_key: z.boolean(),
  can_be_cursor: z.boolean(),
})
export const SourcePreview = z.object({
  columns: z.array(ColumnStatistics),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
  declared_keys: z.array(z.string()),
  /** Smallest sets of columns that are unique in the sample, best first. */
  candidate_keys: z.array(z.array(z.string())),
  candidate_cursors: z.array(z.string()),
  data_model: SourceDataModel,
  /** Values changed while reading, such as invalid dates. */
  warnings: z.array(z.string()),
})
export type SourcePreview = z.infer<typeof SourcePreview>

export const QueryFormas = z.object({
  integration_trellis_code: z.string(),
  platform_trellis_code: z.string(),
  formas: z.array(Forma),
})

export const QueryValidation = z.object({ query: z.string().check(z.maxLength(100_000)) })
export const QueryVerdict = z.object({ did_succeed: z.boolean(), message: z.string() })

export const RestTrial = z.object({
  manifest: RestManifest,
  values: FormaValues,
  integration_trellis_code: z.optional(IntegrationCode),
  stream: z.string().check(z.maxLength(100)),
  pages: z.optional(z.int().check(z.minimum(1), z.maximum(5))),
})
const RestTrialPage = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.nullable(z.string()),
  }),
  response: z.nullable(
    z.object({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      is_cut: z.boolean(),
      took_ms: z.int(),
    }),
  ),
  records: z.array(z.unknown()),
  next: z.nullable(z.string()),
})
export const RestTrialResult = z.object({
  pages: z.array(RestTrialPage),
  preview: z.nullable(SourcePreview),
  problem: z.nullable(Problem),
  faults: z.array(z.object({ path: z.string(), message: z.string() })),
})
export type RestTrialResult = z.infer<typeof RestTrialResult>
