import { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'
import * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'

const MAX_INTEGER = 2_147_483_647

const isDate = (text: string) => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

const FITS: Readonly<Record<SparkParameter['type'], (text: string) => boolean>> = {
  text: (text) => !text.includes('\0'),
  integer: (text) => /^[+-]?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= MAX_INTEGER,
  numeric: (text) => /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  date: isDate,
}

const WORDS: Readonly<Record<SparkParameter['type'], string>> = {
  text: 'a text',
  integer: 'a whole number',
  numeric: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
}

/** An empty field means NULL, except for text. */
const toValue = ({ type }: SparkParameter, text: string | null) => (text === '' && type !== 'text' ? null : text)

export function findValueProblem(parameter: SparkParameter, given: string | null): string | undefined {
  const value = toValue(parameter, given)
  if (value === null || FITS[parameter.type](value)) return undefined
  return `${parameter.label || parameter.key} has to be ${WORDS[parameter.type]}.`
}

export function readValues(
  parameters: readonly SparkParameter[],
  given: ParameterValues,
): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>()
  for (const parameter of parameters) {
    const text = Object.hasOwn(given, parameter.key) ? (given[parameter.key] ?? null) : parameter.initial
    const problem = findValueProblem(parameter, text)
    if (problem) throw new AppError('invalid_request', problem, { source: { parameter: 'parameters' } })
    values.set(parameter.key, toValue(parameter, text))
  }
  return values
}

export function parseValues(text: string | undefined): ParameterValues {
  if (text === undefined) return {}
  try {
    return z.parse(ParameterValues, JSON.parse(text))
  } catch (error) {
    throw new AppError('invalid_request', 'Parameters have to be an object of texts as JSON.', {
      source: { parameter: 'parameters' },
      cause: error,
    })
  }
}
