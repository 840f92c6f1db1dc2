import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext, OutgoingRequest } from '@trellis/connector-kit/context'
import { toRefusedAddressError } from '@trellis/connector-kit/http/refused-address'
import { classifyByStatus } from '@trellis/connector-kit/http/verdict'
import { type ByteSource, bufferSource } from '@trellis/table-files/read/byte-source'
import type { RemoteFile } from '../shared/files/profiled-file.ts'

/** Without range requests, a format that is read from its end must be held in memory. */
const MAX_IN_MEMORY_BYTES = 64 * 1024 * 1024
const MAX_BYTES = 50 * 1024 ** 3
const TIMEOUT_MS = 60 * 60_000

interface RemoteFileInfo {
  readonly size: number | undefined
  readonly hasPieces: boolean
  readonly version: string
  readonly tag: string | null
  readonly isUnversioned: boolean
}

export async function findFile(
  context: ConnectorContext,
  url: string,
  headers: Record<string, string>,
): Promise<RemoteFile> {
  const info = await inspectFile(context, url, headers)
  const { version, isUnversioned, size } = info
  return { name: url, version, isUnversioned, size, open: () => openSource({ context, url, headers }, info) }
}

/** GET of the first byte: works with servers without HEAD, and shows whether they support ranges. */
async function inspectFile(
  context: ConnectorContext,
  url: string,
  headers: Record<string, string>,
): Promise<RemoteFileInfo> {
  const response = await fetchFile(context, url, { headers: { ...headers, range: 'bytes=0-0' } })
  await response.body?.cancel()
  const hasPieces = response.status === 206
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  const length = hasPieces ? total : response.headers.get('content-length')
  const tag = response.headers.get('etag')
  const isWhole = length !== null && length !== undefined
  const modified = response.headers.get('last-modified')
  const version = tag ?? `${modified ?? context.now().toISOString()} ${length ?? ''}`
  const isUnversioned = tag === null && modified === null
  return { size: isWhole ? Number(length) : undefined, hasPieces, version, tag, isUnversioned }
}

async function fetchFile(context: ConnectorContext, url: string, request: OutgoingRequest): Promise<Response> {
  context.signal.throwIfAborted()
  let response: Response
  try {
    response = await context.fetch(url, {
      signal: context.signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...request,
    })
  } catch (error) {
    context.signal.throwIfAborted()
    const refusedConnectorError = toRefusedAddressError(error, 'access.address')
    if (refusedConnectorError) throw refusedConnectorError
    const message = error instanceof Error ? error.message : 'The file could not be fetched.'
    throw error instanceof ConnectorError ? error : new ConnectorError('transient', message, { cause: error })
  }
  if (response.ok) return response
  await response.body?.cancel()
  const verdict = classifyByStatus({ status: response.status, headers: response.headers, text: '' }, new URL(url).host)
  if (!('message' in verdict)) throw new ConnectorError('configuration', `${url} gives no file.`)
  throw new ConnectorError(verdict.kind, `${verdict.message} (${new URL(url).pathname})`, {
    ...(verdict.advice && { advice: verdict.advice }),
    ...(verdict.retryAfterMs !== undefined && { retryAfterMs: verdict.retryAfterMs }),
  })
}

interface FileRequest {
  readonly context: ConnectorContext
  readonly url: string
  readonly headers: Record<string, string>
}

async function openSource(request: FileRequest, { size, hasPieces, tag }: RemoteFileInfo): Promise<ByteSource> {
  const { context, url, headers } = request
  if (size !== undefined && hasPieces) {
    return {
      size,
      async *stream({ start = 0, end = size } = {}) {
        if (end <= start) return
        const range = `bytes=${start}-${end - 1}`
        const response = await fetchFile(context, url, {
          headers: { ...headers, range, ...(tag && { 'if-match': tag }) },
        })
        yield* readBytes(response)
      },
    }
  }
  if (size !== undefined && size > MAX_IN_MEMORY_BYTES) {
    return {
      size,
      async *stream({ start = 0, end = size } = {}) {
        yield* sliceStream(readBytes(await fetchFile(context, url, { headers })), start, end)
      },
    }
  }
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of readBytes(await fetchFile(context, url, { headers, maxBytes: MAX_IN_MEMORY_BYTES }))) {
    total += chunk.length
    chunks.push(chunk)
  }
  return bufferSource(Buffer.concat(chunks, total))
}

async function* readBytes(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function* sliceStream(bytes: AsyncIterable<Uint8Array>, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of bytes) {
    const from = Math.max(0, start - at)
    const to = Math.min(chunk.length, end - at)
    if (to > from) yield chunk.subarray(from, to)
    at += chunk.length
    if (at >= end) return
  }
}
