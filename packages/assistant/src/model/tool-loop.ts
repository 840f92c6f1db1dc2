import type { ModelMessage, ModelPort, ModelTool, ModelUsage, ToolCall } from './model-port.ts'

export interface LoopTool extends ModelTool {
  /** The result for the model; a thrown ToolProblem becomes its message. */
  run(input: Readonly<Record<string, unknown>>): Promise<string>
}

export interface LoopLimits {
  readonly maxSteps: number
  /** The loop ends once the same call has failed this often. */
  readonly maxSameErrors: number
  /** Over all tool results, since rows make up most of the prompt. */
  readonly maxToolCharacters: number
  readonly maxResultCharacters: number
  readonly maxTextCharacters: number
  readonly maxCallsPerStep: number
  readonly maxOutputTokens: number
}

export const LOOP_LIMITS: LoopLimits = {
  maxSteps: 12,
  maxSameErrors: 3,
  maxToolCharacters: 400_000,
  maxResultCharacters: 30_000,
  maxTextCharacters: 40_000,
  maxCallsPerStep: 8,
  maxOutputTokens: 4096,
}

export type LoopEnd = 'answered' | 'too_many_steps' | 'same_error' | 'too_much_data' | 'too_long'

export interface LoopResult {
  readonly end: LoopEnd
  readonly steps: number
  readonly usage: ModelUsage
}

interface LoopRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly LoopTool[]
  readonly limits: LoopLimits
  readonly signal: AbortSignal
  readonly onText: (text: string, step: number) => void
  readonly onUsage: (usage: ModelUsage) => void
}

/** Calls the model again with the results of its tool calls until it answers or a limit is reached. */
export async function runToolLoop(model: ModelPort, request: LoopRequest): Promise<LoopResult> {
  const { tools, limits, signal } = request
  const messages = [...request.messages]
  const errorCounts = new Map<string, number>()
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 }
  let toolCharacters = 0
  for (let step = 1; step <= limits.maxSteps; step++) {
    const turn = await runTurn(model, { ...request, messages, step })
    usage = {
      inputTokens: usage.inputTokens + turn.usage.inputTokens,
      outputTokens: usage.outputTokens + turn.usage.outputTokens,
    }
    request.onUsage(usage)
    if (turn.isTooLong) return { end: 'too_long', steps: step, usage }
    if (turn.calls.length === 0) return { end: 'answered', steps: step, usage }
    messages.push({ role: 'assistant', text: turn.text, calls: turn.calls })
    for (const call of turn.calls) {
      signal.throwIfAborted()
      const { text, isError } = await callTool(tools, call)
      const shortened =
        text.length > limits.maxResultCharacters ? `${text.slice(0, limits.maxResultCharacters)}… (cut)` : text
      messages.push({ role: 'tool', callId: call.id, text: shortened })
      toolCharacters += shortened.length
      if (!isError) continue
      const count = (errorCounts.get(`${call.name}\n${text}`) ?? 0) + 1
      errorCounts.set(`${call.name}\n${text}`, count)
      if (count >= limits.maxSameErrors) return { end: 'same_error', steps: step, usage }
    }
    if (toolCharacters > limits.maxToolCharacters) return { end: 'too_much_data', steps: step, usage }
  }
  return { end: 'too_many_steps', steps: limits.maxSteps, usage }
}

interface Turn {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly usage: ModelUsage
  readonly isTooLong: boolean
}

/** One request to the model: its text and tool calls. */
async function runTurn(
  model: ModelPort,
  { system, messages, tools, limits, signal, onText, step }: LoopRequest & { step: number },
): Promise<Turn> {
  const calls: ToolCall[] = []
  let text = ''
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 }
  const modelRequest = {
    system,
    messages,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    maxOutputTokens: limits.maxOutputTokens,
  }
  for await (const event of model.stream(modelRequest, signal)) {
    signal.throwIfAborted()
    if (event.kind === 'text') {
      text += event.text
      if (text.length > limits.maxTextCharacters) return { text, calls: [], usage, isTooLong: true }
      onText(text, step)
    } else if (event.kind === 'tool_call') {
      if (calls.length < limits.maxCallsPerStep) calls.push(event.call)
    } else usage = event.usage
  }
  return {
    text,
    calls,
    usage: usage.outputTokens > 0 ? usage : estimateUsage(modelRequest, text, calls),
    isTooLong: false,
  }
}

const CHARACTERS_PER_TOKEN = 4

/** For endpoints that report no usage: about four characters per token. */
function estimateUsage(modelRequest: object, text: string, calls: readonly ToolCall[]): ModelUsage {
  const estimateTokens = (length: number) => Math.ceil(length / CHARACTERS_PER_TOKEN)
  return {
    inputTokens: estimateTokens(JSON.stringify(modelRequest).length),
    outputTokens: estimateTokens(text.length + JSON.stringify(calls).length),
  }
}

/** Runs one tool; an error that the model can correct becomes the result. */
async function callTool(tools: readonly LoopTool[], call: ToolCall): Promise<{ text: string; isError: boolean }> {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return { text: `Error: there is no tool “${call.name.slice(0, 100)}”.`, isError: true }
  const input = parseArguments(call.arguments)
  if (!input) return { text: 'Error: the arguments are no JSON object.', isError: true }
  try {
    return { text: await tool.run(input), isError: false }
  } catch (error) {
    if (error instanceof ToolProblem) return { text: `Error: ${error.message}`, isError: true }
    throw error
  }
}

/** An error the model can correct; any other error ends the loop. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem'
}

function parseArguments(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text || '{}')
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
