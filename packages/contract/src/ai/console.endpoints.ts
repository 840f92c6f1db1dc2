import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'

const MAX_PROMPT = 20_000
const MAX_TOOLS = 10

const ToolDefinition = z.object({
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'Use letters, digits, underscores and hyphens')),
  description: z._default(z.string().check(z.maxLength(2000), visibleText), ''),
  parameters: z._default(z.record(z.string(), z.unknown()), { type: 'object', properties: {} }),
})

export const ConsoleRequest = z.object({
  system: z._default(z.string().check(z.maxLength(MAX_PROMPT)), ''),
  prompt: z.string({ error: 'Write a prompt' }).check(z.minLength(1, 'Write a prompt'), z.maxLength(MAX_PROMPT)),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** Offered to the model; its tool calls are shown and never executed. */
  tools: z._default(z.array(ToolDefinition).check(z.maxLength(MAX_TOOLS)), []),
})
export type ConsoleRequest = z.infer<typeof ConsoleRequest>

export const ConsoleAnswer = z.object({
  model: z.string(),
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** Time to the first token or tool call. */
  first_ms: z.nullable(z.int()),
  duration_ms: z.int(),
  credits_spent: z.int(),
})
export type ConsoleAnswer = z.infer<typeof ConsoleAnswer>

export const askModelConsole = defineEndpoint({
  id: 'askModelConsole',
  feature: 'ai',
  permission: 'workspace:update',
  method: 'POST',
  path: '/:account_trellis_code/:workspace_address/sandbox/ai-core',
  summary: 'Send a prompt to the connected model as it is, and see tokens and times',
  params: WorkspaceParams,
  body: ConsoleRequest,
  response: ConsoleAnswer,
  errors: ['invalid_request', 'integration_problem', 'limit_reached'],
  limit: { ip: [60, 300] },
})

export const consoleEndpoints = [askModelConsole]
