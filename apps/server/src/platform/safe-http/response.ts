import type { Dispatcher } from 'undici'
import { OutgoingProblem } from './problem.ts'

type Body = Dispatcher.ResponseData['body']

interface Limits {
  readonly url: URL
  readonly maxBytes: number
  readonly idleMs: number | undefined
}

const BODILESS = new Set([204, 205, 304])

export function toResponse(answer: Dispatcher.ResponseData, options: Limits): Response {
  const { url, maxBytes } = options
  // Without a listener, an unread body's timeout would crash the process.
  answer.body.on('error', () => undefined)
  const tooLarge = () =>
    new OutgoingProblem('too_large', `The answer of ${url.hostname} is larger than ${maxBytes} bytes.`)
  if (Number(answer.headers['content-length']) > maxBytes) {
    answer.body.destroy()
    throw tooLarge()
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const item of [value ?? []].flat()) headers.append(name, item)
  }
  const hasBody = !BODILESS.has(answer.statusCode)
  if (!hasBody) answer.body.destroy()
  const body = hasBody ? limitBody(answer.body, options, tooLarge) : null
  return Object.defineProperty(new Response(body, { status: answer.statusCode, headers }), 'url', { value: url.href })
}

function limitBody(body: Body, { url, maxBytes, idleMs }: Limits, tooLarge: () => Error): ReadableStream<Uint8Array> {
  const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  const abortStalledBody = () =>
    body.destroy(new OutgoingProblem('timed_out', `${url.hostname} stopped in the middle of its answer.`))
  // Only waiting for the server counts, not a slow reader.
  const next = async () => {
    const timer = idleMs === undefined ? undefined : setTimeout(abortStalledBody, idleMs)
    return await chunks.next().finally(() => clearTimeout(timer))
  }
  let bytes = 0
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: async (controller) => {
      const { done, value } = await next()
      if (done) return controller.close()
      bytes += value.length
      if (bytes <= maxBytes) return controller.enqueue(value)
      body.destroy()
      controller.error(tooLarge())
    },
    cancel: () => void body.destroy(),
  }
  // Buffers short bodies, so that the connection is freed even if nobody reads.
  return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }))
}
