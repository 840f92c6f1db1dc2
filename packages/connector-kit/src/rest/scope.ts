import { ConnectorError } from '../connector-error.ts'
import { type Expression, type TemplatePart, parseTemplate } from './expression.ts'
import { type ExpressionValue, ValueFault, formatValue, findFilter } from './filters.ts'

export interface Scope {
  readonly config: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly query: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly host: (name: string) => string
  readonly now: Date
  readonly window?: { readonly start: ExpressionValue; readonly end: ExpressionValue } | undefined
  readonly parent?: unknown
  readonly partition?: string | undefined
  readonly report?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly page?: string | number | undefined
}

const parsed = new Map<string, readonly TemplatePart[]>()
const MAX_CACHED = 5000

/** Cached, since each page uses the same templates; bounded, since users write them. */
function parseTemplateCached(text: string): readonly TemplatePart[] {
  const knownTemplateParts = parsed.get(text)
  if (knownTemplateParts) return knownTemplateParts
  if (parsed.size >= MAX_CACHED) parsed.clear()
  const parts = parseTemplate(text)
  parsed.set(text, parts)
  return parts
}

/** An expression that is the whole text keeps its type; otherwise the result is a string. */
export function evaluate(
  text: string,
  scope: Scope,
  each: (value: string) => string = (value) => value,
): ExpressionValue {
  const parts = parseTemplateCached(text)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return evaluateExpression(only, scope)
  return parts
    .map((part) => (typeof part === 'string' ? part : each(formatValue(evaluateExpression(part, scope)))))
    .join('')
}

export const evaluateText = (text: string, scope: Scope): string => formatValue(evaluate(text, scope))

/** Values are percent-encoded, so that they cannot change the path. */
export function evaluatePath(text: string, scope: Scope): string {
  return parseTemplateCached(text)
    .map((part) => (typeof part === 'string' ? part : encodeURIComponent(formatValue(evaluateExpression(part, scope)))))
    .join('')
}

/** A value within a host name must not end it; one that is the whole address may be anything. */
export function evaluateBase(text: string, scope: Scope): string {
  const value = evaluate(text, scope, (part) => {
    if (/^[A-Za-z0-9_.-]+$/.test(part)) return part
    throw new ConnectorError('configuration', `"${part}" can't be part of an address.`, {
      advice: 'Enter only the name, without https:// and without slashes.',
    })
  })
  return formatValue(value)
}

export function evaluateJson(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') {
    const made = evaluate(value, scope)
    return made instanceof Date ? made.toISOString() : made
  }
  if (Array.isArray(value)) return value.map((item) => evaluateJson(item, scope))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, evaluateJson(item, scope)]))
}

/** Outputs of filters on secrets are secret too. */
export function listDerivedSecrets(inputs: readonly string[], value: unknown, scope: Scope): string[] {
  if (typeof value === 'string') return value.includes('{{') ? evaluateFilteredInputs(inputs, value, scope) : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((item) => listDerivedSecrets(inputs, item, scope))
}

function evaluateFilteredInputs(inputs: readonly string[], text: string, scope: Scope): string[] {
  try {
    return parseTemplateCached(text).flatMap((part) => {
      if (typeof part === 'string' || !('name' in part.value) || part.filters.length === 0) return []
      const [root, name = ''] = part.value.name
      return root === 'config' && inputs.includes(name) ? [formatValue(evaluateExpression(part, scope))] : []
    })
  } catch {
    return []
  }
}

function evaluateExpression({ value, filters }: Expression, scope: Scope): ExpressionValue {
  const start = 'literal' in value ? value.literal : resolvePath(value.name, scope)
  const isEmptyAllowed = filters[0]?.name === 'default'
  if (start === null && !isEmptyAllowed) throw missingValueError('name' in value ? value.name : [])
  try {
    return filters.reduce<ExpressionValue>((made, { name, argument }) => {
      const filter = findFilter(name)
      if (!filter) throw new ValueFault(`There is no filter "${name}".`)
      return filter.apply(made, argument ?? '')
    }, start)
  } catch (cause) {
    if (!(cause instanceof ValueFault)) throw cause
    throw new ConnectorError('configuration', cause.message, { cause })
  }
}

function missingValueError(name: readonly string[]): ConnectorError {
  const isSetting = name[0] === 'config' || name[0] === 'values'
  return new ConnectorError('configuration', `${name.join('.')} is empty.`, {
    advice: isSetting ? 'Enter it in the settings of the connection.' : "Allow for it with a default: | default: ''.",
    ...(name[0] === 'values' ? { field: name.slice(1, 3).join('.') } : {}),
    ...(name[0] === 'config' ? { field: `inputs.${name[1]}` } : {}),
  })
}

const ROOTS: Readonly<Record<string, (scope: Scope, rest: readonly string[]) => ExpressionValue>> = {
  config: ({ config }, [name = '']) => toEvaluated(getOwnProperty(config, name)),
  values: ({ values }, [section = '', element = '']) =>
    toEvaluated(getOwnProperty(getOwnProperty(values, section), element)),
  query: ({ query }, [section = '', element = '']) =>
    toEvaluated(getOwnProperty(getOwnProperty(query, section), element)),
  host: ({ host }, [name = '']) => host(name),
  now: ({ now }) => now,
  window: ({ window }, [end]) => window?.[end === 'start' ? 'start' : 'end'] ?? null,
  parent: ({ parent }, rest) =>
    toEvaluated(rest.reduce<unknown>((record, part) => getOwnProperty(record, part), parent)),
  partition: ({ partition }) => partition ?? null,
  report: ({ report }) => report ?? null,
  fields: ({ fields }) => fields ?? null,
  page: ({ page }) => page ?? null,
}

function resolvePath([root = '', ...rest]: readonly string[], scope: Scope): ExpressionValue {
  const find = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined
  if (find) return find(scope, rest)
  throw new ConnectorError('configuration', `Nothing is called ${[root, ...rest].join('.')}.`)
}

const getOwnProperty = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? (record as Record<string, unknown>)[name]
    : undefined

function toEvaluated(value: unknown): ExpressionValue {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)))
  return JSON.stringify(value)
}
