import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'

export interface ApiAnswer {
  readonly status: number
  readonly data: unknown
}

interface ApiRequest {
  readonly params?: Readonly<Record<string, string | number>>
  readonly body?: object | Buffer
  /** Idempotency key of all attempts. */
  readonly key?: string
}

export interface BalancedClient {
  call(endpoint: Pick<Endpoint, 'base' | 'path' | 'method'>, request?: ApiRequest): Promise<ApiAnswer>
  callEach(path: string, request: Omit<ApiRequest, 'params'>): Promise<ApiAnswer[]>
}

interface ClientOptions {
  readonly urls: readonly string[]
  readonly token: () => string
  readonly params: Readonly<Record<string, string>>
}

const RETRY_MS = 300
const TIMEOUT_MS = 120_000
const RETRIED = new Set([429, 502, 503])

export function createBalancedClient({ urls, token, params }: ClientOptions): BalancedClient {
  let next = 0
  const send = async (pick: () => string, request: RequestInit): Promise<ApiAnswer> => {
    for (const end = Date.now() + TIMEOUT_MS; ; await sleep(RETRY_MS)) {
      try {
        const answer = await fetch(pick(), request)
        const text = await answer.text()
        if (!RETRIED.has(answer.status)) return { status: answer.status, data: readData(text) }
      } catch {}
      if (Date.now() > end) return { status: 0, data: undefined }
    }
  }
  const toInit = (method: string, { body, key }: ApiRequest): RequestInit => ({
    method,
    headers: {
      authorization: `Bearer ${token()}`,
      ...(body && { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  return {
    call: (endpoint, request = {}) => {
      const all: Readonly<Record<string, string | number>> = { ...params, ...request.params }
      const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(String(all[name])),
      )
      return send(() => `${urls[next++ % urls.length]}${path}`, toInit(endpoint.method, request))
    },
    callEach: (path, request) => Promise.all(urls.map((url) => send(() => `${url}${path}`, toInit('POST', request)))),
  }
}

function readData(text: string): unknown {
  try {
    const parsed = JSON.parse(text) as { data?: unknown }
    return parsed.data ?? parsed
  } catch {
    return text
  }
}
