import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allEndpoints } from '../all-endpoints.ts'
import { ObjectName } from '../explorer/names.ts'

const NAMED = /(?:^|_)(?:name|title|label|filename|surname)$|Name$/
const TEXTS = /(?:^|_)(?:description|note|message)$/
const HIDDEN = ['\u202E', '\u2066', '\u200B', '\uFEFF', '\u0007', '\u0000', '\u2028', '\ud800']

type Schema = z.core.$ZodType & { _zod: { def: Record<string, unknown> } }

interface Field {
  path: string
  key: string
  schema: Schema
}

const INNER = ['innerType', 'element', 'valueType', 'in', 'out', 'left', 'right'] as const

function* listStrings(schema: Schema, at: Omit<Field, 'schema'>, seenSchemas = new Set<Schema>()): Generator<Field> {
  if (seenSchemas.has(schema)) return
  const inside = new Set([...seenSchemas, schema])
  const { def } = schema._zod
  if (def['type'] === 'string') yield { ...at, schema }
  for (const [key, inner] of Object.entries((def['shape'] ?? {}) as Record<string, Schema>))
    yield* listStrings(inner, { path: `${at.path}.${key}`, key }, inside)
  for (const inner of (def['options'] ?? def['items'] ?? []) as Schema[]) yield* listStrings(inner, at, inside)
  for (const name of INNER) if (def[name]) yield* listStrings(def[name] as Schema, at, inside)
  if (def['type'] === 'lazy') yield* listStrings((def['getter'] as () => Schema)(), at, inside)
}

const fields = allEndpoints.flatMap(({ id, body }) =>
  body ? [...listStrings(body as Schema, { path: id, key: '' })] : [],
)
/** Names of existing objects: a database created elsewhere may contain anything. */
const LOOKED_UP = /\.input\.(?:schema|table)_name$|^testConnection\.user_name$|^sampleBlock\.subtask_name$/
const isLookedUp = ({ path, schema }: Field) => schema === (ObjectName as unknown) || LOOKED_UP.test(path)
const given = fields.filter((field) => NAMED.test(field.key) && !isLookedUp(field))
const texts = fields.filter(({ key }) => TEXTS.test(key))

const accepts = (schema: Schema, text: string) => z.safeParse(schema, text).success
const acceptsHidden = ({ schema }: Field) => HIDDEN.filter((hidden) => accepts(schema, `ab${hidden}cd`))

test('names are found where they are known to be', () => {
  const paths = given.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['createLabel.name', 'createAccessToken.name', 'signup.firstName']))
  expect(paths.length).toBeGreaterThan(20)
})

test('no name that a person gives has invisible or direction-override characters', () => {
  expect(given.filter((field) => acceptsHidden(field).length > 0).map(({ path }) => path)).toEqual([])
})

test('no longer text has them either, but line breaks and joined emoji', () => {
  expect(texts.filter((field) => acceptsHidden(field).length > 0).map(({ path }) => path)).toEqual([])
  expect(texts.filter(({ schema }) => !accepts(schema, 'One\n\tTwo 👩‍🔬')).map(({ path }) => path)).toEqual([])
})
