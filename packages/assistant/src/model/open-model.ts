import { openAnthropicModel } from './anthropic.ts'
import { type ModelFetch, ModelFault, type ModelPort, type ModelSettings } from './model-port.ts'
import { openOpenAiModel } from './openai.ts'

const MAX_ATTEMPTS = 3
const MAX_WAIT_MS = 10_000
const MIN_WAIT_MS = 500

/** Retries transient failures until the first token has arrived. */
export function openModel(settings: ModelSettings, fetch: ModelFetch): ModelPort {
  const port =
    settings.protocol === 'anthropic' ? openAnthropicModel(settings, fetch) : openOpenAiModel(settings, fetch)
  return {
    async *stream(request, signal) {
      for (let attempt = 1; ; attempt++) {
        let hasBegun = false
        try {
          for await (const event of port.stream(request, signal)) {
            hasBegun = true
            yield event
          }
          return
        } catch (error) {
          const isRetryable =
            error instanceof ModelFault && (error.code === 'rate_limited' || error.code === 'overloaded')
          if (!isRetryable || hasBegun || attempt >= MAX_ATTEMPTS) throw error
          const waitMs = error.retryAfterMs ?? MIN_WAIT_MS * 2 ** (attempt - 1)
          if (waitMs > MAX_WAIT_MS) throw error
          await waitOrAbort(waitMs, signal)
        }
      }
    },
  }
}

/** Rejects as soon as the signal aborts. */
async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
