import { linkReferences } from './link-references.ts'

export interface JsonSchema {
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  default?: unknown
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export interface Operation {
  id: string
  method: string
  path: string
  feature: string
  summary: string
  /** Other paths of the same endpoint. */
  aliases: readonly string[]
  permission: string
  isPublic: boolean
  parameters: readonly Parameter[]
  body: JsonSchema | undefined
  response: JsonSchema | undefined
  errors: readonly { status: string; codes: readonly { code: string; title: string }[] }[]
}

interface RawOperation {
  operationId: string
  summary?: string
  tags?: string[]
  'x-permission'?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> }
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: JsonSchema }> }>
}

const JSON_TYPE = 'application/json'

const ALIAS = /Alias$/

export function parseOperations(document: unknown): Operation[] {
  const all = readOperations(linkReferences(document))
  return all
    .filter(({ id }) => !ALIAS.test(id))
    .map((operation) => ({
      ...operation,
      aliases: all.filter(({ id }) => id === `${operation.id}Alias`).map(({ path }) => path),
    }))
}

function readOperations(document: unknown): Operation[] {
  const paths = (document as { paths?: Record<string, Record<string, RawOperation>> }).paths ?? {}
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => toOperation(raw, { path, method: method.toUpperCase() })),
  )
}

function toOperation(raw: RawOperation, route: { path: string; method: string }): Operation {
  const { responses = {} } = raw
  const responseSchema = responses['200']?.content?.[JSON_TYPE]?.schema
  return {
    ...route,
    id: raw.operationId,
    feature: raw.tags?.[0] ?? 'other',
    summary: raw.summary ?? '',
    aliases: [],
    permission: raw['x-permission'] ?? '',
    isPublic: raw.security?.length === 0,
    parameters: raw.parameters ?? [],
    body: raw.requestBody?.content?.[JSON_TYPE]?.schema,
    response: responseSchema?.properties?.['data'] ?? responseSchema,
    errors: Object.entries(responses)
      .filter(([status]) => status !== '200')
      .map(([status, { description = '' }]) => ({ status, codes: parseCodes(description) })),
  }
}

/** Parses "`not_found` Not found; `conflict` …". */
function parseCodes(description: string) {
  return description.split('; ').map((part) => {
    const [, code = '', title = part] = /^`(\w+)` (.*)$/.exec(part) ?? []
    return { code, title }
  })
}

export interface FeatureGroup {
  feature: string
  operations: readonly Operation[]
}

export function groupByFeature(operations: readonly Operation[]): FeatureGroup[] {
  return [...Map.groupBy(operations, (operation) => operation.feature)].map(([feature, list]) => ({
    feature,
    operations: list,
  }))
}

export function toSearchText({ id, method, path, summary, feature }: Operation): string {
  return `${method} ${path} ${summary} ${id} ${feature}`
}
