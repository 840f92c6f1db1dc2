import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { ACTIVITY_KINDS, LOG_LEVELS, RUN_STATUSES, RUN_WAITS } from '../dataflows/dataflow-words.ts'
import { Code } from '../dataflows/dataflows.schemas.ts'

export const TaskRunParams = z.extend(WorkspaceParams, { task_run_trellis_code: Code })
export const RUN_STARTERS = ['schedule', 'activity', 'person', 'retry', 'backfill', 'api', 'inbound_webhook'] as const

/** Makes the changes, or keeps the table as it is. Either way the run goes on. */
export const SCHEMA_CHOICES = ['accept', 'keep'] as const

const Day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const BackfillWindow = z.object({ from: Day, to: Day })

export const ExecuteBlock = z.object({
  /** This block alone, or it and everything that waits for it. */
  scope: z.optional(z.enum(['block', 'from_here'])),
  /** Read only this stretch, beside the live cursor. */
  window: z.optional(BackfillWindow),
  /** Values of elements the platform lets one run differ in. */
  overrides: z.optional(z.record(z.string(), z.unknown())),
  /** Read everything again and forget where the last run stood. */
  is_full: z.optional(z.boolean()),
  /** Makes the changes of columns that an earlier run asked about. */
  accepts_changes: z.optional(z.boolean()),
  /** Runs the draft beside the tables it writes to: nothing is changed, and what would be different is told. */
  is_shadow: z.optional(z.boolean()),
})

const Counters = z.object({
  rows_read: z.int(),
  rows_written: z.int(),
  rows_updated: z.int(),
  rows_rejected: z.int(),
  bytes: z.int(),
  rows_per_second: z.int(),
  peak_memory_bytes: z.int(),
})
/** What was there and what arrived, for one table and stretch of its cursor. */
export const Receipt = z.object({
  subtask: z.string(),
  schema_name: z.string(),
  table_name: z.string(),
  load_id: z.string(),
  window: z.nullable(z.object({ from: z.string(), to: z.string() })),
  rows_at_source: z.int(),
  rows_at_destination: z.int(),
  rows_rejected: z.int(),
  /** The same as other rows that were read, or there already. */
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
/** Taking back what a run and its retries wrote: a worker does it, all tables or none. */
export const RunUndo = z.object({
  status: z.enum(['in_progress', 'completed', 'failed']),
  who: z.nullable(z.string()),
  since: Instant,
  finished_at: z.nullable(Instant),
  tables: z.int(),
  /** The table it is at, and how many come before it. */
  table: z.nullable(z.string()),
  tables_done: z.int(),
  rows: z.int(),
  /** Why it was not taken back. */
  problem: z.nullable(z.string()),
})
export type RunUndo = z.infer<typeof RunUndo>
/** Changes of columns that wait for a decision. */
const SchemaQuestion = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      in_words: z.string(),
      /** What happens when the table is kept as it is. */
      if_kept: z.string(),
      /** Only where something that uses the table, such as a view, keeps the change from being made: what, in words. */
      held: z.optional(z.object({ column: z.string(), in_words: z.string() })),
    }),
  ),
  /** Of questions with something that is held: the table it is looked for at when the changes are accepted. */
  table: z.optional(z.object({ schema: z.string(), table: z.string() })),
  /** Whether rows can be loaded without the changes. */
  can_keep: z.boolean(),
  decision: z.nullable(z.object({ choice: z.enum(SCHEMA_CHOICES), who: z.nullable(z.string()), at: Instant })),
})
export type SchemaQuestion = z.infer<typeof SchemaQuestion>
export const DecideSchemaChange = z.object({ choice: z.enum(SCHEMA_CHOICES) })
export const TaskRun = z.object({
  task_run_trellis_code: z.string(),
  task_block_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  /** The run of the flow it is part of. */
  flow_run_trellis_code: z.nullable(z.string()),
  block_name: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  status: z.enum(RUN_STATUSES),
  /** A run that is paused by a question has ended as `FAILED` and is no failure; the answer goes on with it. */
  waiting_for: z.nullable(z.enum(RUN_WAITS)),
  started_by: z.enum(RUN_STARTERS),
  who: z.nullable(z.string()),
  /** What led to it, in words. */
  because: z.string(),
  nominal_at: z.nullable(Instant),
  due_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  /** When the next attempt begins, while it waits for that. */
  retry_at: z.nullable(Instant),
  counters: Counters,
  problem: z.nullable(
    z.object({
      /** `schema_changed` can be decided on when it has a question, `cancelled` was wanted; the others are those of an attempt. */
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
      /** Only while the run is paused by it; a frozen table has none. */
      question: z.optional(SchemaQuestion),
    }),
  ),
  can_retry: z.boolean(),
  can_cancel: z.boolean(),
  /** It ran a draft, and changed nothing. */
  is_shadow: z.boolean(),
  version: z.int(),
  /** Its place in the order of publishing, from 1: the number people are shown. */
  version_number: z.int(),
  /** The latest one; nothing when nobody asked for it. */
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
  /** Runs that set this one off, and runs it set off. */
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

/** What happens to the runs of a dataflow, as it happens. The first events tell of every run that is open. */
export const DataflowEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('run'), run: TaskRun }),
  /** Somebody changed the canvas: it is to be read again. */
  z.object({ type: z.literal('canvas'), by: z.nullable(z.string()) }),
])
export type DataflowEvent = z.infer<typeof DataflowEvent>
export const LogEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('lines'), lines: z.array(LogLine) }),
  /** The last event: no more lines will come. */
  z.object({ type: z.literal('over'), run_status: z.enum(RUN_STATUSES) }),
])
export type LogEvent = z.infer<typeof LogEvent>

/** A rejected row. */
export const QuarantinedRow = z.object({
  load_id: z.string(),
  subtask: z.string(),
  row: z.int(),
  /** Line in the file; the row number where the source has no lines. */
  line: z.int(),
  /** The text of a malformed record. */
  raw: z.nullable(z.string()),
  column: z.nullable(z.string()),
  value: z.nullable(z.string()),
  reason: z.string(),
  /** The whole row, by column. */
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
        /** What was mended; the other columns stay as they came. */
        values: z.optional(z.record(z.string(), z.nullable(z.string().check(z.maxLength(1_000_000))))),
      }),
    )
    .check(z.minLength(1), z.maxLength(500)),
})
export const SettledQuarantine = z.object({
  settled: z.int(),
  /** Those that still do not fit. */
  refused: z.array(z.object({ load_id: z.string(), row: z.int(), column: z.nullable(z.string()), reason: z.string() })),
})
