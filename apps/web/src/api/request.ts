import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import type { Endpoint } from '@trellis/contract/core/endpoint'

interface AnyInput {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** Built once, so that a replay has the same Idempotency-Key. */
export interface ApiRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | FormData | null
}

export function buildRequest(endpoint: Endpoint, input: unknown): ApiRequest {
  const { params, query, body } = (input ?? {}) as AnyInput
  const headers: Record<string, string> = { accept: 'application/json' }
  if (endpoint.body) {
    refuseMissing(body, 'body', endpoint.id)
    headers['content-type'] = 'application/json'
  }
  if (endpoint.creates) headers['idempotency-key'] = createUuid()
  const path = toEndpointUrl(endpoint).replace(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name]
    refuseMissing(value, name, endpoint.id)
    return encodeURIComponent(String(value))
  })
  const search = toQueryString(query)
  return {
    url: search ? `${path}?${search}` : path,
    method: endpoint.method,
    headers,
    body: endpoint.body ? JSON.stringify(body) : null,
  }
}

function refuseMissing(value: unknown, name: string, operation: string): void {
  if (value === null || value === undefined) {
    throw new Error(`Required parameter ${name} was null or undefined when calling ${operation}.`)
  }
}

function toQueryString(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) search.append(name, String(item))
    }
  }
  return search.toString()
}

/** `crypto.randomUUID` needs a secure context. */
function createUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
