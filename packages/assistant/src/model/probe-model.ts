import { type ModelFetch, ModelFault, type ModelSettings } from './model-port.ts'
import { openModel } from './open-model.ts'

export interface ProbeResult {
  readonly canStream: boolean
  readonly canUseTools: boolean
  readonly contextTokens: number | null
}

const ECHO = {
  name: 'echo',
  description: 'Repeats a word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}

/** Requests one tool call: finds out whether the model answers, streams and calls tools. */
export async function probeModel(
  settings: ModelSettings,
  fetch: ModelFetch,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const port = openModel(settings, fetch)
  const request = {
    system: 'You are being tried out. Use the tool as asked.',
    messages: [{ role: 'user' as const, text: 'Call the tool echo with the word “ready”.' }],
    maxOutputTokens: 200,
  }
  let canUseTools = false
  let hasAnswered = false
  const sendRequest = async (tools: readonly (typeof ECHO)[]) => {
    for await (const event of port.stream({ ...request, tools }, signal)) {
      if (event.kind === 'tool_call' && event.call.name === ECHO.name) canUseTools = true
      if (event.kind !== 'end') hasAnswered = true
    }
  }
  try {
    await sendRequest([ECHO])
  } catch (error) {
    // Some local models refuse any request with tools.
    if (!(error instanceof ModelFault) || error.code !== 'rejected') throw error
    await sendRequest([])
  }
  return { canStream: hasAnswered, canUseTools, contextTokens: await findContextTokens(settings, fetch, signal) }
}

const CONTEXT_SIZE_FIELDS = [
  'max_input_tokens',
  'context_length',
  'context_window',
  'max_model_len',
  'max_context_length',
]

/** The size of the model's context, under any of the names that providers use. */
async function findContextTokens(
  { protocol, baseUrl, model, apiKey }: ModelSettings,
  fetch: ModelFetch,
  signal: AbortSignal,
): Promise<number | null> {
  const headers: Record<string, string> =
    protocol === 'anthropic'
      ? { 'anthropic-version': '2023-06-01', ...(apiKey !== null && { 'x-api-key': apiKey }) }
      : { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) }
  try {
    const response = await fetch(`${baseUrl}/models/${encodeURIComponent(model)}`, { method: 'GET', headers, signal })
    if (!response.ok) return null
    const modelInfo = (await response.json()) as Record<string, unknown>
    const tokens = CONTEXT_SIZE_FIELDS.map((field) => Number(modelInfo[field])).find(
      (value) => Number.isInteger(value) && value > 0,
    )
    return tokens ?? null
  } catch {
    signal.throwIfAborted()
    return null
  }
}
