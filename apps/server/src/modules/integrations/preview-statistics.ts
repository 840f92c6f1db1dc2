import type { Field } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { ColumnStatistics } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'

type Statistics = z.infer<typeof ColumnStatistics>
type Row = readonly (string | null)[]

const NUMBERS: readonly ColumnType[] = ['integer', 'decimal', 'float']
const NEVER_KEY: readonly ColumnType[] = ['json', 'float', 'boolean']
const CURSORS: readonly ColumnType[] = ['timestamptz', 'timestamp', 'date', 'integer']
const MOST_TRIED_COLUMNS = 12
const MOST_KEYS = 5

export function statisticsOf(fields: readonly Field[], rows: readonly Row[]): Statistics[] {
  return fields.map(({ name, type, isNullable }, at) => {
    const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null)
    const ordered = type === 'json' ? [] : values.toSorted((a, b) => compare(type, a, b))
    const distinct = new Set(values).size
    const isUnique = rows.length > 0 && values.length === rows.length && distinct === rows.length
    return {
      name,
      type,
      is_nullable: isNullable,
      nulls: rows.length - values.length,
      distinct,
      smallest: ordered[0] ?? null,
      largest: ordered.at(-1) ?? null,
      can_be_key: isUnique && !NEVER_KEY.includes(type),
      can_be_cursor: CURSORS.includes(type) && values.length === rows.length && (type !== 'integer' || isUnique),
    }
  })
}

function compare(type: ColumnType, a: string, b: string): number {
  if (NUMBERS.includes(type)) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}

const NAMED_LIKE_A_KEY = /(^|[._-])(id|key|uuid|guid|code|sku|email)$/i
const PART_OF_A_KEY = /(^|[._-])(id|key|uuid|code|date|day|name)$|_id$/i
const CHANGED = /updat|modif|chang|_at$|edited/i
const MADE = /creat|insert|date|time|day/i

const rank = (name: string, order: readonly RegExp[]) => {
  const at = order.findIndex((pattern) => pattern.test(name))
  return at === -1 ? order.length : at
}

/** Fewest columns that tell the sampled rows apart, those that are named like a key first. */
export function candidateKeys(columns: readonly Statistics[], rows: readonly Row[]): string[][] {
  const singles = columns
    .filter(({ can_be_key }) => can_be_key)
    .map(({ name }) => name)
    .toSorted((a, b) => rank(a, [NAMED_LIKE_A_KEY]) - rank(b, [NAMED_LIKE_A_KEY]))
  if (singles.length > 0) return singles.slice(0, MOST_KEYS).map((name) => [name])
  const usable = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ type, nulls, distinct }) => !NEVER_KEY.includes(type) && nulls === 0 && distinct > 1)
    .toSorted((a, b) => rank(a.name, [PART_OF_A_KEY]) - rank(b.name, [PART_OF_A_KEY]))
    .slice(0, MOST_TRIED_COLUMNS)
  for (const size of [2, 3]) {
    const found = combinations(usable, size).filter((some) => tellsApart(rows, some))
    if (found.length > 0) return found.slice(0, MOST_KEYS).map((some) => some.map(({ name }) => name))
  }
  return []
}

const tellsApart = (rows: readonly Row[], columns: readonly { at: number }[]) =>
  rows.length > 0 && new Set(rows.map((row) => JSON.stringify(columns.map(({ at }) => row[at])))).size === rows.length

function combinations<T>(from: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return from.flatMap((one, at) => combinations(from.slice(at + 1), size - 1).map((rest) => [one, ...rest]))
}

/** The one the platform declares first, then what says when a row was changed, then when it was made. */
export function candidateCursors(columns: readonly Statistics[], declared: string | null): string[] {
  const found = columns
    .filter(({ can_be_cursor }) => can_be_cursor)
    .map(({ name, type }) => ({ name, place: type === 'integer' ? 3 : rank(name, [CHANGED, MADE]) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ name }) => name)
  const known = declared !== null && columns.some(({ name }) => name === declared) ? [declared] : []
  return [...new Set([...known, ...found])]
}
