import { createConversation } from '../../ai/conversations.service.ts'
import { getMessageUpdates, sendMessage } from '../../ai/messages.service.ts'
import { listAiProjectNames } from '../../ai-projects/projects.service.ts'
import { type AgentTool, getText } from '../agent-tool.ts'

const MAX_QUESTION = 4000
const MAX_PROJECTS = 100

export const listAiProjects: AgentTool = {
  name: 'list_ai_projects',
  description: 'AI projects: each is a list of tables, documents and definitions that questions are answered from.',
  arguments: {},
  permission: 'ai:use',
  isWrite: false,
  run: async (ctx) => ({ projects: await listAiProjectNames(ctx, MAX_PROJECTS) }),
}

export const askAssistant: AgentTool = {
  name: 'ask_assistant',
  description: 'Asks the assistant of the workspace and waits for the answer: its reading, SQL, rows and sources.',
  arguments: { question: { type: 'string' }, project: { type: 'string', description: 'Code of an AI project' } },
  required: ['question', 'project'],
  permission: 'ai:use',
  isWrite: false,
  run: async (ctx, input) => {
    const conversation = await createConversation(ctx, { project_trellis_code: getText(input, 'project') })
    const { conversation_trellis_code } = conversation
    const text = getText(input, 'question').slice(0, MAX_QUESTION)
    const { answer } = await sendMessage(ctx, conversation_trellis_code, { text })
    const place = { conversation_trellis_code, message_trellis_code: answer.message_trellis_code }
    let message = answer
    let message_sha = answer.sha
    while (message.status === 'creating' || message.status === 'responding') {
      ctx.http.signal.throwIfAborted()
      const update = await getMessageUpdates(ctx, { ...place, message_sha })
      message_sha = update.sha
      message = update.message ?? message
    }
    const parts = message.parts.filter(({ kind }) => kind !== 'step' && kind !== 'chart')
    return { conversation_trellis_code, status: message.status, parts }
  },
}
