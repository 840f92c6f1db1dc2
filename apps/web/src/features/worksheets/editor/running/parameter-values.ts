import type { Parameters } from '@trellis/contract/sql/sql.schemas'

export type ParameterValue = Parameters[string]
type ParameterType = ParameterValue['type']

export const PARAMETER_TYPES: readonly { value: ParameterType; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'integer', label: 'Integer' },
  { value: 'numeric', label: 'Number' },
  { value: 'boolean', label: 'Boolean' },
  { value: 'date', label: 'Date' },
  { value: 'timestamptz', label: 'Timestamp' },
  { value: 'uuid', label: 'UUID' },
  { value: 'json', label: 'JSON' },
]

/** A guess by name. */
export function guessType(name: string): ParameterType {
  if (/(^|_)(date|day|from_day|to_day)$/i.test(name)) return 'date'
  if (/(^|_)(at|time|timestamp)$/i.test(name)) return 'timestamptz'
  if (/(^|_)(id|count|limit|year|month|number|n)$/i.test(name)) return 'integer'
  if (/(^|_)(amount|price|rate|total|sum)$/i.test(name)) return 'numeric'
  return /^(is|has|can)_/i.test(name) ? 'boolean' : 'text'
}

export function parseParameters(text: string | null): Parameters {
  try {
    const stored = JSON.parse(text ?? '{}') as Record<string, { type?: unknown; value?: unknown } | null>
    const types = new Set<unknown>(PARAMETER_TYPES.map(({ value }) => value))
    return Object.fromEntries(
      Object.entries(stored).flatMap(([name, one]) =>
        one && types.has(one.type) && (one.value === null || typeof one.value === 'string')
          ? [[name, { type: one.type as ParameterType, value: one.value }]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

/** Unset parameters are empty text, or NULL for other types. */
export function chooseParameters(names: readonly string[], parameters: Parameters): Parameters {
  return Object.fromEntries(
    names.map((name) => {
      const { type, value } = parameters[name] ?? { type: guessType(name), value: '' }
      return [name, { type, value: value === '' && type !== 'text' ? null : value }]
    }),
  )
}
