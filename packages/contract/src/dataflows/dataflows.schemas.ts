import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName, visibleText } from '../core/visible-text.ts'
import {
  FLOW_RUN_STATES,
  ACTIVITY_KINDS,
  MISFIRE_POLICIES,
  OVERLAP_POLICIES,
  RUN_STATUSES,
  RUN_WAITS,
  TASK_STATUSES,
} from './dataflow-words.ts'

export const Code = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/))
export const CodeParams = z.extend(WorkspaceParams, { trellis_code: Code })
export const RelativeCodeParams = z.extend(WorkspaceParams, { relative_trellis_code: Code })

const Name = z
  .string({ error: 'Field required' })
  .check(z.trim(), z.minLength(1, { error: 'Field required', abort: true }), z.maxLength(100), visibleName)
const Markdown = z.string().check(z.maxLength(50_000), visibleText)
const Order = z.int().check(z.minimum(0), z.maximum(100_000))

export const Alerts = z.object({
  emails: z.array(z.email()).check(z.maxLength(20)),
  webhook_url: z.nullable(z.url().check(z.maxLength(2000))),
  on_failure: z.boolean(),
  on_recovery: z.boolean(),
  on_later_than_usual: z.boolean(),
})
export type Alerts = z.infer<typeof Alerts>

export const AlertTest = z.object({
  results: z.array(z.object({ to: z.string(), did_succeed: z.boolean(), message: z.string() })),
  /** HMAC key of webhook messages (header x-trellis-signature), until it is rotated. */
  signature_key: z.optional(z.string()),
})

export const AlertKey = z.object({
  /** Returned once. */
  signature_key: z.string(),
})

export const Folder = z.object({
  trellis_code: z.string(),
  name: z.string(),
  parent_trellis_code: z.nullable(z.string()),
  order: z.int(),
})
export type Folder = z.infer<typeof Folder>

export const RunGlance = z.object({
  task_run_trellis_code: z.string(),
  status: z.enum(RUN_STATUSES),
  waiting_for: z.nullable(z.enum(RUN_WAITS)),
  at: Instant,
})

const FlowRunGlance = z.object({
  flow_run_trellis_code: z.string(),
  state: z.enum(FLOW_RUN_STATES),
  /** When it ended, or started while it is running. */
  at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
})

export const DataflowSummary = z.object({
  trellis_code: z.string(),
  name: z.string(),
  folder_trellis_code: z.nullable(z.string()),
  order: z.int(),
  status: z.enum(TASK_STATUSES),
  block_count: z.int(),
  has_unpublished: z.boolean(),
  is_live: z.boolean(),
  is_paused: z.boolean(),
  last_run: z.nullable(FlowRunGlance),
  next_due_at: z.nullable(Instant),
  recent: z.array(z.object({ day: z.string(), succeeded: z.int(), failed: z.int() })),
  updated_at: Instant,
  updated_by: z.nullable(z.string()),
})
export type DataflowSummary = z.infer<typeof DataflowSummary>

export const FolderStructure = z.object({ folders: z.array(Folder), dataflows: z.array(DataflowSummary) })
export type FolderStructure = z.infer<typeof FolderStructure>

export const Dataflow = z.extend(DataflowSummary, {
  description: z.string(),
  alerts: Alerts,
  misfire: z.enum(MISFIRE_POLICIES),
  overlap: z.enum(OVERLAP_POLICIES),
  created_at: Instant,
  created_by: z.nullable(z.string()),
})
export type Dataflow = z.infer<typeof Dataflow>

export const CreateDataflow = z.object({
  name: Name,
  folder_trellis_code: z.optional(z.nullable(Code)),
  description: z.optional(Markdown),
})
export const UpdateDataflow = z.object({
  name: z.optional(Name),
  folder_trellis_code: z.optional(z.nullable(Code)),
  order: z.optional(Order),
  description: z.optional(Markdown),
  alerts: z.optional(Alerts),
  misfire: z.optional(z.enum(MISFIRE_POLICIES)),
  overlap: z.optional(z.enum(OVERLAP_POLICIES)),
  is_paused: z.optional(z.boolean()),
})
export const CreateFolder = z.object({ name: Name, parent_trellis_code: z.optional(z.nullable(Code)) })
export const UpdateFolder = z.object({
  name: z.optional(Name),
  parent_trellis_code: z.optional(z.nullable(Code)),
  order: z.optional(Order),
})

export const DashboardInformation = z.object({
  dataflow_count: z.int(),
  running: z.int(),
  queued: z.int(),
  succeeded_today: z.int(),
  failed_today: z.int(),
  rows_today: z.int(),
  next_due: z.array(z.object({ dataflow_trellis_code: z.string(), name: z.string(), at: Instant })),
  latest_failures: z.array(
    z.object({
      dataflow_trellis_code: z.string(),
      task_block_trellis_code: z.string(),
      name: z.string(),
      message: z.string(),
      at: Instant,
    }),
  ),
})

export const DataflowDescription = z.object({
  trellis_code: z.string(),
  name: z.string(),
  description: z.string(),
  blocks: z.array(
    z.object({
      task_block_trellis_code: z.string(),
      kind: z.enum(ACTIVITY_KINDS),
      name: z.string(),
      note: z.string(),
      in_words: z.string(),
      trigger_in_words: z.string(),
    }),
  ),
})

export const DataflowYaml = z.object({ yaml: z.string().check(z.maxLength(2_000_000)) })
export const ImportDataflow = z.object({
  yaml: z.string().check(z.minLength(1, 'The file is empty.'), z.maxLength(2_000_000)),
  folder_trellis_code: z.optional(z.nullable(Code)),
  /** Updates this dataflow instead of creating one. */
  trellis_code: z.optional(Code),
  /** Dry run: report the changes only. */
  is_trial: z.optional(z.boolean()),
  /** Delete blocks and groups that are missing from the file. */
  can_prune: z.optional(z.boolean()),
})
export const ImportOutcome = z.object({
  trellis_code: z.nullable(z.string()),
  changes: z.array(z.object({ kind: z.enum(['added', 'changed', 'moved', 'removed']), what: z.string() })),
  /** Blocks and groups that are missing from the file and were kept. */
  kept: z.array(z.string()),
  problems: z.array(z.object({ line: z.nullable(z.int()), message: z.string() })),
})
