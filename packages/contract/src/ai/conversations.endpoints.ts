import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './ai.schemas.ts'

const feature = 'ai'
const base = '/:account_trellis_code/:workspace_address/ai/conversation'
const one = `${base}/:conversation_trellis_code`
const use = { feature, permission: 'ai:use' } as const

export const createConversation = defineEndpoint({
  ...use,
  id: 'createConversation',
  method: 'POST',
  path: base,
  summary: 'Begin a conversation about the tables of a project',
  params: WorkspaceParams,
  body: schemas.CreateConversationRequest,
  response: schemas.ConversationLine,
  creates: true,
  errors: ['not_found'],
})
export const listConversations = defineEndpoint({
  ...use,
  id: 'listConversations',
  method: 'GET',
  path: base,
  summary: 'My conversations, the latest first',
  params: WorkspaceParams,
  query: schemas.ConversationsQuery,
  response: schemas.Conversations,
})
export const getConversation = defineEndpoint({
  ...use,
  id: 'getConversation',
  method: 'GET',
  path: one,
  summary: 'A conversation of mine with a page of its messages',
  params: schemas.ConversationParams,
  query: schemas.PageQuery,
  response: schemas.Conversation,
  errors: ['not_found'],
})
export const renameConversation = defineEndpoint({
  ...use,
  id: 'renameConversation',
  method: 'PUT',
  path: one,
  summary: 'Change the name of a conversation',
  params: schemas.ConversationParams,
  body: schemas.UpdateConversationNameRequest,
  response: schemas.ConversationLine,
  errors: ['not_found'],
})
export const deleteConversation = defineEndpoint({
  ...use,
  id: 'deleteConversation',
  method: 'DELETE',
  path: one,
  summary: 'Delete a conversation with its messages',
  params: schemas.ConversationParams,
  response: Done,
  errors: ['not_found'],
})
export const getConversationMetadata = defineEndpoint({
  ...use,
  id: 'getConversationMetadata',
  method: 'GET',
  path: `${one}/metadata`,
  summary: 'What a conversation rests on, who answers, and what an answer costs',
  params: schemas.ConversationParams,
  response: schemas.ConversationMetadata,
  errors: ['not_found'],
})
export const sendMessage = defineEndpoint({
  ...use,
  id: 'sendMessage',
  method: 'POST',
  path: `${one}/message`,
  summary: 'Ask a question',
  params: schemas.ConversationParams,
  body: schemas.UserMessageRequest,
  response: schemas.SentMessage,
  creates: true,
  errors: ['not_found', 'conflict', 'limit_reached', 'credits_used_up'],
})
export const cancelMessage = defineEndpoint({
  ...use,
  id: 'cancelMessage',
  method: 'POST',
  path: `${one}/message/:message_trellis_code/cancel`,
  summary: 'Stop an answer and the query it runs',
  params: schemas.AnswerParams,
  response: schemas.Message,
  worksWhenPlanIsOver: true,
  errors: ['not_found'],
})
export const getMessageUpdates = defineEndpoint({
  ...use,
  id: 'getMessageUpdates',
  method: 'GET',
  path: `${one}/updates/:message_trellis_code/:message_sha`,
  summary: 'An answer as soon as it differs from the one with this hash',
  params: schemas.UpdateParams,
  response: schemas.MessageUpdate,
  errors: ['not_found'],
})
export const followMessage = defineEndpoint({
  ...use,
  id: 'followMessage',
  method: 'GET',
  path: `${one}/message/:message_trellis_code/follow`,
  summary: 'An answer every time it changed, until it is finished',
  params: schemas.AnswerParams,
  response: schemas.Message,
  sends: 'events',
  errors: ['not_found', 'too_many_requests'],
})
export const getMessageFeedback = defineEndpoint({
  ...use,
  id: 'getMessageFeedback',
  method: 'GET',
  path: `${base}/message/:message_trellis_code/feedback`,
  summary: 'My rating of an answer',
  params: schemas.MessageParams,
  response: schemas.Feedback,
  errors: ['not_found'],
})
export const rateMessage = defineEndpoint({
  ...use,
  id: 'rateMessage',
  method: 'POST',
  path: `${base}/message/:message_trellis_code/feedback`,
  summary: 'Rate an answer',
  params: schemas.MessageParams,
  body: schemas.UserFeedbackRequest,
  response: schemas.Feedback,
  errors: ['not_found'],
})

export const conversationsEndpoints = [
  createConversation,
  listConversations,
  getConversation,
  renameConversation,
  deleteConversation,
  getConversationMetadata,
  sendMessage,
  cancelMessage,
  getMessageUpdates,
  followMessage,
  getMessageFeedback,
  rateMessage,
]
