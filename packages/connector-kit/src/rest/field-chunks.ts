import type { RestStream } from '@trellis/contract/integrations/rest-manifest'
import { toRecord } from './infer.ts'
import { getField } from './path.ts'
import type { Scope } from './scope.ts'

/** Splits fields over several requests; each has the key, so that the records can be joined. */
export function splitFields(
  { chunk_fields: chunk, key = [] }: RestStream,
  scope: Scope,
): { scope: Scope; query: Record<string, string> }[] {
  if (!chunk) return [{ scope, query: {} }]
  const others = chunk.fields.filter((field) => !key.includes(field))
  const own = key.filter((field) => chunk.fields.includes(field))
  const room = Math.max(1, chunk.most - own.length)
  const groups = Math.max(1, Math.ceil(others.length / room))
  return Array.from({ length: groups }, (_, index) => {
    const fields = [...own, ...others.slice(index * room, (index + 1) * room)]
    return { scope: { ...scope, fields }, query: { [chunk.parameter]: fields.join(',') } }
  })
}

export function mergeByKey({ key = [] }: RestStream, answers: readonly (readonly unknown[])[]): unknown[] {
  const merged = new Map<string, Record<string, unknown>>()
  const loose: unknown[] = []
  for (const records of answers) {
    for (const record of records) {
      const values = key.map((field) => getField(record, field) ?? null)
      // Records without a key would be merged into one.
      if (values.includes(null)) loose.push(record)
      else merged.set(JSON.stringify(values), { ...merged.get(JSON.stringify(values)), ...toRecord(record) })
    }
  }
  return [...merged.values(), ...loose]
}
