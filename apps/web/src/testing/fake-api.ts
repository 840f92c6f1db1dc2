import { allEndpoints } from '@trellis/contract/all-endpoints'
import { alertsEndpoints } from '@trellis/contract/dataflows/alerts.endpoints'
import { canvasEndpoints } from '@trellis/contract/dataflows/canvas.endpoints'
import { dataflowYamlEndpoints } from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { dataflowsEndpoints } from '@trellis/contract/dataflows/dataflows.endpoints'
import { samplesEndpoints } from '@trellis/contract/dataflows/samples.endpoints'
import { flowRunsEndpoints } from '@trellis/contract/runs/flow-runs.endpoints'
import { quarantineEndpoints } from '@trellis/contract/runs/quarantine.endpoints'
import { runsEndpoints } from '@trellis/contract/runs/runs.endpoints'
import { versionsEndpoints } from '@trellis/contract/runs/versions.endpoints'
import { toEndpointUrl, type Endpoint } from '@trellis/contract/core/endpoint'
import { ERRORS } from '@trellis/contract/core/errors'
import * as z from 'zod/mini'
import { FakeError } from './fake-error.ts'
import { fakeHandlers } from './fake-handlers.ts'
import type { FakeWorld } from './fake-world.ts'

export interface FakeRequest {
  method: string
  url: string
  body: string
}

export interface FakeAnswer {
  status: number
  body: unknown
  events?: readonly unknown[]
  after?: Promise<void> | undefined
}

/** A response that violates the contract fails the test. */
export function answerFrom(world: FakeWorld, request: FakeRequest): FakeAnswer {
  try {
    const found = findEndpoint(request)
    if (!found) throw new FakeError('not_found')
    const { endpoint, params } = found
    if (world.broken.has(endpoint.id)) throw new FakeError('internal', { detail: 'The database did not answer.' })
    if (endpoint.permission !== 'public' && !world.isSignedIn) throw new FakeError('not_signed_in')
    const handler = fakeHandlers[endpoint.id]
    if (!handler) throw new FakeError('not_found')
    const query = Object.fromEntries(new URL(request.url, 'http://fake').searchParams)
    const input = { params, query, body: parseBody(endpoint, request.body) }
    if (endpoint.sends === 'events') {
      const events = handler(world, input) as readonly unknown[]
      return { status: 200, body: null, events: events.map((event) => z.parse(endpoint.response, event)) }
    }
    const data = z.parse(endpoint.response, handler(world, input))
    return { status: 200, body: { data }, after: world.late.get(endpoint.id) }
  } catch (error) {
    if (!(error instanceof FakeError)) throw error
    const { status, title } = ERRORS[error.code]
    const wire = {
      status: String(status),
      code: error.code,
      title,
      detail: error.message,
      source: error.source,
      id: 'req-fake-1',
    }
    return { status, body: { errors: [wire] } }
  }
}

function parseBody(endpoint: Endpoint, text: string): unknown {
  if (!endpoint.body) return undefined
  const parsed = z.safeParse(endpoint.body, JSON.parse(text || 'null'))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new FakeError('invalid_request', {
    detail: issue?.message ?? '',
    source: { pointer: `/${issue?.path.join('/')}` },
  })
}

/** Like a real router: a literal segment wins over a parameter. */
const known: ReadonlySet<Endpoint> = new Set<Endpoint>([
  ...allEndpoints,
  ...dataflowsEndpoints,
  ...canvasEndpoints,
  ...dataflowYamlEndpoints,
  ...alertsEndpoints,
  ...samplesEndpoints,
  ...runsEndpoints,
  ...flowRunsEndpoints,
  ...quarantineEndpoints,
  ...versionsEndpoints,
])
const bySpelling = [...known]
  .toSorted((a, b) => toPathShape(a).localeCompare(toPathShape(b)))
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))

function toPathShape(endpoint: Endpoint): string {
  return toEndpointUrl(endpoint)
    .split('/')
    .map((part) => (part.startsWith(':') ? '1' : '0'))
    .join('')
}

function findEndpoint({
  method,
  url,
}: FakeRequest): { endpoint: Endpoint; params: Record<string, string> } | undefined {
  const { pathname } = new URL(url, 'http://fake')
  for (const { endpoint, pattern } of bySpelling) {
    const match = endpoint.method === method ? pattern.exec(pathname) : null
    if (match) {
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
      return { endpoint, params: Object.fromEntries(params) as Record<string, string> }
    }
  }
  return undefined
}
