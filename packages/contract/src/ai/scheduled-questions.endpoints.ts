import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './scheduled-questions.schemas.ts'

const base = '/:account_trellis_code/:workspace_address/ai/scheduled-question'
const one = `${base}/:question_trellis_code`
const use = { feature: 'ai', permission: 'ai:use' } as const

export const listScheduledQuestions = defineEndpoint({
  ...use,
  id: 'listScheduledQuestions',
  method: 'GET',
  path: base,
  summary: 'My scheduled questions',
  params: WorkspaceParams,
  response: schemas.ScheduledQuestions,
})
export const createScheduledQuestion = defineEndpoint({
  ...use,
  id: 'createScheduledQuestion',
  method: 'POST',
  path: base,
  summary: 'Ask a question by the clock and get the answer by mail',
  params: WorkspaceParams,
  body: schemas.CreateScheduledQuestionRequest,
  response: schemas.ScheduledQuestion,
  creates: true,
  errors: ['not_found', 'invalid_request', 'limit_reached'],
})
export const updateScheduledQuestion = defineEndpoint({
  ...use,
  id: 'updateScheduledQuestion',
  method: 'PATCH',
  path: one,
  summary: 'Change, pause or resume a scheduled question',
  params: schemas.ScheduledQuestionParams,
  body: schemas.UpdateScheduledQuestionRequest,
  response: schemas.ScheduledQuestion,
  errors: ['not_found', 'invalid_request'],
})
export const runScheduledQuestion = defineEndpoint({
  ...use,
  id: 'runScheduledQuestion',
  method: 'POST',
  path: `${one}/run`,
  summary: 'Ask a scheduled question now',
  params: schemas.ScheduledQuestionParams,
  response: schemas.ScheduledQuestion,
  errors: ['not_found'],
})
export const deleteScheduledQuestion = defineEndpoint({
  ...use,
  id: 'deleteScheduledQuestion',
  method: 'DELETE',
  path: one,
  summary: 'Delete a scheduled question',
  params: schemas.ScheduledQuestionParams,
  response: Done,
  errors: ['not_found'],
})

export const scheduledQuestionsEndpoints = [
  listScheduledQuestions,
  createScheduledQuestion,
  updateScheduledQuestion,
  runScheduledQuestion,
  deleteScheduledQuestion,
]
