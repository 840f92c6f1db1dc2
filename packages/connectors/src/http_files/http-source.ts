import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext, OutgoingRequest } from '@trellis/connector-kit/context'
import { toRefusedAddressError } from '@trellis/connector-kit/http/refused-address'
import { classifyByStatus } from '@trellis/connector-kit/http/verdict'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { SourceGone } from '@trellis/connector-kit/source-gone'
import { type ByteSource, bufferSource } from '@trellis/table-files/read/byte-source'
import type { RemoteFile } from '../shared/files/profiled-file.ts'
import { type FileVersion, buildConditions, isSameSize, isSameVersion, readFileVersion } from './file-version.ts'

/** Without range requests, a format that is read from its end must be held in memory. */
const MAX_IN_MEMORY_BYTES = 64 * 1024 * 1024
const MAX_BYTES = 50 * 1024 ** 3
const TIMEOUT_MS = 60 * 60_000

interface RemoteFileInfo {
  readonly hasPieces: boolean
  readonly version: FileVersion
}

/** One file of several that is missing is a mistake; all of them are gone. */
export async function findFiles(
  context: ConnectorContext,
  urls: readonly URL[],
  toHeaders: (url: URL) => Record<string, string>,
): Promise<RemoteFile[]> {
  const files: RemoteFile[] = []
  let gone: SourceGone | undefined
  for (const url of urls) {
    try {
      files.push(await findFile(context, url.href, toHeaders(url)))
    } catch (error) {
      if (!(error instanceof SourceGone)) throw error
      gone ??= error
    }
  }
  if (gone && files.length === 0) throw gone
  if (gone)
    throw new ConnectorError('configuration', gone.message, gone.advice === undefined ? {} : { advice: gone.advice })
  return files
}

export async function findFile(
  context: ConnectorContext,
  url: string,
  headers: Record<string, string>,
): Promise<RemoteFile> {
  const info = await inspectFile(context, url, headers)
  const { tag, modified, total } = info.version
  const version = tag ?? `${modified ?? context.now().toISOString()} ${total ?? ''}`
  const isUnversioned = tag === null && modified === null
  return { name: url, version, isUnversioned, size: total, open: () => openSource({ context, url, headers }, info) }
}

/** GET of the first byte: works with servers without HEAD, and shows whether they support ranges. */
async function inspectFile(
  context: ConnectorContext,
  url: string,
  headers: Record<string, string>,
): Promise<RemoteFileInfo> {
  const response = await fetchFile(context, url, { headers: { ...headers, range: 'bytes=0-0' } })
  await response.body?.cancel()
  return { hasPieces: response.status === 206, version: readFileVersion(response) }
}

async function fetchFile(context: ConnectorContext, url: string, request: OutgoingRequest): Promise<Response> {
  return await assertFound(await send(context, url, request), url)
}

const isGone = ({ status }: Response) => status === 404 || status === 410

async function send(context: ConnectorContext, url: string, request: OutgoingRequest): Promise<Response> {
  context.signal.throwIfAborted()
  try {
    return await context.fetch(url, {
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
}

async function assertFound(response: Response, url: string): Promise<Response> {
  if (response.ok) return response
  await response.body?.cancel()
  const verdict = classifyByStatus({ status: response.status, headers: response.headers, text: '' }, new URL(url).host)
  if ('message' in verdict && isGone(response)) {
    throw new SourceGone(`${verdict.message} (${new URL(url).pathname})`, verdict.advice)
  }
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

async function openSource(request: FileRequest, { hasPieces, version }: RemoteFileInfo): Promise<ByteSource> {
  const { total: size } = version
  if (size !== undefined && hasPieces) {
    return {
      size,
      async *stream({ start = 0, end = size } = {}) {
        if (end > start) yield* readPart(request, version, { start, end })
      },
    }
  }
  if (size !== undefined && size > MAX_IN_MEMORY_BYTES) {
    return {
      size,
      async *stream({ start = 0, end = size } = {}) {
        const response = await fetchVersion(request, version)
        if (!isSameSize(version, readFileVersion(response))) throw await cancelChanged(request.url, response)
        yield* sliceStream(readBytes(response), start, end)
      },
    }
  }
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of readBytes(await fetchVersion(request, version, { maxBytes: MAX_IN_MEMORY_BYTES }))) {
    total += chunk.length
    chunks.push(chunk)
  }
  return bufferSource(Buffer.concat(chunks, total))
}

/** Only the version that was found first: parts of two versions must never be joined. */
async function fetchVersion(
  { context, url, headers }: FileRequest,
  version: FileVersion,
  more: OutgoingRequest = {},
): Promise<Response> {
  const conditions = buildConditions(version)
  const response = await send(context, url, { ...more, headers: { ...headers, ...more.headers, ...conditions } })
  // 416: by now the file is shorter than the part that was asked for.
  const isRefused = response.status === 412 || response.status === 416 || isGone(response)
  if (isRefused || (response.ok && !isSameVersion(version, readFileVersion(response)))) {
    throw await cancelChanged(url, response)
  }
  return await assertFound(response, url)
}

async function cancelChanged(url: string, response: Response): Promise<SourceChanged> {
  await response.body?.cancel()
  return new SourceChanged(url)
}

async function* readPart(
  request: FileRequest,
  version: FileVersion,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Uint8Array> {
  const response = await fetchVersion(request, version, { headers: { range: `bytes=${start}-${end - 1}` } })
  if (!isSameSize(version, readFileVersion(response))) throw await cancelChanged(request.url, response)
  // A server may answer with the whole file.
  if (response.status !== 206) return yield* sliceStream(readBytes(response), start, end)
  const from = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
  let left = end - start
  if (from === undefined || Number(from) === start) {
    for await (const chunk of readBytes(response)) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
  }
  if (left === 0) return
  await response.body?.cancel().catch(() => undefined)
  const { host } = new URL(request.url)
  throw new ConnectorError('transient', `${host} sent another part of ${request.url} than the one asked for.`)
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
