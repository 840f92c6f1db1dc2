import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { ACTIVITY_KINDS, LOG_LEVELS, RUN_STATUSES, RUN_WAITS } from '../dataflows/dataflow-words.ts'
import { Code } from '../dataflows/dataflows.schemas.ts'

export const TaskRunParams = z.extend(WorkspaceParams, { task_run_trellis_code: Code })
export const RUN_STARTERS = ['schedule', 'activity', 'person', 'retry', 'backfill', 'api', 'inbound_webhook'] as const

/** Apply the schema change, or keep the table. The run continues either way. */
export const SCHEMA_CHOICES = ['accept', 'keep'] as const

const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const BackfillWindow = z.object({ from: Day, to: Day })

export const ExecuteBlock = z.object({
  /** The block, or the block and everything downstream. */
  scope: z.optional(z.enum(['block', 'from_here'])),
  window: z.optional(BackfillWindow),
  /** Source settings that may differ in a single run. */
  overrides: z.optional(z.record(z.string(), z.unknown())),
  /** Full refresh: reset the cursor and read everything. */
  is_full: z.optional(z.boolean()),
  /** Applies the schema changes that an earlier run asked about. */
  accepts_changes: z.optional(z.boolean()),
  /** Dry run of the draft: writes nothing and reports the differences. */
  is_shadow: z.optional(z.boolean()),
})

const Counters = z.object({
  rows_read: z.int(),
  rows_written: z.int(),
  rows_updated: z.int(),
  rows_rejected: z.int(),
  bytes: z.int(),
  rows_per_second: z.int(),
  /** By which the worker grew during the run, also for runs beside it. */
  peak_memory_bytes: z.int(),
})
/** Row counts before and after, per table and cursor range. */
export const Receipt = z.object({
  subtask: z.string(),
  schema_name: z.string(),
  table_name: z.string(),
  load_id: z.string(),
  window: z.nullable(z.object({ from: z.string(), to: z.string() })),
  rows_at_source: z.int(),
  rows_at_destination: z.int(),
  rows_rejected: z.int(),
  /** Duplicates within the load, or rows already in the table. */
  rows_merged: z.int(),
  key_hash_at_source: z.nullable(z.string()),
  key_hash_at_destination: z.nullable(z.string()),
  is_whole: z.boolean(),
  can_undo: z.boolean(),
  undone_at: z.nullable(Instant),
})
const Attempt = z.object({
  number: z.int(),
  status: z.enum(RUN_STATUSES),
  started_at: Instant,
  finished_at: z.nullable(Instant),
  worker: z.string(),
  message: z.nullable(z.string()),
})
export const RunUndo = z.object({
  status: z.enum(['in_progress', 'completed', 'failed']),
  who: z.nullable(z.string()),
  since: Instant,
  finished_at: z.nullable(Instant),
  tables: z.int(),
  table: z.nullable(z.string()),
  tables_done: z.int(),
  rows: z.int(),
  problem: z.nullable(z.string()),
})
export type RunUndo = z.infer<typeof RunUndo>
const SchemaQuestion = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      in_words: z.string(),
      if_kept: z.string(),
      held: z.optional(z.object({ column: z.string(), in_words: z.string() })),
    }),
  ),
  /** With `held`: the table that is checked again on accept. */
  table: z.optional(z.object({ schema: z.string(), table: z.string() })),
  can_keep: z.boolean(),
  decision: z.nullable(z.object({ choice: z.enum(SCHEMA_CHOICES), who: z.nullable(z.string()), at: Instant })),
})
export type SchemaQuestion = z.infer<typeof SchemaQuestion>
export const DecideSchemaChange = z.object({ choice: z.enum(SCHEMA_CHOICES) })
export const TaskRun = z.object({
  task_run_trellis_code: z.string(),
  task_block_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  flow_run_trellis_code: z.nullable(z.string()),
  block_name: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  status: z.enum(RUN_STATUSES),
  /** A run that waits for a decision has the status `FAILED` but is no failure; it resumes after the decision. */
  waiting_for: z.nullable(z.enum(RUN_WAITS)),
  started_by: z.enum(RUN_STARTERS),
  who: z.nullable(z.string()),
  because: z.string(),
  nominal_at: z.nullable(Instant),
  due_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  /** Start of the next attempt, during backoff. */
  retry_at: z.nullable(Instant),
  counters: Counters,
  problem: z.nullable(
    z.object({
      /**
       * `schema_changed` needs a decision when it has a question; `cancelled` was requested; all others are failures of
       * an attempt.
       */
      kind: z.enum([
        'configuration',
        'transient',
        'rate_limited',
        'system',
        'lost',
        'schema_changed',
        'cancelled',
        'blocked',
      ]),
      message: z.string(),
      advice: z.nullable(z.string()),
      subtask: z.nullable(z.string()),
      /** Only while the run waits for it; never with a frozen schema. */
      question: z.optional(SchemaQuestion),
    }),
  ),
  can_retry: z.boolean(),
  can_cancel: z.boolean(),
  is_shadow: z.boolean(),
  version: z.int(),
  version_number: z.int(),
  undo: z.nullable(RunUndo),
})
export type TaskRun = z.infer<typeof TaskRun>
const RunNeighbour = z.object({
  task_run_trellis_code: z.string(),
  block_name: z.string(),
  status: z.enum(RUN_STATUSES),
})
export type RunNeighbour = z.infer<typeof RunNeighbour>
export const TaskRunDetails = z.extend(TaskRun, {
  attempts: z.array(Attempt),
  receipts: z.array(Receipt),
  /** Runs that triggered this one, and runs it triggered. */
  upstream: z.array(RunNeighbour),
  downstream: z.array(RunNeighbour),
})
export type TaskRunDetails = z.infer<typeof TaskRunDetails>

export const RunFilter = z.object({
  page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000))),
  status: z.optional(z.enum(RUN_STATUSES)),
  task_block_trellis_code: z.optional(Code),
  started_by: z.optional(z.enum(RUN_STARTERS)),
  from: z.optional(Instant),
  to: z.optional(Instant),
})
export const RunPage = z.object({ runs: z.array(TaskRun), has_more: z.boolean() })

export const LogLine = z.object({
  number: z.int(),
  at: Instant,
  level: z.enum(LOG_LEVELS),
  attempt: z.int(),
  subtask: z.nullable(z.string()),
  message: z.string(),
})
export const LogFilter = z.object({
  after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  before: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  level: z.optional(z.enum(LOG_LEVELS)),
  search: z.optional(z.string().check(z.maxLength(200))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
})
export const LogPage = z.object({ lines: z.array(LogLine), is_over: z.boolean(), run_status: z.enum(RUN_STATUSES) })

/** Server-sent events. The first ones describe every open run. */
export const DataflowEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run: TaskRun }),
  z.object({ type: z.literal('canvas'), by: z.nullable(z.string()) }),
])
export type DataflowEvent = z.infer<typeof DataflowEvent>
export const LogEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('lines'), lines: z.array(LogLine) }),
  z.object({ type: z.literal('over'), run_status: z.enum(RUN_STATUSES) }),
])
export type LogEvent = z.infer<typeof LogEvent>

export const QuarantinedRow = z.object({
  load_id: z.string(),
  subtask: z.string(),
  row: z.int(),
  /** Line number in the file, or row number where the source has no lines. */
  line: z.int(),
  raw: z.nullable(z.string()),
  column: z.nullable(z.string()),
  value: z.nullable(z.string()),
  reason: z.string(),
  values: z.record(z.string(), z.nullable(z.string())),
  state: z.enum(['waiting', 'sent', 'dismissed']),
})
export const QuarantineFilter = z.object({ after: z.optional(z.string().check(z.maxLength(100))) })
export const QuarantinePage = z.object({
  rows: z.array(QuarantinedRow),
  next: z.nullable(z.string()),
  waiting: z.int(),
})
export const SettleQuarantine = z.object({
  choice: z.enum(['send', 'dismiss']),
  rows: z
    .array(
      z.object({
        load_id: z.uuid(),
        row: z.int(),
        values: z.optional(z.record(z.string(), z.nullable(z.string().check(z.maxLength(1_000_000))))),
      }),
    )
    .check(z.minLength(1), z.maxLength(500)),
})
export const SettledQuarantine = z.object({
  settled: z.int(),
  refused: z.array(z.object({ load_id: z.string(), row: z.int(), column: z.nullable(z.string()), reason: z.string() })),
})
