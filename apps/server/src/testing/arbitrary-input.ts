import type { Endpoint } from '@trellis/contract/core/endpoint'
import fc from 'fast-check'
import * as z from 'zod/mini'

type JsonSchema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const jsonSchema = (schema: z.core.$ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

export interface ArbitraryInput {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

/** Valid by schema; some is refused by other rules. */
export function shapedInput(endpoint: Endpoint): fc.Arbitrary<ArbitraryInput> {
  return buildInput(endpoint, (schema) => shaped(jsonSchema(schema)))
}

export function findValidInput(endpoint: Endpoint, tenant: Record<string, string>): ArbitraryInput {
  const arbitrary = shapedInput(endpoint)
  const parts = ['params', 'query', 'body'] as const
  // One of the first few is usually accepted; the longer list starts with the same ones.
  for (const numRuns of [5, 300]) {
    const samples = fc.sample(arbitrary, { numRuns, seed: 7 })
    const filled = samples.map((sample) => ({ ...sample, params: { ...sample.params, ...tenant } }))
    const valid = filled.find((sample) =>
      parts.every((part) => !endpoint[part] || z.safeParse(endpoint[part], sample[part] ?? {}).success),
    )
    if (valid) return valid
  }
  throw new Error(`no valid input for ${endpoint.id} was found`)
}

/** Valid names with hostile values, or no valid shape. */
export function hostileInput(endpoint: Endpoint): fc.Arbitrary<ArbitraryInput> {
  return buildInput(endpoint, (schema) => {
    const names = Object.keys(jsonSchema(schema).properties ?? {})
    const named = fc.record(Object.fromEntries(names.map((name) => [name, hostileValue])), { requiredKeys: [] })
    return fc.oneof({ weight: 4, arbitrary: named as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: hostileValue })
  })
}

function buildInput(
  endpoint: Endpoint,
  make: (schema: z.core.$ZodType) => fc.Arbitrary<unknown>,
): fc.Arbitrary<ArbitraryInput> {
  const part = (schema: z.core.$ZodType | undefined) => (schema ? make(schema) : fc.constant(undefined))
  return fc.record({
    params: part(endpoint.params),
    query: part(endpoint.query),
    body: part(endpoint.body),
  }) as fc.Arbitrary<ArbitraryInput>
}

const NASTY_STRINGS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Eevil',
  '\u200b',
  '💥'.repeat(40),
  "'; drop table profiles; --",
  '"',
  '\\',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '1e999',
  '-0',
  '0x10',
  String(2 ** 53 + 1),
  'x'.repeat(70_000),
  'a@b.co',
  'A@B.CO ',
  'user+tag@example.com',
  '2026-02-30T25:61:61Z',
  '\r\nSet-Cookie: a=b',
]

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...NASTY_STRINGS),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    [[]],
    [null],
    { a: { b: {} } },
  ),
  fc.constant(JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown),
  fc.array(fc.constantFrom(...NASTY_STRINGS), { maxLength: 5 }),
  fc.dictionary(
    fc.constantFrom('email', 'id', 'role', 'account_id', 'toString', 'a'.repeat(300)),
    fc.constantFrom<unknown>('x', 1, null),
    { maxKeys: 4 },
  ),
)

function shaped(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return fc.oneof(...options.map((option) => shaped(option)))
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((part) => shaped(part)))
      .map((parts) => Object.assign({}, ...(parts as object[])) as unknown)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return shapedObject(schema)
    case 'array':
      return fc.array(shaped(schema.items ?? {}), { maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.ceil(Math.max(schema.minimum ?? -1000, -1e9)),
        max: Math.min(schema.maximum ?? 1000, 1e9),
      })
    case 'null':
      return fc.constant(null)
    default:
      return keptString(schema)
  }
}

function shapedObject(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/), shaped(schema.additionalProperties), {
      maxKeys: 4,
    })
  }
  const entries = Object.fromEntries(properties.map(([name, property]) => [name, shaped(property)]))
  return fc.record(entries, { requiredKeys: schema.required ?? [] })
}

/** Cached, since creating the arbitrary of a pattern is expensive. */
const strings = new Map<string, fc.Arbitrary<unknown>>()

function keptString(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { format, pattern, minLength, maxLength } = schema
  const key = JSON.stringify({ format, pattern, minLength, maxLength })
  const arbitrary = strings.get(key) ?? shapedString(schema)
  strings.set(key, arbitrary)
  return arbitrary
}

function shapedString(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const random = fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 30, 120) })
  if (!schema.pattern || /\\p\{|\(\?/.test(schema.pattern)) {
    return fc.oneof(random, fc.constantFrom('person@example.com', 'Str0ng!pass', '123456', 'Ada'))
  }
  return fc.stringMatching(new RegExp(schema.pattern))
}
