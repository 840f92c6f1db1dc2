import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FileBody } from '@trellis/contract/core/shapes'
import type { FastifyReply, FastifyRequest } from 'fastify'

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileBody): Promise<FastifyReply> {
  const tag = `"${file.tag}"`
  const plain = file.name.replaceAll(/[^\w.-]/g, '_')
  void reply
    .header('content-type', file.contentType)
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`)
    .header('accept-ranges', file.size === null ? 'none' : 'bytes')
    .header('etag', tag)
  if (file.size === null) return request.method === 'HEAD' ? reply.send() : await sendWritten(reply, await file.open())
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === tag
  const range = isSame ? readRange(request.headers.range, file.size) : undefined
  if (range === 'outside') {
    return await reply.code(416).header('content-range', `bytes */${file.size}`).send()
  }
  if (!range) return await reply.header('content-length', file.size).send(Readable.from(await file.open()))
  void reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
    .header('content-length', range.end - range.start + 1)
  return await reply.send(Readable.from(await file.open(range)))
}

/**
 * The next chunk is requested once the previous was sent, so that its buffer can be reused. Errors before the first
 * chunk become responses; later ones cut the connection, as the file would look complete.
 */
async function sendWritten(reply: FastifyReply, chunks: AsyncIterable<Uint8Array>): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]()
  let step = await iterator.next()
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    for (; !step.done; step = await iterator.next()) await write(raw, step.value)
    raw.end()
  } catch (error) {
    if (!raw.destroyed) reply.log.error({ err: error }, 'a file could not be sent to its end')
    raw.destroy()
  } finally {
    await iterator.return?.()
  }
  return reply
}

const write = (response: ServerResponse, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(chunk, (error) => (error ? reject(error) : resolve()))
  })

type Range = { start: number; end: number }

/** Multiple ranges get the whole file, as HTTP allows. */
export function readRange(header: string | undefined, size: number): Range | 'outside' | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return undefined
  const [, from = '', to = ''] = parts
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || start >= size ? 'outside' : { start, end }
}
