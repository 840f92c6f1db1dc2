import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { ACTIVITY_KINDS, LOG_LEVELS, RUN_STATUSES, RUN_WAITS, FLOW_RUN_STATES } from '../dataflows/dataflow-words.ts'
import { Code } from '../dataflows/dataflows.schemas.ts'
import { LogLine, TaskRun } from './runs.schemas.ts'

export const FLOW_RUN_CAUSES = ['schedule', 'event', 'person', 'api', 'backfill', 'inbound_webhook'] as const

export const FlowRunParams = z.extend(WorkspaceParams, { flow_run_trellis_code: Code })

const FlowRunBlock = z.object({
  task_block_trellis_code: z.string(),
  block_name: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  /** Of its latest run. */
  status: z.enum(RUN_STATUSES),
  is_cancelled: z.boolean(),
  waiting_for: z.nullable(z.enum(RUN_WAITS)),
  task_run_trellis_code: z.string(),
})
/** The block runs that one cause started. */
export const FlowRun = z.object({
  flow_run_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  /** `running` while any of its block runs is open, `needs_decision` when nothing failed but somebody has to decide; what was retried no longer counts. */
  state: z.enum(FLOW_RUN_STATES),
  cause: z.enum(FLOW_RUN_CAUSES),
  who: z.nullable(z.string()),
  /** What led to it, in words. */
  because: z.string(),
  nominal_at: z.nullable(Instant),
  /** The block run of another dataflow that set it off. */
  caused_by: z.nullable(
    z.object({
      dataflow_trellis_code: z.string(),
      dataflow_name: z.string(),
      task_block_trellis_code: z.string(),
      block_name: z.string(),
      task_run_trellis_code: z.string(),
      flow_run_trellis_code: z.nullable(z.string()),
    }),
  ),
  created_at: Instant,
  started_at: z.nullable(Instant),
  /** Nothing while it is running. */
  finished_at: z.nullable(Instant),
  /** Blocks that succeeded, of those expected to run. */
  progress: z.object({ done: z.int(), total: z.int() }),
  rows_written: z.int(),
  rows_rejected: z.int(),
  /** Blocks that ran, in the order they were started. */
  blocks: z.array(FlowRunBlock),
  can_retry: z.boolean(),
  can_cancel: z.boolean(),
  /** A dry run of a draft. */
  is_shadow: z.boolean(),
})
export type FlowRun = z.infer<typeof FlowRun>

export const FlowRunDetails = z.extend(FlowRun, {
  dataflow_name: z.string(),
  /** Its block runs with those that were retried, oldest first. */
  runs: z.array(TaskRun),
  /** With the latest successful ones of the same blocks. */
  comparison: z.object({
    /** How many it is compared with, at most 10. */
    count: z.int(),
    duration_ms: z.nullable(z.int()),
    rows: z.nullable(z.int()),
    /** 2 is twice as long or twice as many. */
    duration_ratio: z.nullable(z.number()),
    rows_ratio: z.nullable(z.number()),
    /** Names of blocks that ran in another version than the last time. */
    changed_blocks: z.array(z.string()),
  }),
})
export type FlowRunDetails = z.infer<typeof FlowRunDetails>

export const FlowRunFilter = z.object({
  /** The last one of the page before. */
  before: z.optional(Code),
  state: z.optional(z.enum(FLOW_RUN_STATES)),
  cause: z.optional(z.enum(FLOW_RUN_CAUSES)),
  /** When it was started. */
  from: z.optional(Instant),
  to: z.optional(Instant),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
})
/** `next` goes on as `before`; a page may hold fewer than asked for and still have a next. */
export const FlowRunPage = z.object({ flow_runs: z.array(FlowRun), next: z.nullable(z.string()) })

export const FlowRunLogFilter = z.object({
  /** `next` of the page before. */
  after: z.optional(z.string().check(z.regex(/^[0-9a-z.-]{0,20000}$/))),
  level: z.optional(z.enum(LOG_LEVELS)),
  search: z.optional(z.string().check(z.maxLength(200))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
})
export const FlowRunLogLine = z.extend(LogLine, {
  task_run_trellis_code: z.string(),
  block_name: z.string(),
})
export type FlowRunLogLine = z.infer<typeof FlowRunLogLine>
export const FlowRunLogPage = z.object({
  lines: z.array(FlowRunLogLine),
  /** Where to go on, also when there are no lines yet. */
  next: z.string(),
  /** It has ended, and these are the last lines. */
  is_over: z.boolean(),
  state: z.enum(FLOW_RUN_STATES),
})
