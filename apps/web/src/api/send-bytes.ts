import type { Endpoint } from '@trellis/contract/core/endpoint'
import { unreachableError } from './api-error.ts'
import { buildRequest, type ApiRequest } from './request.ts'
import { readData } from './send.ts'
import { withSession } from './with-session.ts'

interface BytesOptions {
  bytes: Blob
  signal: AbortSignal
  onProgress?: (sentBytes: number) => void
}

/** XMLHttpRequest, because fetch reports no upload progress. */
export async function sendBytes<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  input: NoInfer<Call>,
  options: BytesOptions,
): Promise<Result> {
  const request = buildRequest(endpoint, input)
  request.headers['content-type'] = 'application/octet-stream'
  return (await withSession(async (token) => await readData(await roundTrip(request, token, options)))) as Result
}

function roundTrip(request: ApiRequest, token: string | undefined, options: BytesOptions): Promise<Response> {
  const { bytes, signal, onProgress } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error)
      return
    }
    const xhr = new XMLHttpRequest()
    xhr.open(request.method, request.url)
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value)
    if (token) xhr.setRequestHeader('authorization', `Bearer ${token}`)
    xhr.upload.addEventListener('progress', (event) => onProgress?.(event.loaded))
    const stop = () => xhr.abort()
    signal.addEventListener('abort', stop, { once: true })
    xhr.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    xhr.addEventListener('load', () => resolve(toResponse(xhr)))
    xhr.addEventListener('error', () => reject(unreachableError()))
    xhr.addEventListener('abort', () => reject((signal.reason as Error | undefined) ?? unreachableError()))
    xhr.send(bytes)
  })
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of ['retry-after', 'x-request-id']) {
    const value = xhr.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers })
}
