import type { AiProject, BusinessContext, ConversationLine, Feedback, Message } from '@trellis/contract/ai/ai.schemas'
import { FakeError } from '../fake-error.ts'
import type { Handler } from '../fake-handler.ts'
import type { FakeWorld } from '../fake-world.ts'
import { fakeMessage } from './fake-ai.ts'

const done = { done: true as const }
const now = () => new Date().toISOString()
const toPage = (items: readonly unknown[]) => ({ items, page: 1, pages: 1, total: items.length })

function find<T>(items: readonly T[], isIt: (item: T) => boolean): T {
  const found = items.find(isIt)
  if (!found) throw new FakeError('not_found')
  return found
}

const getProject = (world: FakeWorld, code: string | undefined): AiProject =>
  find(world.ai.projects, (item) => item.project_trellis_code === code)
const getChat = (world: FakeWorld, code: string | undefined): ConversationLine =>
  find(world.ai.conversations, (item) => item.conversation_trellis_code === code)
const getMessage = (world: FakeWorld, code: string | undefined): Message =>
  find(world.ai.messages, (item) => item.message_trellis_code === code)
const getContext = (world: FakeWorld, code: string | undefined): BusinessContext =>
  find(world.ai.contexts, (item) => item.context_trellis_code === code)

export function tellMessage(world: FakeWorld, code: string, change: Partial<Message>): void {
  const message = Object.assign(getMessage(world, code), change, { sha: `${Math.random()}`.slice(2).padEnd(64, '0') })
  for (const listener of world.runs.listeners) listener({ ...message })
}

const refuseName = () =>
  new FakeError('conflict', {
    detail: 'An AI project with this name exists already.',
    source: { pointer: '/name' },
  })

export const aiHandlers: Record<string, Handler> = {
  listAiProjects: ({ ai }) => toPage(ai.projects),
  createAiProject: ({ ai }, { body }) => {
    const { name, description } = body as { name: string; description: string }
    if (ai.projects.some((other) => other.name === name)) throw refuseName()
    const project = {
      project_trellis_code: `project${ai.projects.length + 1}`,
      name,
      description,
      table_count: 0,
      conversation_count: 0,
      created_at: now(),
      updated_at: now(),
    }
    ai.projects.push(project)
    return project
  },
  getAiProject: (world, { params }) => getProject(world, params['project_trellis_code']),
  listStarterQuestions: ({ ai }) => ({
    questions: ai.tables.filter(({ is_chosen }) => is_chosen).map(({ table_name }) => `How many ${table_name}?`),
  }),
  listSuggestedQuestions: ({ ai }) => ({ suggestions: ai.suggestions, days: 30 }),
  updateAiProject: (world, { params, body }) =>
    Object.assign(getProject(world, params['project_trellis_code']), body as Partial<AiProject>),
  deleteAiProject: (world, { params }) => {
    const project = getProject(world, params['project_trellis_code'])
    world.ai.projects = world.ai.projects.filter((other) => other !== project)
    return done
  },
  getAiProjectTables: ({ ai }, { params }) => ({
    integration_trellis_code: params['integration_trellis_code'],
    tables: ai.tables,
  }),
  updateAiProjectTables: (world, { params, body }) => {
    const { tables } = body as { tables: { schema_name: string; table_name: string }[] }
    const names = new Set(tables.map(({ table_name }) => table_name))
    world.ai.tables = world.ai.tables.map((table) => ({ ...table, is_chosen: names.has(table.table_name) }))
    getProject(world, params['project_trellis_code']).table_count = tables.length
    return { integration_trellis_code: params['integration_trellis_code'], tables: world.ai.tables }
  },
  listBusinessContexts: ({ ai }) => toPage(ai.contexts),
  createBusinessContext: ({ ai }, { body }) => {
    const asked = body as Partial<BusinessContext>
    if (asked.sql?.startsWith('delete')) {
      throw new FakeError('invalid_request', { detail: 'Only SELECT can be used here.', source: { pointer: '/sql' } })
    }
    const context = {
      context_trellis_code: `context${ai.contexts.length + 1}`,
      project_trellis_code: asked.project_trellis_code ?? null,
      kind: asked.kind ?? 'text',
      name: asked.name ?? '',
      text: asked.text ?? '',
      sql: asked.sql ?? null,
      integration_trellis_code: asked.integration_trellis_code ?? null,
      problem: null,
      created_at: now(),
      updated_at: now(),
    }
    ai.contexts.push(context)
    return context
  },
  updateBusinessContext: (world, { params, body }) =>
    Object.assign(getContext(world, params['context_trellis_code']), body as Partial<BusinessContext>),
  deleteBusinessContext: (world, { params }) => {
    const context = getContext(world, params['context_trellis_code'])
    world.ai.contexts = world.ai.contexts.filter((other) => other !== context)
    return done
  },
  createConversation: ({ ai }, { body }) => {
    const { project_trellis_code } = body as { project_trellis_code: string }
    const chat = {
      conversation_trellis_code: `chat${ai.conversations.length + 1}`,
      project_trellis_code,
      name: 'New chat',
      message_count: 0,
      created_at: now(),
      updated_at: now(),
    }
    ai.conversations.unshift(chat)
    return chat
  },
  listConversations: ({ ai }, { query }) =>
    toPage(ai.conversations.filter(({ name }) => name.toLowerCase().includes((query['search'] ?? '').toLowerCase()))),
  getConversation: (world, { params }) => {
    const chat = getChat(world, params['conversation_trellis_code'])
    const messages = world.ai.messages.filter(
      ({ conversation_trellis_code }) => conversation_trellis_code === chat.conversation_trellis_code,
    )
    return { ...chat, messages, page: 1, pages: 1 }
  },
  renameConversation: (world, { params, body }) =>
    Object.assign(getChat(world, params['conversation_trellis_code']), body as { name: string }),
  deleteConversation: (world, { params }) => {
    const chat = getChat(world, params['conversation_trellis_code'])
    world.ai.conversations = world.ai.conversations.filter((conversation) => conversation !== chat)
    return done
  },
  getConversationMetadata: (world, { params }) => {
    const chat = getChat(world, params['conversation_trellis_code'])
    const project = getProject(world, chat.project_trellis_code)
    const { source, model, credits_per_answer } = world.ai.model
    const engine = { engine: source === 'none' ? 'rules' : 'model', model, credits_per_answer }
    return { ...chat, project_name: project.name, table_count: project.table_count, ...engine }
  },
  sendMessage: (world, { params, body }) => {
    const { ai } = world
    const asked = body as FakeWorld['ai']['sent'][number]
    const chat = getChat(world, params['conversation_trellis_code'])
    const place = { conversation_trellis_code: chat.conversation_trellis_code }
    ai.sent.push(asked)
    const cost = asked.engine === 'rules' ? 0 : ai.model.credits_per_answer
    if (ai.creditsLeft !== null && ai.creditsLeft < cost) {
      throw new FakeError('credits_used_up', {
        detail: 'There are not enough credits left for this. Buy credits or upgrade the plan.',
      })
    }
    const number = ai.messages.length
    const parts = ai.answers.shift()
    const question = fakeMessage(`q${number}`, { ...place, role: 'user', text: asked.text })
    const going = { status: 'creating', finished_at: null } as const
    const answer = fakeMessage(`a${number}`, { ...place, ...(parts ? { parts } : going) })
    ai.messages.push(question, answer)
    chat.message_count += 2
    if (chat.name === 'New chat') chat.name = asked.text
    return { question, answer }
  },
  cancelMessage: (world, { params }) =>
    Object.assign(getMessage(world, params['message_trellis_code']), { status: 'cancelled', finished_at: now() }),
  getMessageUpdates: (world, { params }) => {
    const message = getMessage(world, params['message_trellis_code'])
    return { sha: message.sha, message: message.sha === params['message_sha'] ? null : message }
  },
  followMessage: (world, { params }) => [getMessage(world, params['message_trellis_code'])],
  getMessageFeedback: ({ ai }, { params }) =>
    ai.feedback[params['message_trellis_code'] ?? ''] ?? { rating: null, reasons: [], comment: '' },
  rateMessage: (world, { params, body }) => {
    const message = getMessage(world, params['message_trellis_code'])
    const feedback = body as Feedback
    world.ai.feedback[message.message_trellis_code] = feedback
    message.rating = feedback.rating
    return feedback
  },
}
