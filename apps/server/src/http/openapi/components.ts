import { nameSchemas } from '@trellis/contract/all-schemas'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as z from 'zod/mini'

type Schema = z.core.$ZodType
type Io = 'input' | 'output'
type Json = Record<string, unknown>

const PREFIX = '#/components/schemas/'
const capitalize = (id: string) => `${id[0]?.toUpperCase()}${id.slice(1)}`

export interface Components {
  refer(schema: Schema, io: Io): Json
  expand(schema: Schema, io: Io): { properties: Record<string, Json>; required: readonly string[] }
  listUsed(): Record<string, Json>
}

export function describeComponents(endpoints: readonly Endpoint[]): Components {
  const names = new Map(nameSchemas())
  const name = (schema: Schema | undefined, otherwise: string) => {
    if (schema && !names.has(schema)) names.set(schema, otherwise)
  }
  for (const { id, params, query, body, response } of endpoints) {
    name(params, `${capitalize(id)}Params`)
    name(query, `${capitalize(id)}Query`)
    name(body, `${capitalize(id)}Request`)
    name(response, `${capitalize(id)}Response`)
  }
  const described = { input: describeAll(names, 'input'), output: describeAll(names, 'output') }
  const different = findDifferent(described.input, described.output)
  for (const id of different)
    if (described.input[`${id}Input`]) throw new Error(`The schema ${id}Input has the name of what is sent for ${id}.`)
  const used = new Map<string, Json>()

  const read = (plain: string, io: Io): Json => (io === 'input' ? described.input : described.output)[plain] ?? {}
  const toName = (plain: string, io: Io) => (io === 'input' && different.has(plain) ? `${plain}Input` : plain)

  function use(plain: string, io: Io): Json {
    const full = toName(plain, io)
    if (!used.has(full)) {
      used.set(full, {})
      used.set(full, followReferences(read(plain, io), io))
    }
    return { $ref: `${PREFIX}${full}` }
  }

  const followReferences = (schema: Json, io: Io): Json =>
    mapReferences(schema, (plain) => use(plain, io)['$ref'] as string)

  const toPlain = (schema: Schema) => names.get(schema) ?? ''

  return {
    refer: (schema, io) => use(toPlain(schema), io),
    expand(schema, io) {
      const { properties = {}, required = [] } = followReferences(read(toPlain(schema), io), io)
      return { properties: properties as Record<string, Json>, required: required as string[] }
    },
    listUsed: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function describeAll(names: ReadonlyMap<Schema, string>, io: Io): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // Clients must accept new fields of later versions.
      const { def } = zodSchema._zod
      if (io === 'output' && def.type === 'object' && !('catchall' in def && def.catchall))
        delete jsonSchema.additionalProperties
      // Spectral and some generators reject `items: false`; `maxItems` limits the length anyway.
      if (jsonSchema.prefixItems) jsonSchema.items ||= {}
      // Zod adds safe-integer limits to every integer.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, id: _name, ...schema }]) => [id, schema]),
  )
}

function mapReferences<T>(value: T, replace: (plain: string) => string): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapReferences(item, replace)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) =>
      key === '$ref' && typeof one === 'string' && one.startsWith(PREFIX)
        ? [key, replace(one.slice(PREFIX.length))]
        : [key, mapReferences(one, replace)],
    ),
  ) as T
}

/** Schemas that differ between input and output, directly or through references. */
function findDifferent(input: Record<string, Json>, output: Record<string, Json>): ReadonlySet<string> {
  const different = new Set(Object.keys(input).filter((id) => JSON.stringify(input[id]) !== JSON.stringify(output[id])))
  for (let before = -1; before < different.size;) {
    before = different.size
    for (const [id, schema] of Object.entries(input))
      mapReferences(schema, (plain) => {
        if (different.has(plain)) different.add(id)
        return plain
      })
  }
  return different
}
