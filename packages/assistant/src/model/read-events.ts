import { ModelFault } from './model-port.ts'

/** An endless line would fill the memory. */
const MAX_LINE_CHARACTERS = 1_000_000

const malformedAnswerFault = () => new ModelFault('malformed', 'The model sent an answer that can not be read.')

/** The JSON events of a server-sent event stream. */
export async function* readEvents(response: Response): AsyncGenerator<Record<string, unknown>> {
  if (!response.body) throw malformedAnswerFault()
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    unfinishedLine += decoder.decode(chunk, { stream: true })
    const lines = unfinishedLine.split('\n')
    unfinishedLine = lines.pop() ?? ''
    if (unfinishedLine.length > MAX_LINE_CHARACTERS) throw malformedAnswerFault()
    for (const line of lines) {
      const data = parseDataLine(line)
      if (data === '[DONE]') return
      if (data !== undefined) yield parseEvent(data)
    }
  }
}

function parseDataLine(line: string): string | undefined {
  const text = line.replace(/\r$/, '')
  if (!text.startsWith('data:')) return undefined
  return text.slice(5).trim() || undefined
}

function parseEvent(data: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(data)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {
    throw malformedAnswerFault()
  }
  throw malformedAnswerFault()
}

const MAX_DETAIL = 300

/** The provider's message, cut; never anything of the request. */
export async function toFault(response: Response): Promise<ModelFault> {
  const text = (await response.text().catch(() => '')).slice(0, 10_000)
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null
  const detail = findErrorMessage(text)
  if (response.status === 429) {
    return new ModelFault('rate_limited', `The model takes no more questions right now.${detail}`, retryAfterMs)
  }
  if (response.status >= 500) {
    return new ModelFault('overloaded', `The model has a problem (${response.status}).${detail}`, retryAfterMs)
  }
  return new ModelFault('rejected', `The model refused the request (${response.status}).${detail}`)
}

function findErrorMessage(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string }
    const message = typeof error === 'string' ? error : error?.message
    if (typeof message === 'string' && message) return ` It says: ${message.slice(0, MAX_DETAIL)}`
  } catch {
    return ''
  }
  return ''
}
