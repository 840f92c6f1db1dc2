import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { ScheduleValue } from '../dataflows/schedules.ts'
import { ParameterValues } from './spark-bridge.schemas.ts'

/** One per person and spark; mailed as a picture with a link. */
export const SparkSchedule = z.object({
  schedule: ScheduleValue,
  /** Missing parameters have their initial value. */
  parameters: ParameterValues,
  only_if_changed: z.boolean(),
  is_paused: z.boolean(),
  next_at: z.nullable(Instant),
  last_sent_at: z.nullable(Instant),
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
