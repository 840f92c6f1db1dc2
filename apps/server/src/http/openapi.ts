import { type Endpoint, urlOf } from '@trellis/contract/core/endpoint'
import { ERRORS, type ErrorCode } from '@trellis/contract/core/errors'
import * as z from 'zod/mini'

type Schema = z.core.$ZodType
const describe = (schema: Schema, io: 'input' | 'output') => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

/** OpenAPI 3.1 of the given calls, printed from their values alone. */
export function buildOpenapi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = urlOf(endpoint).replaceAll(/:(\w+)/g, '{$1}')
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trellis',
      version: '1',
      description: 'Every call of Trellis. Errors come as a list under `errors`.',
    },
    tags: [...new Set(endpoints.map((endpoint) => endpoint.feature))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Errors: ERRORS_SCHEMA },
    },
  }
}

function operationOf(endpoint: Endpoint) {
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    tags: [endpoint.feature],
    'x-permission': endpoint.permission,
    security: endpoint.permission === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...(endpoint.creates ? [IDEMPOTENCY_KEY] : []),
    ],
    ...requestOf(endpoint),
    responses: { 200: success(endpoint), ...failures(endpoint) },
  }
}

function parametersOf(schema: Schema | undefined, where: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = describe(schema, 'input') as { properties?: object; required?: string[] }
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: described as unknown,
  }))
}

const BINARY = { type: 'string', format: 'binary' }

function requestOf(endpoint: Endpoint) {
  const content = {
    json: endpoint.body && { 'application/json': { schema: describe(endpoint.body, 'input') } },
    multipart: { 'multipart/form-data': { schema: { type: 'object', properties: { file: BINARY } } } },
    bytes: { 'application/octet-stream': { schema: BINARY } },
  }[endpoint.receives]
  return content ? { requestBody: { required: true, content } } : {}
}

function success({ response, sends }: Endpoint) {
  if (sends === 'file') return { description: 'The file', content: { 'application/octet-stream': { schema: BINARY } } }
  if (sends === 'events') {
    const description = 'Events as they happen, each as one `data:` line of JSON; comments in between'
    return { description, content: { 'text/event-stream': { schema: describe(response, 'output') } } }
  }
  const schema = { type: 'object', required: ['data'], properties: { data: describe(response, 'output') } }
  return { description: 'Done', content: { 'application/json': { schema } } }
}

function failures(endpoint: Endpoint): Record<string, unknown> {
  const everyCall: ErrorCode[] = ['invalid_request', 'internal', 'unavailable']
  const signedIn: ErrorCode[] = endpoint.permission === 'public' ? [] : ['not_signed_in']
  const limited: ErrorCode[] = endpoint.limit ? ['too_many_requests'] : []
  const byStatus = Map.groupBy(
    [...everyCall, ...signedIn, ...limited, ...endpoint.errors],
    (code) => ERRORS[code].status,
  )
  const entries = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: [...new Set(codes)].map((code) => `\`${code}\` ${ERRORS[code].title}`).join('; '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
    },
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
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
