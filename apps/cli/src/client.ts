import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { CliError, EXIT } from './cli-error.ts'
import type { Settings } from './settings.ts'

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

export interface Client {
  call<Call, Handler, Result>(endpoint: Endpoint<Call, Handler, Result>, input: NoInfer<Call>): Promise<Result>
}

const TIMEOUT_MS = 60_000

export function createClient({ url, token }: Pick<Settings, 'url' | 'token'>): Client {
  return {
    async call<Call, Handler, Result>(
      endpoint: Endpoint<Call, Handler, Result>,
      input: NoInfer<Call>,
    ): Promise<Result> {
      const { params, query, body } = input as AnyInput
      const path = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) =>
        encodeURIComponent(String(params?.[name] ?? '')),
      )
      const response = await send(`${url}${path}${toQueryString(query)}`, {
        method: endpoint.method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          ...(endpoint.body && { 'content-type': 'application/json' }),
          ...(endpoint.creates && { 'idempotency-key': crypto.randomUUID() }),
        },
        ...(endpoint.body && { body: JSON.stringify(body) }),
        // Following a redirect would send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      return (await readResponse(response)) as Result
    },
  }
}

function toQueryString(query: AnyInput['query']): string {
  const definedParameters = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return definedParameters.length === 0
    ? ''
    : `?${new URLSearchParams(definedParameters.map(([name, value]) => [name, String(value)])).toString()}`
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const reason =
      error instanceof Error && error.name === 'TimeoutError' ? 'did not answer in time' : 'can not be reached'
    throw new CliError(`${new URL(url).origin} ${reason}.`)
  }
}

async function readResponse(response: Response): Promise<unknown> {
  if (response.status >= 300 && response.status < 400) {
    const target = URL.parse(response.headers.get('location') ?? '', response.url)?.origin ?? 'another address'
    throw new CliError(`The address sends on to ${target}. If that is yours, use it as the address.`)
  }
  const text = await response.text()
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new CliError(`The answer is not one of Trellis (status ${response.status}). Is the address right?`)
  }
  if (response.ok) return (content as { data: unknown }).data
  const errors = (content as { errors?: { title?: string; detail?: string }[] }).errors ?? []
  const [firstError] = errors
  if (response.status === 401)
    throw new CliError('The token is not known, has expired or was revoked. Make a new one in your profile.')
  const message = firstError?.detail ?? firstError?.title ?? `The call failed with status ${response.status}.`
  throw new CliError(message, EXIT.failed, response.status)
}
