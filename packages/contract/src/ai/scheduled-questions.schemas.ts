import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { ScheduleValue } from '../dataflows/schedules.ts'

export const MAX_SCHEDULED_QUESTIONS = 50

const Code = z.string().check(z.regex(/^[a-z0-9]{1,40}$/))
export const ScheduledQuestionParams = z.extend(WorkspaceParams, { question_trellis_code: Code })

const Question = z
  .string({ error: 'Write a question' })
  .check(z.trim(), z.minLength(1, 'Write a question'), z.maxLength(4000), visibleText)

export const ScheduledQuestion = z.object({
  question_trellis_code: z.string(),
  project_trellis_code: z.string(),
  question: z.string(),
  schedule: ScheduleValue,
  /** Skip the mail when the rows equal those of the last mail. */
  only_if_changed: z.boolean(),
  is_paused: z.boolean(),
  next_at: z.nullable(Instant),
  is_running: z.boolean(),
  last_asked_at: z.nullable(Instant),
  last_outcome: z.nullable(z.enum(['mailed', 'unchanged', 'failed'])),
  last_problem: z.nullable(z.string()),
  conversation_trellis_code: z.nullable(z.string()),
  created_at: Instant,
})
export type ScheduledQuestion = z.infer<typeof ScheduledQuestion>
export const ScheduledQuestions = z.object({ questions: z.array(ScheduledQuestion) })
export const CreateScheduledQuestionRequest = z.object({
  project_trellis_code: Code,
  question: Question,
  schedule: ScheduleValue,
  only_if_changed: z._default(z.boolean(), false),
})
export type CreateScheduledQuestionRequest = z.infer<typeof CreateScheduledQuestionRequest>
export const UpdateScheduledQuestionRequest = z.object({
  question: z.optional(Question),
  schedule: z.optional(ScheduleValue),
  only_if_changed: z.optional(z.boolean()),
  is_paused: z.optional(z.boolean()),
})
export type UpdateScheduledQuestionRequest = z.infer<typeof UpdateScheduledQuestionRequest>
