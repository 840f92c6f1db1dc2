import * as z from 'zod/mini'
import type { Forma, FormaElement, FormaSection, FormaValues } from './forma.ts'
import { FIRST_DIMENSION, MAX_DIMENSIONS } from './forma.ts'
import { HistoricDateRange, findDateRangeProblems } from './historic-date-range.ts'

export const REQUIRED = 'Required field'

export interface FormaContext {
  /** Today as YYYY-MM-DD, in the person's or the server's time zone. */
  today: string
  /** Secrets that are stored already, as `section.element`; they may stay empty. */
  secretsSet?: readonly string[]
  custom?: (values: FormaValues) => boolean
}

export const DimensionItem = z.object({ dimension: z.string(), actionEvent: z.string() })
export const GoalItem = z.object({ goalEvent: z.string() })
export const TablePick = z.object({ schema: z.string(), table: z.optional(z.string()) })

export const getValue = (values: FormaValues, section: string, element: string): unknown => values[section]?.[element]

export function listShownSections(forma: Forma, values: FormaValues): FormaSection[] {
  return forma.sections.toSorted(byOrder).map((section) => ({
    ...section,
    elements: section.elements.toSorted(byOrder).filter((element) => isShown(element, values)),
  }))
}

/** Error messages by `section.element`. Empty optional elements have none. */
export function findFormaProblems(forma: Forma, values: FormaValues, context: FormaContext): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const section of listShownSections(forma, values)) {
    for (const element of section.elements) {
      const name = `${section.reference}.${element.reference}`
      const value = getValue(values, section.reference, element.reference)
      const problem = findElementProblem(element, value, {
        isRequired: section.is_required && !element.is_optional && !context.secretsSet?.includes(name),
        today: context.today,
      })
      if (problem) problems[name] = problem
    }
  }
  return problems
}

/** All sections exist, every element of the required ones is filled and valid, and the custom rule agrees. */
export function isFormaComplete(forma: Forma, values: FormaValues, context: FormaContext): boolean {
  const hasAll = forma.sections.every(({ reference, is_required }) => !is_required || values[reference] !== undefined)
  const hasNoProblem = Object.keys(findFormaProblems(forma, values, context)).length === 0
  return hasAll && hasNoProblem && (context.custom?.(values) ?? true)
}

export function startValues(forma: Forma): FormaValues {
  const values: FormaValues = {}
  for (const section of forma.sections) {
    const own: Record<string, unknown> = {}
    for (const { reference, default: start } of section.elements) if (start !== undefined) own[reference] = start
    values[section.reference] = own
  }
  return values
}

/** Drops values of unknown or hidden elements. */
export function pickKnownValues(forma: Forma, values: FormaValues): FormaValues {
  const known: FormaValues = {}
  for (const section of listShownSections(forma, values)) {
    const own: Record<string, unknown> = {}
    for (const { reference } of section.elements) {
      const value = getValue(values, section.reference, reference)
      if (value !== undefined) own[reference] = value
    }
    known[section.reference] = own
  }
  return known
}

const byOrder = (a: { order: number }, b: { order: number }) => a.order - b.order

function isShown({ shown_when }: FormaElement, values: FormaValues): boolean {
  if (!shown_when) return true
  return shown_when.values.includes(String(getValue(values, shown_when.section, shown_when.element)))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) && value.length === 0
}

interface ElementContext {
  isRequired: boolean
  today: string
}

type Rule<T extends FormaElement['type']> = (
  properties: Extract<FormaElement, { type: T }>['properties'],
  value: unknown,
  today: string,
) => string | undefined

const isText = (_properties: object, value: unknown) => (typeof value === 'string' ? undefined : 'Enter a text.')

const RULES: { [T in FormaElement['type']]: Rule<T> } = {
  text: findTextProblem,
  secret: findTextProblem,
  number: findNumberProblem,
  select: (properties, value) => findOptionProblem(properties, [value]),
  multi_select: (properties, value) => {
    if (!Array.isArray(value)) return 'Choose from the list.'
    const { most } = properties
    if (most !== undefined && value.length > most) return `Choose at most ${most}.`
    return findOptionProblem(properties, value)
  },
  boolean: (_properties, value) => (typeof value === 'boolean' ? undefined : 'Choose yes or no.'),
  table_picker: ({ picks }, value) => findPickProblem(picks, value),
  historic_date_range: (_properties, value, today) => findRangeProblem(value, today),
  dimensions: (_properties, value) => findDimensionsProblem(value),
  goals: ({ most }, value) => findGoalsProblem(value, most),
  query_editor: isText,
  macro: isText,
  rest_manifest: (_properties, value) => (typeof value === 'object' ? undefined : 'Describe the source.'),
  oauth_link: () => undefined,
}

/** Empty is a valid answer, or the value is not entered in the form. */
const NEVER_REQUIRED: readonly FormaElement['type'][] = ['boolean', 'oauth_link']

function findElementProblem(
  element: FormaElement,
  value: unknown,
  { isRequired, today }: ElementContext,
): string | undefined {
  if (isEmpty(value)) return isRequired && !NEVER_REQUIRED.includes(element.type) ? REQUIRED : undefined
  const rule = RULES[element.type] as Rule<FormaElement['type']>
  return rule(element.properties as never, value, today)
}

type TextProperties = Extract<FormaElement, { type: 'text' }>['properties']

function findTextProblem(properties: TextProperties, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'Enter a text.'
  const { min_length = 0, max_length = 10_000, pattern, pattern_message } = properties
  if (value.length < min_length) return `Enter at least ${min_length} characters.`
  if (value.length > max_length) return `Enter at most ${max_length} characters.`
  if (pattern && !new RegExp(pattern, 'u').test(value)) return pattern_message ?? 'This does not look right.'
  return undefined
}

function findNumberProblem(
  { min, max, is_integer }: Extract<FormaElement, { type: 'number' }>['properties'],
  value: unknown,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'Enter a number.'
  if (is_integer && !Number.isInteger(value)) return 'Enter a whole number.'
  if (min !== undefined && value < min) return `Enter ${min} or more.`
  if (max !== undefined && value > max) return `Enter ${max} or less.`
  return undefined
}

function findOptionProblem(
  { options, options_from }: { options: readonly { value: string }[]; options_from?: string | undefined },
  chosen: readonly unknown[],
): string | undefined {
  if (!chosen.every((item) => typeof item === 'string')) return 'Choose from the list.'
  if (new Set(chosen).size !== chosen.length) return 'Each can be chosen only once.'
  // Options known only to the platform are validated there.
  if (options_from) return undefined
  return chosen.every((item) => options.some(({ value }) => value === item)) ? undefined : 'Choose from the list.'
}

function findPickProblem(picks: 'schema' | 'table', value: unknown): string | undefined {
  const pick = z.safeParse(TablePick, value)
  if (!pick.success || pick.data.schema === '') return 'Choose a schema.'
  return picks === 'table' && !pick.data.table ? 'Choose a table.' : undefined
}

function findRangeProblem(value: unknown, today: string): string | undefined {
  const range = z.safeParse(HistoricDateRange, value)
  if (!range.success) return REQUIRED
  const { startDate, endDate } = findDateRangeProblems(range.data, today)
  return startDate ?? endDate
}

function findDimensionsProblem(value: unknown): string | undefined {
  const items = z.safeParse(z.array(DimensionItem), value)
  if (!items.success) return REQUIRED
  const chosen = items.data.map(({ dimension }) => dimension)
  if (chosen.length > MAX_DIMENSIONS) return `Choose at most ${MAX_DIMENSIONS} dimensions.`
  if (chosen[0] !== FIRST_DIMENSION) return `The first dimension is always ${FIRST_DIMENSION}.`
  if (chosen.includes('')) return REQUIRED
  return new Set(chosen).size === chosen.length ? undefined : 'Each can be chosen only once.'
}

function findGoalsProblem(value: unknown, most: number | undefined): string | undefined {
  const items = z.safeParse(z.array(GoalItem), value)
  if (!items.success) return REQUIRED
  const chosen = items.data.map(({ goalEvent }) => goalEvent)
  if (most !== undefined && chosen.length > most) return `Choose at most ${most} goals.`
  if (chosen.includes('')) return REQUIRED
  return new Set(chosen).size === chosen.length ? undefined : 'Each can be chosen only once.'
}
