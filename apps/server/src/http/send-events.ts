import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../platform/app-error.ts'

const STILL_HERE_MS = 15_000
const MAX_PER_PERSON = 20

export interface EventStream {
  readonly events: AsyncIterable<unknown>
  readonly shape: z.core.$ZodType
  readonly check: () => Promise<void>
  readonly stop: () => void
  readonly stillHereMs?: number | undefined
}

/** JSON per event. Comments in between serve as heartbeats. */
export async function sendEvents(reply: FastifyReply, stream: EventStream): Promise<FastifyReply> {
  return await reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store, no-transform')
    // Proxies would buffer events.
    .header('x-accel-buffering', 'no')
    // A kept-alive connection would delay shutdown.
    .header('connection', 'close')
    .send(Readable.from(toEventFrames(stream), { objectMode: false }))
}

async function* toEventFrames({
  events,
  shape,
  check,
  stop,
  stillHereMs = STILL_HERE_MS,
}: EventStream): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]()
  try {
    yield ': open\n\n'
    let next = iterator.next()
    let checkedAt = performance.now()
    for (;;) {
      const happened = await withSilenceTimeout(next, stillHereMs)
      // By time, since a busy stream would never be re-checked in a pause.
      if (happened === 'silence' || performance.now() - checkedAt >= stillHereMs) {
        if (!(await isAllowed(check))) return
        checkedAt = performance.now()
      }
      if (happened === 'silence') yield ': still here\n\n'
      else if (happened.done) return
      else {
        yield `data: ${JSON.stringify(z.parse(shape, happened.value))}\n\n`
        next = iterator.next()
      }
    }
  } finally {
    stop()
    void iterator.return?.(undefined)
  }
}

async function withSilenceTimeout(
  next: Promise<IteratorResult<unknown>>,
  ms: number,
): Promise<IteratorResult<unknown> | 'silence'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silence'>((resolve) => (timer = setTimeout(() => resolve('silence'), ms)))
  try {
    return await Promise.race([next, silence])
  } finally {
    clearTimeout(timer)
  }
}

const isAllowed = (check: () => Promise<void>): Promise<boolean> =>
  check().then(
    () => true,
    () => false,
  )

export interface OpenStreams {
  open(profileId: number): { signal: AbortSignal; stop: () => void }
  stopAll(): void
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<AbortController, number>()
  return {
    open: (profileId) => {
      const count = [...open.values()].filter((id) => id === profileId).length
      if (count >= MAX_PER_PERSON) {
        throw new AppError('too_many_requests', 'Too many pages of yours follow runs at once. Close some of them.', {
          retryAfterSeconds: 10,
        })
      }
      const stopping = new AbortController()
      open.set(stopping, profileId)
      return {
        signal: stopping.signal,
        stop: () => {
          open.delete(stopping)
          stopping.abort()
        },
      }
    },
    stopAll: () => {
      for (const stopping of open.keys()) stopping.abort()
    },
  }
}
