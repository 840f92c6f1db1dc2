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
      const answer = await send(`${url}${path}${toQueryString(query)}`, {
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
      return (await readAnswer(answer)) as Result
    },
  }
}

function toQueryString(query: AnyInput['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError' ? 'did not answer in time' : 'can not be reached'
    throw new CliError(`${new URL(url).origin} ${why}.`)
  }
}

async function readAnswer(answer: Response): Promise<unknown> {
  if (answer.status >= 300 && answer.status < 400) {
    const place = URL.parse(answer.headers.get('location') ?? '', answer.url)?.origin ?? 'another address'
    throw new CliError(`The address sends on to ${place}. If that is yours, use it as the address.`)
  }
  const text = await answer.text()
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new CliError(`The answer is not one of Trellis (status ${answer.status}). Is the address right?`)
  }
  if (answer.ok) return (content as { data: unknown }).data
  const errors = (content as { errors?: { title?: string; detail?: string }[] }).errors ?? []
  const [first] = errors
  if (answer.status === 401)
    throw new CliError('The token is not known, has expired or was revoked. Make a new one in your profile.')
  const message = first?.detail ?? first?.title ?? `The call failed with status ${answer.status}.`
  throw new CliError(message, EXIT.failed, answer.status)
}
