import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import { askModelConsole } from '@trellis/contract/ai/console.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import * as scheduled from '@trellis/contract/ai/scheduled-questions.endpoints'
import * as models from '@trellis/contract/ai/models.endpoints'
import { handle, handleEvents } from '../../http/handle.ts'
import { askConsole } from './console/ask-console.ts'
import {
  createBusinessContext,
  deleteBusinessContext,
  getBusinessContext,
  listBusinessContexts,
  updateBusinessContext,
} from './contexts.ts'
import {
  createConversation,
  deleteConversation,
  getConversation,
  getConversationMetadata,
  listConversations,
  renameConversation,
} from './conversations.service.ts'
import {
  cancelMessage,
  followMessage,
  getMessageFeedback,
  getMessageUpdates,
  rateMessage,
  sendMessage,
} from './messages.service.ts'
import { deleteAiModel, getAiModel, updateAiModel } from './model/model-settings.ts'
import { listStarterQuestions } from './starter-questions.ts'
import { listSuggestedQuestions } from './verified/suggested-questions.ts'
import {
  createScheduledQuestion,
  deleteScheduledQuestion,
  listScheduledQuestions,
  runScheduledQuestion,
  updateScheduledQuestion,
} from './schedules/scheduled-questions.ts'

export const aiRoutes = [
  handle(projects.listStarterQuestions, ({ params }, ctx) => listStarterQuestions(ctx, params.project_trellis_code)),
  handle(projects.listSuggestedQuestions, ({ params }, ctx) =>
    listSuggestedQuestions(ctx, params.project_trellis_code),
  ),
  handle(projects.createBusinessContext, ({ body }, ctx) => createBusinessContext(ctx, body)),
  handle(projects.listBusinessContexts, ({ query }, ctx) => listBusinessContexts(ctx, query)),
  handle(projects.getBusinessContext, ({ params }, ctx) => getBusinessContext(ctx, params.context_trellis_code)),
  handle(projects.updateBusinessContext, ({ params, body }, ctx) =>
    updateBusinessContext(ctx, params.context_trellis_code, body),
  ),
  handle(projects.deleteBusinessContext, ({ params }, ctx) => deleteBusinessContext(ctx, params.context_trellis_code)),
  handle(calls.createConversation, ({ body }, ctx) => createConversation(ctx, body)),
  handle(calls.listConversations, ({ query }, ctx) => listConversations(ctx, query)),
  handle(calls.getConversation, ({ params, query }, ctx) =>
    getConversation(ctx, params.conversation_trellis_code, query),
  ),
  handle(calls.renameConversation, ({ params, body }, ctx) =>
    renameConversation(ctx, params.conversation_trellis_code, body.name),
  ),
  handle(calls.deleteConversation, ({ params }, ctx) => deleteConversation(ctx, params.conversation_trellis_code)),
  handle(calls.getConversationMetadata, ({ params }, ctx) =>
    getConversationMetadata(ctx, params.conversation_trellis_code),
  ),
  handle(calls.sendMessage, ({ params, body }, ctx) => sendMessage(ctx, params.conversation_trellis_code, body)),
  handle(calls.cancelMessage, ({ params }, ctx) => cancelMessage(ctx, params)),
  handle(calls.getMessageUpdates, ({ params }, ctx) => getMessageUpdates(ctx, params)),
  handleEvents(calls.followMessage, ({ params }, ctx) => followMessage(ctx, params)),
  handle(calls.getMessageFeedback, ({ params }, ctx) => getMessageFeedback(ctx, params.message_trellis_code)),
  handle(scheduled.listScheduledQuestions, (_, ctx) => listScheduledQuestions(ctx)),
  handle(scheduled.createScheduledQuestion, ({ body }, ctx) => createScheduledQuestion(ctx, body)),
  handle(scheduled.updateScheduledQuestion, ({ params, body }, ctx) =>
    updateScheduledQuestion(ctx, params.question_trellis_code, body),
  ),
  handle(scheduled.runScheduledQuestion, ({ params }, ctx) => runScheduledQuestion(ctx, params.question_trellis_code)),
  handle(scheduled.deleteScheduledQuestion, ({ params }, ctx) =>
    deleteScheduledQuestion(ctx, params.question_trellis_code),
  ),
  handle(askModelConsole, ({ body }, ctx) => askConsole(ctx, body)),
  handle(models.getAiModel, (_, ctx) => getAiModel(ctx)),
  handle(models.updateAiModel, ({ body }, ctx) => updateAiModel(ctx, body)),
  handle(models.deleteAiModel, (_, ctx) => deleteAiModel(ctx)),
  handle(calls.rateMessage, ({ params, body }, ctx) => rateMessage(ctx, params.message_trellis_code, body)),
]
