import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as z from 'zod/mini'
import { ApiError, readApiError, unreachableError } from './api-error.ts'
import { parseEvents, decodeText } from './event-stream.ts'
import { readWhileSignedIn } from './read-calls.ts'
import { buildRequest } from './request.ts'
import { answerTo } from './send.ts'
import { withSession } from './with-session.ts'

/** `waiting`: backoff. `over`: ended by `onEvent`. `refused`: by the server. */
export type FollowState = 'connecting' | 'live' | 'waiting' | 'over' | 'refused'

export interface FollowOptions<Result> {
  signal: AbortSignal
  /** Returning `over` ends the stream. */
  onEvent: (event: Result) => 'over' | undefined
  onState?: ((state: FollowState, error?: ApiError) => void) | undefined
  /** First backoff in ms; doubles up to 30 s. */
  firstWait?: number
  /** The server sends a keep-alive every 15 s; a longer silence means a dead connection. */
  longestSilence?: number
}

const MAX_WAIT_MS = 30_000

/**
 * Reconnects until aborted, over or refused. `input` is read before every attempt, so that a reader with a cursor
 * resumes.
 */
export async function follow<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  input: () => NoInfer<Call>,
  options: FollowOptions<NoInfer<Result>>,
): Promise<void> {
  const { signal, onState, firstWait = 500 } = options
  let failures = 0
  while (!signal.aborted) {
    onState?.('connecting')
    try {
      const isOver = await followOnce(endpoint, input(), {
        ...options,
        onAlive: () => {
          failures = 0
        },
      })
      if (isOver) return onState?.('over')
    } catch (error) {
      if (isAborted(signal)) return
      if (isRefusal(error)) return onState?.('refused', error)
    }
    if (isAborted(signal)) return
    onState?.('waiting')
    await pause(waitAfter(failures, firstWait), signal)
    failures += 1
  }
}

interface OnceOptions<Result> extends FollowOptions<Result> {
  onAlive: () => void
}

async function followOnce(endpoint: Endpoint, input: unknown, options: OnceOptions<never>): Promise<boolean> {
  const { signal, onEvent, onState, onAlive, longestSilence = 45_000 } = options
  const request = buildRequest(endpoint, input)
  request.headers['accept'] = 'text/event-stream'
  const line = new AbortController()
  const cut = () => line.abort()
  let silence = setTimeout(cut, longestSilence)
  signal.addEventListener('abort', cut, { once: true })
  try {
    const { body } = await readWhileSignedIn(line.signal, (signal) =>
      withSession(async (token) => await assertEventStream(await answerTo(request, { token, signal }))),
    )
    if (!body) throw unreachableError()
    onState?.('live')
    const chunks = decodeText(body, () => {
      clearTimeout(silence)
      silence = setTimeout(cut, longestSilence)
      onAlive()
    })
    for await (const data of parseEvents(chunks)) {
      const event = z.safeParse(endpoint.response, JSON.parse(data))
      // Skips event types that a newer server may send.
      if (event.success && !isAborted(signal) && onEvent(event.data as never) === 'over') return true
    }
    return false
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', cut)
    line.abort()
  }
}

async function assertEventStream(response: Response): Promise<Response> {
  if (!response.ok) throw await readApiError(response)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response
  throw await readApiError(new Response(null, { status: 502 }))
}

const isAborted = (signal: AbortSignal): boolean => signal.aborted

/** Retrying does not help for these; rate limits and outages pass. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
}

/** Jitter, so that clients don't all reconnect at once after a restart. */
function waitAfter(failures: number, firstWait: number): number {
  return Math.min(MAX_WAIT_MS, firstWait * 2 ** failures) * (0.75 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', go)
      globalThis.removeEventListener?.('online', go)
      resolve()
    }
    const timer = setTimeout(go, ms)
    signal.addEventListener('abort', go)
    globalThis.addEventListener?.('online', go)
  })
}
