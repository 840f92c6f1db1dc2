export type ValueType = 'text' | 'number' | 'instant' | 'list' | 'unknown'

export type ExpressionValue = string | number | boolean | Date | null | readonly string[]

interface Filter {
  readonly takes: readonly ValueType[]
  readonly gives: ValueType
  readonly argument: 'none' | 'needed' | 'number'
  apply(value: ExpressionValue, argument: string | number): ExpressionValue
}

export class ValueFault extends Error {}

const TEXTS: readonly ValueType[] = ['text', 'number']
const INSTANTS: readonly ValueType[] = ['instant', 'text', 'number']
const DAY = 86_400_000

const createTextFilter = (change: (value: string) => ExpressionValue): Filter => ({
  takes: TEXTS,
  gives: 'text',
  argument: 'none',
  apply: (value) => change(formatValue(value)),
})
const createInstantFilter = (gives: ValueType, change: (value: Date) => ExpressionValue): Filter => ({
  takes: INSTANTS,
  gives,
  argument: 'none',
  apply: (value) => change(toInstant(value)),
})
const shift = (sign: 1 | -1): Filter => ({
  takes: INSTANTS,
  gives: 'instant',
  argument: 'number',
  apply: (value, days) => new Date(toInstant(value).getTime() + sign * Number(days) * DAY),
})

export const FILTERS: Readonly<Record<string, Filter>> = {
  date: createInstantFilter('text', (value) => value.toISOString().slice(0, 10)),
  iso: createInstantFilter('text', (value) => value.toISOString()),
  iso_seconds: createInstantFilter('text', (value) => `${value.toISOString().slice(0, 19)}Z`),
  unix: createInstantFilter('number', (value) => Math.floor(value.getTime() / 1000)),
  unix_ms: createInstantFilter('number', (value) => value.getTime()),
  plus_days: shift(1),
  minus_days: shift(-1),
  lower: createTextFilter((value) => value.toLowerCase()),
  upper: createTextFilter((value) => value.toUpperCase()),
  trim: createTextFilter((value) => value.trim()),
  encode: createTextFilter((value) => encodeURIComponent(value)),
  base64: createTextFilter((value) => toBase64(value)),
  number: {
    takes: TEXTS,
    gives: 'number',
    argument: 'none',
    apply(value) {
      const number = Number(formatValue(value))
      if (formatValue(value).trim() === '' || Number.isNaN(number))
        throw new ValueFault(`"${formatValue(value)}" is no number.`)
      return number
    },
  },
  join: {
    takes: ['list'],
    gives: 'text',
    argument: 'needed',
    apply: (value, separator) => (Array.isArray(value) ? value.join(String(separator)) : formatValue(value)),
  },
  default: {
    takes: ['text', 'number', 'instant', 'list'],
    gives: 'unknown',
    argument: 'needed',
    apply: (value, otherwise) => (value === null || value === '' ? otherwise : value),
  },
}

export const findFilter = (name: string): Filter | undefined =>
  Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined

export function formatValue(value: ExpressionValue): string {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

function toInstant(value: ExpressionValue): Date {
  const made = value instanceof Date ? value : new Date(typeof value === 'number' ? value : formatValue(value))
  if (Number.isNaN(made.getTime())) throw new ValueFault(`"${formatValue(value)}" is no date.`)
  return made
}

export function toBase64(value: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(value)))
}
