import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { ScheduleValue } from '../dataflows/schedules.ts'
import { ParameterValues } from './spark-bridge.schemas.ts'

/** A spark mailed by the clock to the person who asked for it, as picture and link; one per person and spark. */
export const SparkSchedule = z.object({
  schedule: ScheduleValue,
  /** What the spark is read with; those that are missing have their initial value. */
  parameters: ParameterValues,
  /** No mail as long as the rows are the same as in the last mail. */
  only_if_changed: z.boolean(),
  is_paused: z.boolean(),
  next_at: z.nullable(Instant),
  last_sent_at: z.nullable(Instant),
  /** `unchanged`: read, and no mail was needed. */
  last_outcome: z.nullable(z.enum(['mailed', 'unchanged', 'failed'])),
  last_problem: z.nullable(z.string()),
  created_at: Instant,
})
export type SparkSchedule = z.infer<typeof SparkSchedule>
export const OwnSparkSchedule = z.object({ schedule: z.nullable(SparkSchedule) })

export const SaveSparkScheduleRequest = z.object({
  schedule: ScheduleValue,
  parameters: z._default(ParameterValues, {}),
  only_if_changed: z._default(z.boolean(), false),
  is_paused: z._default(z.boolean(), false),
})
export type SaveSparkScheduleRequest = z.infer<typeof SaveSparkScheduleRequest>
