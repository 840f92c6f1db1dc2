import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { AppError } from '../platform/app-error.ts'

const STILL_HERE_MS = 15_000
const MAX_PER_PERSON = 20

export interface EventStream {
  readonly events: AsyncIterable<unknown>
  /** The shape of one event; what is not declared never leaves. */
  readonly shape: z.core.$ZodType
  /** Throws when whoever listens may not do so any more. */
  readonly check: () => Promise<void>
  /** Ends what gives the events. */
  readonly stop: () => void
  readonly stillHereMs?: number | undefined
}

/** Events as they happen, each as a line of JSON. A comment in between tells both ends that the other is there. */
export async function sendEvents(reply: FastifyReply, stream: EventStream): Promise<FastifyReply> {
  return await reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store, no-transform')
    // Proxies would keep lines back until enough of them have come.
    .header('x-accel-buffering', 'no')
    // Kept open behind its end it would hold up a server that is being stopped.
    .header('connection', 'close')
    .send(Readable.from(frames(stream), { objectMode: false }))
}

async function* frames({
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
      const happened = await orSilence(next, stillHereMs)
      // By the clock, not by silence: a stream that never rests would outlive the right to it.
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

async function orSilence(
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
  /** Gives a signal that ends with the server, and takes one of the few places a person has. */
  open(profileId: number): { signal: AbortSignal; stop: () => void }
  stopAll(): void
}

export function makeOpenStreams(): OpenStreams {
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
