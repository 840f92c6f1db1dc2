import type { JsonSchema, Operation } from './openapi.ts'

const BY_FORMAT: Record<string, string> = {
  email: 'ada@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  uri: 'https://example.com',
}

function getFirstType(schema: JsonSchema): string | undefined {
  return Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type
}

function formatExample(name: string, schema: JsonSchema): string {
  if (schema.format && BY_FORMAT[schema.format]) return BY_FORMAT[schema.format] ?? ''
  if (/email/i.test(name)) return 'ada@example.com'
  return schema.pattern?.includes('\\d{6}') ? '123456' : name || 'text'
}

const MAX_DEPTH = 8

/** Omits optional fields, as in the shortest valid request. Stops at recursive schemas. */
export function buildExample(schema: JsonSchema, name = '', depth = 0): unknown {
  if (depth > MAX_DEPTH) return {}
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return buildExample(choice.find((jsonSchema) => jsonSchema.type !== 'null') ?? {}, name, depth + 1)
  switch (getFirstType(schema)) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key))
      return Object.fromEntries(fields.map(([key, field]) => [key, buildExample(field, key, depth + 1)]))
    }
    case 'array':
      return schema.items ? [buildExample(schema.items, name, depth + 1)] : []
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return formatExample(name, schema)
  }
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Path parameters become shell variables. */
export function formatCurl(operation: Operation, origin: string): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(
      (parameter) => `${parameter.name}=${encodeURIComponent(String(buildExample(parameter.schema, parameter.name)))}`,
    )
    .join('&')
  const lines = [
    `curl${operation.method === 'GET' ? '' : ` -X ${operation.method}`} "${origin}${path}${query && `?${query}`}"`,
    ...(operation.isPublic ? [] : ['-H "Authorization: Bearer $TRELLIS_TOKEN"']),
    ...(operation.body
      ? [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(buildExample(operation.body)))}`]
      : []),
  ]
  return lines.join(' \\\n  ')
}
