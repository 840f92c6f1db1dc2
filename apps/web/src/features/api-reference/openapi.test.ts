import { expect, test } from 'vitest'
import { formatCurl, buildExample } from './example.ts'
import { groupByFeature, parseOperations } from './openapi.ts'
import { listFields, formatLimits, formatType } from './schema-lines.ts'

const document = {
  paths: {
    '/auth/login': {
      post: {
        operationId: 'login',
        summary: 'Sign in',
        tags: ['identity'],
        'x-permission': 'public',
        security: [],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['email', 'password'],
                properties: {
                  email: { type: 'string' },
                  password: { type: 'string' },
                  second_factor: { type: 'string' },
                },
              },
            },
          },
        },
        responses: {
          200: {
            content: {
              'application/json': {
                schema: { properties: { data: { type: 'object', properties: { done: { const: true } } } } },
              },
            },
          },
          401: {
            description:
              '`credentials_wrong` The e-mail or password is not right; `not_signed_in` You are not signed in',
          },
        },
      },
    },
    '/api/account/{account_code}': {
      get: { operationId: 'getAccount', tags: ['accounts'], security: [{ bearer: [] }], responses: {} },
      delete: { operationId: 'deleteAccount', tags: ['accounts'], security: [{ bearer: [] }], responses: {} },
    },
  },
}

test('reads the calls and groups them by feature', () => {
  const operations = parseOperations(document)
  expect(operations.map(({ method, path, isPublic }) => [method, path, isPublic])).toEqual([
    ['POST', '/auth/login', true],
    ['GET', '/api/account/{account_code}', false],
    ['DELETE', '/api/account/{account_code}', false],
  ])
  expect(groupByFeature(operations).map((group) => [group.feature, group.operations.length])).toEqual([
    ['identity', 1],
    ['accounts', 2],
  ])
  expect(operations[0]?.response).toEqual({ type: 'object', properties: { done: { const: true } } })
  expect(operations[0]?.errors[0]?.codes[0]).toEqual({
    code: 'credentials_wrong',
    title: 'The e-mail or password is not right',
  })
})

test('a call with two addresses is told once', () => {
  const post = (operationId: string) => ({ post: { operationId, responses: {} } })
  const operations = parseOperations({ paths: { '/a': post('sign'), '/b': post('signAlias') } })
  expect(operations.map(({ id, aliases }) => [id, aliases])).toEqual([['sign', ['/b']]])
})

test('an empty or foreign document has no calls', () => {
  expect(parseOperations({})).toEqual([])
})

test('writes a call for the shell', () => {
  const [login, account, removal] = parseOperations(document)
  expect(login && formatCurl(login, 'http://localhost:4600')).toBe(
    `curl -X POST "http://localhost:4600/auth/login" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"email":"ada@example.com","password":"password"}'`,
  )
  expect(account && formatCurl(account, '')).toBe(
    'curl "/api/account/$ACCOUNT_CODE" \\\n  -H "Authorization: Bearer $TRELLIS_TOKEN"',
  )
  expect(removal && formatCurl(removal, '')).toContain('-X DELETE')
})

test('a quote in an example cannot end the shell string', () => {
  const body = { type: 'object', required: ['a'], properties: { a: { const: "it's" } } }
  const [first] = parseOperations(document)
  expect(first && formatCurl({ ...first, body }, '')).toContain(String.raw`'{"a":"it'\''s"}'`)
})

test('examples keep to the schema', () => {
  expect(buildExample({ enum: ['light', 'dark'] })).toBe('light')
  expect(buildExample({ anyOf: [{ type: 'null' }, { type: 'integer', minimum: 5 }] })).toBe(5)
  expect(buildExample({ type: 'array', items: { type: 'boolean' } })).toEqual([true])
  expect(buildExample({ type: 'string', format: 'date-time' })).toBe('2026-01-31T09:30:00Z')
})

test('says types and limits in words', () => {
  expect(formatType({ type: 'array', items: { type: 'object' } })).toBe('list of object')
  expect(formatType({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] })).toBe('date-time or null')
  expect(formatType({ const: true })).toBe('true')
  expect(formatLimits({ type: 'string', minLength: 8, maxLength: 100 })).toEqual(['8–100 characters'])
  expect(formatLimits({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })).toEqual(
    [],
  )
  expect(formatLimits({ enum: ['a', 'b'] })).toEqual(['"a", "b"'])
})

test('finds the fields below lists and nullable objects', () => {
  const object = { type: 'object', required: ['a'], properties: { a: {}, b: {} } }
  const names = [
    { name: 'a', schema: {}, isRequired: true },
    { name: 'b', schema: {}, isRequired: false },
  ]
  expect(listFields({ type: 'array', items: object })).toEqual(names)
  expect(listFields({ anyOf: [object, { type: 'null' }] })).toEqual(names)
  expect(listFields({ type: 'string' })).toEqual([])
})

test('shows what references lead to, also of a schema that contains itself', () => {
  const schemas = {
    Folder: {
      type: 'object',
      required: ['name', 'inside'],
      properties: { name: { type: 'string' }, inside: { $ref: '#/components/schemas/Folder' } },
    },
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Folder' } } }
  const post = {
    operationId: 'createFolder',
    requestBody: { content },
    responses: { 404: { $ref: '#/components/responses/NotFound' } },
  }
  const responses = { NotFound: { description: '`not_found` Not found' } }
  const [operation] = parseOperations({ paths: { '/api/folder': { post } }, components: { schemas, responses } })
  expect(listFields(operation?.body ?? {}).map(({ name }) => name)).toEqual(['name', 'inside'])
  expect(operation?.errors).toEqual([{ status: '404', codes: [{ code: 'not_found', title: 'Not found' }] }])
  expect(buildExample(operation?.body ?? {})).toMatchObject({ name: 'name', inside: { name: 'name' } })
})
