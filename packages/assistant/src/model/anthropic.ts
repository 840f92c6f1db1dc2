import {
  type ModelEvent,
  ModelFault,
  type ModelFetch,
  type ModelMessage,
  type ModelPort,
  type ModelRequest,
  type ModelSettings,
  type ModelUsage,
} from './model-port.ts'
import { readEvents, toFault } from './read-events.ts'

interface StreamEvent {
  readonly type?: string
  readonly index?: number
  readonly message?: { readonly usage?: Usage }
  readonly content_block?: { readonly type?: string; readonly id?: string; readonly name?: string }
  readonly delta?: { readonly type?: string; readonly text?: string; readonly partial_json?: string }
  readonly usage?: Usage
  readonly error?: { readonly message?: string }
}
interface Usage {
  readonly input_tokens?: number
  readonly cache_creation_input_tokens?: number
  readonly cache_read_input_tokens?: number
  readonly output_tokens?: number
}

type Block = { type: string; [key: string]: unknown }

const parseInput = (text: string): unknown => {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}

/** Turns must alternate, so that all tool results go into one user turn. */
function toMessages(messages: readonly ModelMessage[]): { role: string; content: Block[] }[] {
  const turns: { role: string; content: Block[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = toBlocks(message)
    const lastTurn = turns.at(-1)
    if (lastTurn?.role === role) lastTurn.content.push(...content)
    else turns.push({ role, content })
  }
  return turns
}

function toBlocks(message: ModelMessage): Block[] {
  if (message.role === 'user') return [{ type: 'text', text: message.text }]
  if (message.role === 'tool') return [{ type: 'tool_result', tool_use_id: message.callId, content: message.text }]
  return [
    ...(message.text ? [{ type: 'text', text: message.text }] : []),
    ...message.calls.map(({ id, name, arguments: text }) => ({ type: 'tool_use', id, name, input: parseInput(text) })),
  ]
}

const toBody = ({ model }: ModelSettings, { system, messages, tools, maxOutputTokens }: ModelRequest) =>
  JSON.stringify({
    model,
    stream: true,
    max_tokens: maxOutputTokens,
    system,
    messages: toMessages(messages),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    }),
  })

const countInputTokens = (usage: Usage | undefined) =>
  (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0)

type Calls = Map<number, { id: string; name: string; arguments: string }>

/** Adds a part of a streamed tool call and returns the call so far. */
function collectToolCall(calls: Calls, { index = 0, content_block: block, delta }: StreamEvent) {
  if (block?.type === 'tool_use') {
    calls.set(index, { id: block.id ?? `call_${index}`, name: block.name ?? '', arguments: '' })
  }
  const call = calls.get(index)
  if (call && delta?.type === 'input_json_delta') call.arguments += delta.partial_json ?? ''
  return call
}

function addUsage(usage: ModelUsage, event: StreamEvent): ModelUsage {
  if (event.type === 'message_start') return { ...usage, inputTokens: countInputTokens(event.message?.usage) }
  return { ...usage, outputTokens: event.usage?.output_tokens ?? usage.outputTokens }
}

/** The Messages API of Anthropic. */
export function openAnthropicModel(settings: ModelSettings, fetch: ModelFetch): ModelPort {
  const authHeader: Record<string, string> = settings.apiKey === null ? {} : { 'x-api-key': settings.apiKey }
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const response = await fetch(`${settings.baseUrl}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...authHeader },
        body: toBody(settings, request),
        signal,
      })
      if (!response.ok) throw await toFault(response)
      const calls: Calls = new Map()
      let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 }
      for await (const raw of readEvents(response)) {
        const event = raw as StreamEvent
        if (event.type === 'error') {
          throw new ModelFault('overloaded', `The model stopped: ${(event.error?.message ?? '').slice(0, 300)}`)
        }
        usage = addUsage(usage, event)
        if (event.delta?.type === 'text_delta' && event.delta.text) yield { kind: 'text', text: event.delta.text }
        const call = collectToolCall(calls, event)
        if (event.type === 'content_block_stop' && call) yield { kind: 'tool_call', call }
      }
      yield { kind: 'end', usage }
    },
  }
}
