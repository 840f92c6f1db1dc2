import type { JsonSchema } from './openapi.ts'

/** `string`, `integer or null`, `list of object`, `one of 3`. */
export function formatType(schema: JsonSchema): string {
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) {
    const words = [...new Set(choice.map(formatType))]
    return words.length === 2 && words.includes('null')
      ? `${words.find((word) => word !== 'null')} or null`
      : words.join(' or ')
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array' && schema.items) return `list of ${formatType(schema.items)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'anything')
  return schema.format && type === 'string' ? schema.format : type
}

export function formatLimits(schema: JsonSchema): string[] {
  const range = (low: number | undefined, high: number | undefined, unit: string) => {
    const top = high !== undefined && high < Number.MAX_SAFE_INTEGER ? high : undefined
    const bottom = low !== undefined && low > Number.MIN_SAFE_INTEGER ? low : undefined
    if (bottom !== undefined && top !== undefined) return [`${bottom}–${top}${unit}`]
    if (bottom !== undefined) return [`at least ${bottom}${unit}`]
    return top === undefined ? [] : [`at most ${top}${unit}`]
  }
  return [
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.enum ? [schema.enum.map((item) => JSON.stringify(item)).join(', ')] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

/** Fields of an object, a list of objects or a choice with one object. */
export function listFields(schema: JsonSchema): { name: string; schema: JsonSchema; isRequired: boolean }[] {
  if (schema.type === 'array' && schema.items) return listFields(schema.items)
  const choice = (schema.anyOf ?? schema.oneOf)?.filter((jsonSchema) => jsonSchema.type !== 'null')
  if (choice?.length === 1 && choice[0]) return listFields(choice[0])
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: schema.required?.includes(name) === true,
  }))
}
