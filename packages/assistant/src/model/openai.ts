import type { ModelEvent, ModelFetch, ModelMessage, ModelPort, ModelRequest, ModelSettings } from './model-port.ts'
import { readEvents, toFault } from './read-events.ts'

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly index?: number
        readonly id?: string
        readonly function?: { readonly name?: string; readonly arguments?: string }
      }[]
    }
  }[]
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null
}

function toMessage(message: ModelMessage): object {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  return {
    role: 'assistant',
    content: message.text || null,
    ...(message.calls.length > 0 && {
      tool_calls: message.calls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
  }
}

const toBody = ({ model }: ModelSettings, { system, messages, tools, maxOutputTokens }: ModelRequest) =>
  JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxOutputTokens,
    messages: [{ role: 'system', content: system }, ...messages.map((message) => toMessage(message))],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  })

type Calls = Map<number, { id: string; name: string; arguments: string }>
type CallPart = NonNullable<NonNullable<NonNullable<Chunk['choices']>[number]['delta']>['tool_calls']>[number]

/** Adds the parts of streamed tool calls to the calls so far. */
function collectToolCalls(calls: Calls, parts: readonly CallPart[]): void {
  for (const [position, { index = position, id = '', function: functionPart }] of parts.entries()) {
    const call = calls.get(index) ?? { id: '', name: '', arguments: '' }
    call.id ||= id
    call.name += functionPart?.name ?? ''
    call.arguments += functionPart?.arguments ?? ''
    calls.set(index, call)
  }
}

const toUsage = (reportedUsage: NonNullable<Chunk['usage']>) => ({
  inputTokens: reportedUsage.prompt_tokens ?? 0,
  outputTokens: reportedUsage.completion_tokens ?? 0,
})

/** The Chat Completions API, also spoken by Ollama, vLLM, llama.cpp and others. */
export function openOpenAiModel(settings: ModelSettings, fetch: ModelFetch): ModelPort {
  const authHeader: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }
  return {
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      const response = await fetch(`${settings.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authHeader },
        body: toBody(settings, request),
        signal,
      })
      if (!response.ok) throw await toFault(response)
      const calls: Calls = new Map()
      let usage = { inputTokens: 0, outputTokens: 0 }
      for await (const event of readEvents(response)) {
        const { choices, usage: reportedUsage } = event as Chunk
        if (reportedUsage) usage = toUsage(reportedUsage)
        const delta = choices?.[0]?.delta
        if (typeof delta?.content === 'string' && delta.content) yield { kind: 'text', text: delta.content }
        collectToolCalls(calls, delta?.tool_calls ?? [])
      }
      for (const [index, call] of calls) yield { kind: 'tool_call', call: { ...call, id: call.id || `call_${index}` } }
      yield { kind: 'end', usage }
    },
  }
}
