import type { SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'

type Field = SparkTemplates['templates'][number]['fields'][number]
type Kind = Field['kinds'][number]
interface TypedColumn {
  readonly name: string
  readonly type: string
  readonly is_primary_key?: boolean
}

const NUMBER = /^(smallint|integer|bigint|numeric|decimal|real|double precision|money)/
const TIME = /^(date|timestamp)/
const CATEGORY = /^(text|character|varchar|boolean|uuid|"?char)/

const TESTS: Record<Exclude<Kind, 'any'>, RegExp> = { number: NUMBER, time: TIME, category: CATEGORY }

export function isOfKind(type: string, kinds: readonly Kind[]): boolean {
  return kinds.some((kind) => kind === 'any' || TESTS[kind].test(type))
}

/** The first matching column that is not taken; ids are numbers but no measures. */
export function guessColumns(fields: readonly Field[], columns: readonly TypedColumn[]): Record<string, string[]> {
  const usedColumns = new Set<string>()
  return Object.fromEntries(
    fields.map(({ key, kinds, is_required }) => {
      const fitting = columns.filter(({ name, type }) => isOfKind(type, kinds) && !usedColumns.has(name))
      const isCounted = kinds.includes('number') && !kinds.includes('any')
      const typedColumn = (isCounted ? fitting.find(({ name }) => !isKey(name)) : undefined) ?? fitting[0]
      if (!is_required || !typedColumn) return [key, []]
      usedColumns.add(typedColumn.name)
      return [key, [typedColumn.name]]
    }),
  )
}

const isKey = (name: string) => /(^|_)(id|key|no|number|year)$/i.test(name)
