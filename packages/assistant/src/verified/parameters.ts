import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { quoteLiteral } from '../engine/plan/quote.ts'
import { isNumeric } from '../engine/schema/model.ts'
import type { Column, Model } from '../engine/schema/model.ts'
import { toStems, toReadableName } from '../engine/schema/names.ts'
import { listCountryForms } from '../engine/words/countries.ts'
import { findTimes } from '../engine/words/times.ts'
import { tokenise } from '../engine/words/tokens.ts'

/** Skips literals, quoted names, comments and the cast `::`. */
const PARAMETER_OR_SKIPPED =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|::|(?<![\w\]]):([a-z_]\w*)/gi

/** `:country` in the SQL of a verified query → country */
export const listParameters = (sql: string): string[] => [
  ...new Set([...sql.matchAll(PARAMETER_OR_SKIPPED)].flatMap(([, , name]) => name ?? [])),
]

const replaceParameters = (sql: string, toText: (name: string) => string): string =>
  sql.replaceAll(PARAMETER_OR_SKIPPED, (matchedText: string, _: string | undefined, name: string | undefined) =>
    name === undefined ? matchedText : toText(name),
  )

/** Every parameter as null, to plan the query without values. */
export const replaceParametersByNull = (sql: string): string => replaceParameters(sql, () => 'null')

type ParameterKind = 'number' | 'date' | 'text'

interface Parameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly column: Column | undefined
}

const MAX_OPTIONS = 50

export interface ResolvedParameters {
  readonly sql: string | undefined
  readonly chips: readonly Chip[]
  readonly missing: readonly string[]
}

interface ParametersInput {
  readonly sql: string
  readonly model: Model
  readonly values: Readonly<Record<string, string>>
  readonly choices: Readonly<Record<string, string>>
  readonly now: Date
}

const toChipId = (name: string): string => `parameter.${name}`

/** Fills in the values from the question or from choices; lists those that are missing. */
export function resolveParameters({ sql, model, values, choices, now }: ParametersInput): ResolvedParameters {
  const resolvedParameters = listParameters(sql).map((name) => {
    const parameter = inferParameter(sql, name, model)
    const spokenValue = values[name] ?? ''
    const value = choices[toChipId(name)] ?? (spokenValue === '' ? '' : resolveValue(parameter, spokenValue, now))
    return { parameter, words: spokenValue, value: value.trim() }
  })
  const missing = resolvedParameters
    .filter(({ value }) => value === '')
    .map(({ parameter }) => toReadableName(parameter.name))
  const literals = new Map(
    resolvedParameters.map(({ parameter, value }) => [parameter.name, toLiteral(parameter, value)]),
  )
  return {
    sql: missing.length > 0 ? undefined : replaceParameters(sql, (name) => literals.get(name) ?? 'null'),
    missing,
    chips: resolvedParameters.map(({ parameter: { name, column }, words: spokenValue, value }) => ({
      id: toChipId(name),
      kind: 'parameter',
      label: toReadableName(name),
      words: spokenValue,
      value,
      options: listOptions(column).map((option) => ({ value: option, label: option })),
    })),
  }
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The type of a parameter from its cast or from the column that it is compared with. */
function inferParameter(sql: string, name: string, model: Model): Parameter {
  const [, , type = ''] =
    new RegExp(String.raw`(:${escapeRegExp(name)}::|cast\(\s*:${escapeRegExp(name)}\s+as\s+)(\w+)`, 'i').exec(sql) ?? []
  const comparedColumnName = new RegExp(
    String.raw`([\w"]+)\s*(?:=|<>|!=|<=?|>=?|\bi?like\b|\bbetween\b|\bbetween\b[^;]*?\band\b)\s*:${escapeRegExp(name)}\b`,
    'i',
  ).exec(sql)?.[1]
  const column =
    comparedColumnName === undefined ? undefined : findColumn(model, sql, comparedColumnName.replaceAll('"', ''))
  if (/^(int|bigint|smallint|numeric|decimal|float|double|real)/i.test(type)) return { name, kind: 'number', column }
  if (/^(date|timestamp)/i.test(type)) return { name, kind: 'date', column }
  if (new RegExp(String.raw`\b(limit|offset)\s+:${escapeRegExp(name)}\b`, 'i').test(sql))
    return { name, kind: 'number', column }
  if (column && isNumeric(column)) return { name, kind: 'number', column }
  if (column?.kind === 'date' || column?.kind === 'timestamp') return { name, kind: 'date', column }
  return { name, kind: 'text', column }
}

const findColumn = (model: Model, sql: string, name: string): Column | undefined =>
  model.tables
    .filter((table) => sql.toLowerCase().includes(table.name.toLowerCase()))
    .flatMap(({ columns }) => columns)
    .find((column) => column.name.toLowerCase() === name.toLowerCase())

/** The values of a column with few of them. */
function listOptions(column: Column | undefined): string[] {
  if (!column || column.kind !== 'text' || column.distinct <= 0 || column.distinct > MAX_OPTIONS) return []
  return [...new Set(column.values.map((value) => value.trim()))].toSorted((a, b) => a.localeCompare(b))
}

/** The words of the question as a number, a date or the stored value that they mean. */
function resolveValue({ kind, column }: Parameter, words: string, now: Date): string {
  const tokens = tokenise(words)
  if (kind === 'number') return String(tokens.find(({ number }) => number !== null)?.number ?? words)
  if (kind === 'date') return findTimes(tokens, now)[0]?.range.from ?? words
  const forms = [words, ...listCountryForms(toStems(words.split(/\s+/)).join(' '))].map((form) => form.toLowerCase())
  const storedValue = column?.values.find((value) => forms.includes(value.trim().toLowerCase()))
  return storedValue?.trim() ?? words
}

/** Numbers unquoted, so that they can be multiplied; anything else is a literal whose type Postgres infers. */
const toLiteral = ({ kind }: Parameter, value: string): string =>
  kind === 'number' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value) ? value : quoteLiteral(value)
