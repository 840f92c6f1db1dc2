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
  status: z.enum(RUN_STATUSES),
  is_cancelled: z.boolean(),
  waiting_for: z.nullable(z.enum(RUN_WAITS)),
  task_run_trellis_code: z.string(),
})
export const FlowRun = z.object({
  flow_run_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  /**
   * `running` while a block run is open; `needs_decision` when nothing failed but a decision is open. Retried runs no
   * longer count.
   */
  state: z.enum(FLOW_RUN_STATES),
  cause: z.enum(FLOW_RUN_CAUSES),
  who: z.nullable(z.string()),
  because: z.string(),
  nominal_at: z.nullable(Instant),
  /** The block run of another dataflow that triggered it. */
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
  finished_at: z.nullable(Instant),
  progress: z.object({ done: z.int(), total: z.int() }),
  rows_written: z.int(),
  rows_rejected: z.int(),
  blocks: z.array(FlowRunBlock),
  can_retry: z.boolean(),
  can_cancel: z.boolean(),
  is_shadow: z.boolean(),
})
export type FlowRun = z.infer<typeof FlowRun>

export const FlowRunDetails = z.extend(FlowRun, {
  dataflow_name: z.string(),
  runs: z.array(TaskRun),
  /** Compared with the latest successful runs of the same blocks. */
  comparison: z.object({
    count: z.int(),
    duration_ms: z.nullable(z.int()),
    rows: z.nullable(z.int()),
    /** 2 means twice as long or as many. */
    duration_ratio: z.nullable(z.number()),
    rows_ratio: z.nullable(z.number()),
    changed_blocks: z.array(z.string()),
  }),
})
export type FlowRunDetails = z.infer<typeof FlowRunDetails>

export const FlowRunFilter = z.object({
  before: z.optional(Code),
  state: z.optional(z.enum(FLOW_RUN_STATES)),
  cause: z.optional(z.enum(FLOW_RUN_CAUSES)),
  from: z.optional(Instant),
  to: z.optional(Instant),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
})
/** Pass `next` as `before`. A page may be shorter than its limit and still have a next one. */
export const FlowRunPage = z.object({ flow_runs: z.array(FlowRun), next: z.nullable(z.string()) })

export const FlowRunLogFilter = z.object({
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
  /** Set even when there are no lines yet. */
  next: z.string(),
  /** The run has ended: these are the last lines. */
  is_over: z.boolean(),
  state: z.enum(FLOW_RUN_STATES),
})
