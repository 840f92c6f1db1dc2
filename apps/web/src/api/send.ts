import { readApiError, unreachableError } from './api-error.ts'
import type { ApiRequest } from './request.ts'

interface SendOptions {
  token?: string | undefined
  signal?: AbortSignal | undefined
}

export async function send(request: ApiRequest, options: SendOptions): Promise<unknown> {
  return await readData(await answerTo(request, options), options.signal)
}

export async function readData(response: Response, signal?: AbortSignal): Promise<unknown> {
  if (!response.ok) throw await readApiError(response)
  if (response.status === 204) return undefined
  const body = parseBody(await readText(response, signal))
  if (body === null || !('data' in body)) throw await readApiError(new Response(null, { status: 502 }))
  return body.data
}

/** A truncated response says nothing about what the server did: treated as unreachable. */
async function readText(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachableError()
  }
}

function parseBody(text: string): { data?: unknown } | null {
  try {
    return JSON.parse(text) as { data?: unknown } | null
  } catch {
    return null
  }
}

export async function answerTo(request: ApiRequest, { token, signal }: SendOptions): Promise<Response> {
  const headers = token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers
  try {
    return await fetch(request.url, { ...request, headers, credentials: 'same-origin', signal: signal ?? null })
  } catch (error) {
    if (signal?.aborted) throw error
    throw unreachableError()
  }
}
