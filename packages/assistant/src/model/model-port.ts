export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, possibly invalid. */
  readonly arguments: string
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly maxOutputTokens: number
}

export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

export type ModelEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool_call'; readonly call: ToolCall }
  | { readonly kind: 'end'; readonly usage: ModelUsage }

export interface ModelSettings {
  readonly protocol: 'anthropic' | 'openai'
  /** Without the last segment: `https://api.anthropic.com/v1`, `http://localhost:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | null
}

export type ModelFetch = (
  url: string,
  init: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<Response>

export interface ModelPort {
  stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent>
}

type FaultCode = 'rate_limited' | 'overloaded' | 'rejected' | 'malformed'

export class ModelFault extends Error {
  override readonly name = 'ModelFault'
  readonly code: FaultCode
  readonly retryAfterMs: number | null

  constructor(code: FaultCode, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}
