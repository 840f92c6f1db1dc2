import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { NewSchemaName, NewTableName } from '../explorer/names.ts'
import { FormaValues } from '../formas/forma.ts'
import { SourceDataModel } from '../integrations/integrations.schemas.ts'
import { ACTIVITY_KINDS, SCHEMA_POLICIES, TASK_STATUSES, WRITE_STRATEGIES } from './dataflow-words.ts'
import { Code, RunGlance } from './dataflows.schemas.ts'
import { SCOPE_NAMES, TriggerForm } from './triggers.ts'

export const DataflowParams = z.extend(WorkspaceParams, { dataflow_trellis_code: Code })
export const TaskBlockParams = z.extend(WorkspaceParams, { task_block_trellis_code: Code })

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), visibleName)
const Place = z.number().check(z.minimum(-1_000_000), z.maximum(1_000_000))
export const GROUP_COLORS = ['gray', 'blue', 'green', 'yellow', 'orange', 'red', 'purple'] as const
export const MAX_SUBTASKS = 50

export const BlockMetadata = z.object({
  x: Place,
  y: Place,
  group_trellis_code: z.nullable(Code),
  note: z.string().check(z.maxLength(20_000), visibleText),
})
export type BlockMetadata = z.infer<typeof BlockMetadata>

/** What happens to rows that don't match the data model. */
const BadRows = z.object({
  choice: z.enum(['stop', 'quarantine', 'set_null']),
  /** With more rejected rows the load fails and nothing is written. */
  most: z.int().check(z.minimum(0), z.maximum(1_000_000)),
})

/** The target in the workspace's own database. */
export const WriteStep = z.object({
  schema_name: NewSchemaName,
  table_name: NewTableName,
  strategy: z.enum(WRITE_STRATEGIES),
  dataModel: z.nullable(SourceDataModel),
  schema_policy: z.enum(SCHEMA_POLICIES),
  bad_rows: BadRows,
})
export type WriteStep = z.infer<typeof WriteStep>

export const Subtask = z.object({
  name: Name,
  query: FormaValues,
  is_incremental: z.boolean(),
  write: z.nullable(WriteStep),
})
export type Subtask = z.infer<typeof Subtask>

const Attempts = z.int().check(z.minimum(1), z.maximum(10))
const Minutes = z.int().check(z.minimum(1), z.maximum(1440))
const common = {
  trigger: TriggerForm,
  attempts: Attempts,
  most_minutes: Minutes,
}

export const SourceSettings = z.object({
  ...common,
  integration_trellis_code: z.nullable(Code),
  subtasks: z.array(Subtask).check(z.maxLength(MAX_SUBTASKS)),
})
export type SourceSettings = z.infer<typeof SourceSettings>

const TableName = z.object({
  schema_name: z.string().check(z.maxLength(63)),
  table_name: z.string().check(z.maxLength(63)),
})

/** The worksheet the SQL was taken from, and the commit that published it. */
const WorksheetLink = z.object({
  project_id: z.string().check(z.maxLength(40)),
  file_id: z.string().check(z.maxLength(40)),
  /** Path at that commit. */
  path: z.string().check(z.maxLength(500)),
  commit_id: z.string().check(z.maxLength(40)),
})
export type WorksheetLink = z.infer<typeof WorksheetLink>

export const TransformationSettings = z.object({
  ...common,
  integration_trellis_code: z.nullable(Code),
  language: z.enum(['sql', 'javascript']),
  code: z.string().check(z.maxLength(500_000)),
  /** Input of JavaScript; SQL names its tables itself. */
  input: z.nullable(z.union([TableName, z.object({ sql: z.string().check(z.maxLength(100_000)) })])),
  /** Null for SQL that writes by itself. */
  write: z.nullable(WriteStep),
  packages: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
  /** Set by the server only; removed when the SQL is edited in the block. */
  worksheet: z.optional(WorksheetLink),
})
/** Without the fields that only the server sets. */
export const OwnTransformationSettings = z.omit(TransformationSettings, { worksheet: true })
export type TransformationSettings = z.infer<typeof TransformationSettings>

export const DestinationSettings = z.object({
  ...common,
  integration_trellis_code: z.nullable(Code),
  input: z.nullable(z.union([TableName, z.object({ sql: z.string().check(z.maxLength(100_000)) })])),
  query: FormaValues,
  strategy: z.enum(WRITE_STRATEGIES),
  dataModel: z.nullable(SourceDataModel),
})
export type DestinationSettings = z.infer<typeof DestinationSettings>

export const PUBLISH_STATES = ['never', 'published', 'changed', 'incomplete', 'invalid'] as const
export const BlockFault = z.object({
  kind: z.enum(['missing', 'invalid']),
  /** A path into the settings: `subtasks.0.write.table_name`. */
  path: z.string(),
  message: z.string(),
})

const block = {
  task_block_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  name: z.string(),
  metadata: BlockMetadata,
  status: z.enum(TASK_STATUSES),
  platform_trellis_code: z.nullable(z.string()),
  platform_icon: z.nullable(z.string()),
  integration_name: z.nullable(z.string()),
  publish_state: z.enum(PUBLISH_STATES),
  faults: z.array(BlockFault),
  /** Optimistic locking: an update of an older version is refused. */
  version: z.int(),
  published_version: z.nullable(z.int()),
  /** Counted from 1: the version number people see. */
  published_number: z.nullable(z.int()),
  last_run: z.nullable(RunGlance),
  next_due_at: z.nullable(Instant),
  updated_at: Instant,
  updated_by: z.nullable(z.string()),
}
export const BlockCard = z.object({
  ...block,
  kind: z.enum(ACTIVITY_KINDS),
  /** Upstream blocks: the arrows. */
  waits_for: z.array(z.string()),
  trigger_scope: z.enum(SCOPE_NAMES),
  has_schedule: z.boolean(),
  trigger_in_words: z.string(),
})
export type BlockCard = z.infer<typeof BlockCard>
export const SourceBlock = z.object({ ...block, kind: z.literal('Source'), settings: SourceSettings })
export const TransformationBlock = z.object({
  ...block,
  kind: z.literal('Transformation'),
  settings: TransformationSettings,
})
export const DestinationBlock = z.object({ ...block, kind: z.literal('Destination'), settings: DestinationSettings })

export const CanvasGroup = z.object({
  trellis_code: z.string(),
  name: z.string(),
  color: z.enum(GROUP_COLORS),
  note: z.string(),
  is_folded: z.boolean(),
})
export const Canvas = z.object({
  dataflow_trellis_code: z.string(),
  name: z.string(),
  blocks: z.array(BlockCard),
  groups: z.array(CanvasGroup),
})
export type Canvas = z.infer<typeof Canvas>

/** Creates a group, or updates the one named. */
export const PutGroup = z.object({
  dataflow_trellis_code: Code,
  trellis_code: z.optional(Code),
  name: z.string().check(z.trim(), z.maxLength(100), visibleName),
  color: z.enum(GROUP_COLORS),
  note: z.optional(z.string().check(z.maxLength(20_000), visibleText)),
  is_folded: z.optional(z.boolean()),
  task_block_trellis_codes: z.optional(z.array(Code).check(z.maxLength(1000))),
})

const create = { dataflow_trellis_code: Code, name: Name, metadata: BlockMetadata }
export const CreateSource = z.object({ ...create, settings: z.optional(z.partial(SourceSettings)) })
export const CreateTransformation = z.object({ ...create, settings: z.optional(z.partial(OwnTransformationSettings)) })
export const CreateDestination = z.object({ ...create, settings: z.optional(z.partial(DestinationSettings)) })
const update = { task_block_trellis_code: Code, version: z.int() }
export const UpdateSource = z.object({ ...update, settings: z.partial(SourceSettings) })
export const UpdateTransformation = z.object({ ...update, settings: z.partial(OwnTransformationSettings) })
export const UpdateDestination = z.object({ ...update, settings: z.partial(DestinationSettings) })
export const UpdateMetadata = z.object({
  blocks: z
    .array(z.object({ task_block_trellis_code: Code, metadata: z.partial(BlockMetadata) }))
    .check(z.minLength(1), z.maxLength(1000)),
})
export const RenameBlock = z.object({ task_block_trellis_code: Code, name: Name })

export const BlockDescription = z.object({
  task_block_trellis_code: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  name: z.string(),
  in_words: z.string(),
  trigger_in_words: z.string(),
  /** Omitted in the short form. */
  note: z.optional(z.string()),
  writes: z.array(z.string()),
  reads: z.array(z.string()),
})
export const PreviousBlocks = z.object({
  /** Blocks it can depend on without a cycle. */
  can_wait_for: z.array(
    z.object({ task_block_trellis_code: z.string(), name: z.string(), kind: z.enum(ACTIVITY_KINDS) }),
  ),
  writes: z.array(
    z.object({
      task_block_trellis_code: z.string(),
      schema_name: z.string(),
      table_name: z.string(),
      exists: z.boolean(),
    }),
  ),
})

export const SampleRequest = z.object({
  side: z.enum(['input', 'output']),
  subtask_name: z.optional(z.string().check(z.maxLength(100))),
  rows: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
})
export const BlockSample = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
  notes: z.array(z.string()),
})
export type BlockSample = z.infer<typeof BlockSample>
