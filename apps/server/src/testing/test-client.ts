import type { Endpoint } from '@trellis/contract/core/endpoint'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import type { WireError } from '@trellis/contract/core/errors'

export interface Answer<Result = unknown> {
  status: number
  data: Result
  errors: WireError[]
  headers: Headers
  text: string
}

export interface CallInput {
  params?: Record<string, unknown> | null
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}

export interface TestClient {
  token: string | undefined
  readonly cookies: Map<string, string>
  call<C, H, R>(endpoint: Endpoint<C, H, R>, input?: CallInput): Promise<Answer<R>>
  raw(path: string, init?: RequestInit): Promise<Answer>
}

export function createClient(base: string): TestClient {
  const cookies = new Map<string, string>()
  const client: TestClient = {
    token: undefined,
    cookies,
    call: async <C, H, R>(endpoint: Endpoint<C, H, R>, input: CallInput = {}) => {
      const { params = {}, query, body, headers = {} } = input
      const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => encodePart(params?.[name]))
      return (await client.raw(`${path}${formatQuery(query)}`, {
        method: endpoint.method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })) as Answer<R>
    },
    raw: async (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (client.token && !headers.has('authorization')) headers.set('authorization', `Bearer ${client.token}`)
      const sent = [...cookies].filter(([name]) => isSentTo(name, path)).map(([name, value]) => `${name}=${value}`)
      if (sent.length > 0) headers.set('cookie', sent.join('; '))
      const response = await fetch(`${base}${path}`, { ...init, headers })
      for (const line of response.headers.getSetCookie()) keepCookie(cookies, line)
      return await readAnswer(response)
    },
  }
  return client
}

const COOKIE_PATHS: Record<string, string> = {
  trellis_refresh: '/auth/token',
  trellis_sso: '/api/sso',
  trellis_signup: '/auth',
}
const isSentTo = (name: string, path: string) =>
  path.startsWith(COOKIE_PATHS[name] ?? (name.startsWith('trellis_device_') ? '/auth' : '/'))

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const hasJson = text !== '' && response.headers.get('content-type')?.includes('json')
  const body = hasJson ? (JSON.parse(text) as { data?: unknown; errors?: WireError[] }) : {}
  return { status: response.status, data: body.data, errors: body.errors ?? [], headers: response.headers, text }
}

function encodePart(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return encodeURIComponent(text.toWellFormed())
}

function formatQuery(query: Record<string, unknown> | undefined): string {
  if (!query || typeof query !== 'object') return ''
  const pairs = Object.entries(query).map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
