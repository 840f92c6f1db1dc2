import type {
  CreateScheduledQuestionRequest,
  ScheduledQuestion,
  UpdateScheduledQuestionRequest,
} from '@trellis/contract/ai/scheduled-questions.schemas'
import { findScheduleProblems } from '@trellis/contract/dataflows/schedules'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'

const AT = '2026-11-16T09:00:00.000Z'
const NEXT = '2026-11-17T08:00:00.000Z'

export const fakeScheduledQuestion = (change: Partial<ScheduledQuestion> = {}): ScheduledQuestion => ({
  question_trellis_code: 'scheduled1',
  project_trellis_code: 'sales',
  question: 'total amount by status',
  schedule: {
    scheduleType: 'List Schedule',
    scheduleArgs: { timezone: 'UTC', timeList: '8', weekdays: ['monday'] },
  },
  only_if_changed: false,
  is_paused: false,
  next_at: NEXT,
  is_running: false,
  last_asked_at: null,
  last_outcome: null,
  last_problem: null,
  conversation_trellis_code: null,
  created_at: AT,
  ...change,
})

function findQuestion({ ai }: FakeWorld, code: string | undefined): ScheduledQuestion {
  const found = ai.scheduled.find(({ question_trellis_code }) => question_trellis_code === code)
  if (!found) throw new FakeError('not_found')
  return found
}

export const scheduledQuestionsHandlers: Record<string, Handler> = {
  listScheduledQuestions: ({ ai }) => ({ questions: ai.scheduled }),
  createScheduledQuestion: ({ ai }, { body }) => {
    const asked = body as CreateScheduledQuestionRequest
    const [problem] = Object.values(findScheduleProblems(asked.schedule))
    if (problem) throw new FakeError('invalid_request', { detail: problem, source: { pointer: '/schedule' } })
    const question = fakeScheduledQuestion({ ...asked, question_trellis_code: `scheduled${ai.scheduled.length + 1}` })
    ai.scheduled.push(question)
    return question
  },
  updateScheduledQuestion: (world, { params, body }) => {
    const change = body as UpdateScheduledQuestionRequest
    const question = findQuestion(world, params['question_trellis_code'])
    const isPaused = change.is_paused ?? question.is_paused
    return Object.assign(question, change, { next_at: isPaused ? null : NEXT })
  },
  runScheduledQuestion: (world, { params }) => {
    const question = findQuestion(world, params['question_trellis_code'])
    const before = { ...question }
    Object.assign(question, { last_asked_at: AT, last_outcome: 'mailed', conversation_trellis_code: 'chat1' })
    return { ...before, is_running: true }
  },
  deleteScheduledQuestion: (world, { params }) => {
    const question = findQuestion(world, params['question_trellis_code'])
    world.ai.scheduled = world.ai.scheduled.filter((item) => item !== question)
    return { done: true as const }
  },
}
