import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import { ERRORS, type ErrorCode } from '@trellis/contract/core/errors'
import { type Components, describeComponents } from './components.ts'
import { EXAMPLES } from './examples.ts'
import { TAGS } from './tags.ts'

export function buildOpenapi(endpoints: readonly Endpoint[]) {
  const components = describeComponents(endpoints)
  const paths: Record<string, Record<string, unknown>> = {}
  const written = new Map<string, string>()
  for (const endpoint of endpoints) {
    const own = toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, '{$1}')
    const shape = own.replaceAll(/\{\w+\}/g, '{}')
    // Paths that differ only in a parameter's name are one path in OpenAPI.
    const path = written.get(shape) ?? own
    written.set(shape, path)
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, components, renameParameters(own, path))
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis',
      version: '1',
      description: 'Every call of Trellis. Errors come as a list under `errors`.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map(({ feature }) => feature))].map((name) => ({ name, description: TAGS[name] })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal access token, or the access token of a sign-in.',
        },
      },
      responses: Object.fromEntries(SHARED.map((code) => [toComponentName(code), describeFailure([code])])),
      schemas: { ...components.listUsed(), Errors: ERRORS_SCHEMA },
    },
  }
}

const PARAMETER = /\{(\w+)\}/g

function renameParameters(from: string, to: string): ReadonlyMap<string, string> {
  const names = [...to.matchAll(PARAMETER)].map(([, name = '']) => name)
  return new Map([...from.matchAll(PARAMETER)].map(([, name = ''], at) => [name, names[at] ?? name]))
}

function describeOperation(endpoint: Endpoint, components: Components, names: ReadonlyMap<string, string>) {
  const example = EXAMPLES[endpoint.id]
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.feature],
    'x-permission': endpoint.permission,
    security: endpoint.permission === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...describeParameters(endpoint, 'params', components).map((item) => ({
        ...item,
        name: names.get(item.name) ?? item.name,
      })),
      ...describeParameters(endpoint, 'query', components),
      ...(endpoint.creates ? [IDEMPOTENCY_KEY] : []),
    ],
    ...describeRequest(endpoint, components, example?.request),
    responses: { 200: describeSuccess(endpoint, components, example?.response), ...describeFailures(endpoint) },
  }
}

function describeParameters(endpoint: Endpoint, kind: 'params' | 'query', components: Components) {
  const schema = endpoint[kind]
  if (!schema) return []
  const { properties, required } = components.expand(schema, 'input')
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: kind === 'params' ? 'path' : 'query',
    required: kind === 'params' || required.includes(name),
    schema: described,
  }))
}

const BINARY = { type: 'string', format: 'binary' }

function describeRequest(endpoint: Endpoint, components: Components, example: unknown) {
  const content = {
    json: endpoint.body && {
      'application/json': {
        schema: components.refer(endpoint.body, 'input'),
        ...(example !== undefined && { example }),
      },
    },
    multipart: { 'multipart/form-data': { schema: { type: 'object', properties: { file: BINARY } } } },
    bytes: { 'application/octet-stream': { schema: BINARY } },
  }[endpoint.receives]
  return content ? { requestBody: { required: true, content } } : {}
}

function describeSuccess({ response, sends }: Endpoint, components: Components, example: unknown) {
  if (sends === 'file') return { description: 'The file', content: { 'application/octet-stream': { schema: BINARY } } }
  if (sends === 'events') {
    const description = 'Events as they happen, each as one `data:` line of JSON; comments in between'
    return { description, content: { 'text/event-stream': { schema: components.refer(response, 'output') } } }
  }
  const schema = { type: 'object', required: ['data'], properties: { data: components.refer(response, 'output') } }
  return {
    description: 'Done',
    content: { 'application/json': { schema, ...(example !== undefined && { example: { data: example } }) } },
  }
}

const EVERY_CALL: readonly ErrorCode[] = ['invalid_request', 'internal', 'unavailable']
const SHARED: readonly ErrorCode[] = [...EVERY_CALL, 'not_signed_in', 'too_many_requests', 'not_found', 'forbidden']

const toComponentName = (code: ErrorCode) =>
  code.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())

const describeFailure = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\` ${ERRORS[code].title}`).join('; '),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
})

function describeFailures(endpoint: Endpoint): Record<string, unknown> {
  const signedIn: ErrorCode[] = endpoint.permission === 'public' ? [] : ['not_signed_in']
  const limited: ErrorCode[] = endpoint.limit ? ['too_many_requests'] : []
  const all = new Set([...EVERY_CALL, ...signedIn, ...limited, ...endpoint.errors])
  const byStatus = Map.groupBy(all, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const [only] = codes
      const isShared = codes.length === 1 && only && SHARED.includes(only)
      return [
        String(status),
        isShared ? { $ref: `#/components/responses/${toComponentName(only)}` } : describeFailure(codes),
      ]
    }),
  )
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own: repeating the request with it gives the first answer and makes nothing twice (48 hours).',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ERRORS_SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['status', 'code', 'title', 'detail'],
        properties: {
          status: { type: 'string' },
          code: { type: 'string', enum: Object.keys(ERRORS) },
          title: { type: 'string' },
          detail: { type: 'string' },
          id: { type: 'string', description: 'Reference to give when asking for help' },
          source: {
            type: 'object',
            properties: { pointer: { type: 'string' }, parameter: { type: 'string' }, header: { type: 'string' } },
          },
        },
      },
    },
  },
}
