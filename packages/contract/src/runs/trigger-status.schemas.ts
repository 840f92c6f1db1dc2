import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { ScheduleValue } from '../dataflows/schedules.ts'

const DueTime = z.object({ at: Instant, local: z.string(), offset: z.string(), in_words: z.string() })
const Branch = z.object({
  action_id: z.string(),
  kind: z.enum(['Schedule', 'Activity']),
  label: z.string(),
  has_arrived: z.boolean(),
  /** Since when it has succeeded or been waiting. */
  since: z.nullable(Instant),
  waiting: z.int(),
})
export const TriggerStatus = z.object({
  scope: z.enum(['NO_TRIGGER', 'Or', 'And']),
  in_words: z.string(),
  is_published: z.boolean(),
  branches: z.array(Branch),
  next_due: z.array(DueTime),
  last_tick: z.nullable(
    z.object({
      nominal_at: Instant,
      has_fired: z.boolean(),
      in_words: z.string(),
      task_run_trellis_code: z.nullable(z.string()),
    }),
  ),
})
export type TriggerStatus = z.infer<typeof TriggerStatus>
export const Simulation = z.object({
  from: Instant,
  to: Instant,
  runs: z.array(
    z.object({
      task_block_trellis_code: z.string(),
      at: Instant,
      local: z.string(),
      because: z.string(),
      /** It would queue behind a run in progress. */
      is_queued: z.boolean(),
    }),
  ),
  is_cut: z.boolean(),
  clock_changes: z.array(z.object({ at: Instant, zone: z.string(), in_words: z.string() })),
})

export const DueTimesRequest = z.object({ schedule: ScheduleValue })
export const DueTimes = z.object({ in_words: z.string(), next_due: z.array(DueTime), end: z.nullable(z.string()) })
