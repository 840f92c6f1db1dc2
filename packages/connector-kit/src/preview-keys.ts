import type { ColumnStatistics } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { Value } from './batch.ts'

type Statistics = z.infer<typeof ColumnStatistics>

const MAX_COLUMNS = 12
const MAX_KEYS = 5
const LIKE_A_KEY = /(^|[._-])(id|key|uuid|guid|code|sku|email|number)$|[a-z]Id$/i
const LIKE_A_PART = /date|day|name|_id$/i

/** The smallest sets of columns that are unique in the sample; names that look like keys first. */
export function findCandidateKeys(columns: readonly Statistics[], rows: readonly (readonly Value[])[]): string[][] {
  if (rows.length === 0) return []
  const singles = columns.filter(({ can_be_key }) => can_be_key).map(({ name }) => [name])
  if (singles.length > 0) return singles.toSorted(byName).slice(0, MAX_KEYS)
  const usable = columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ type, nulls, distinct }) => nulls === 0 && distinct > 1 && type !== 'json' && type !== 'float')
    .toSorted((a, b) => rank([a.name]) - rank([b.name]) || b.distinct - a.distinct)
    .slice(0, MAX_COLUMNS)
  for (const size of [2, 3]) {
    const combinations = listCombinations(usable, size).filter((group) =>
      isUnique(
        group.map(({ at }) => at),
        rows,
      ),
    )
    if (combinations.length > 0) {
      return combinations
        .map((group) => group.toSorted((a, b) => a.at - b.at).map(({ name }) => name))
        .slice(0, MAX_KEYS)
    }
  }
  return []
}

const rank = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + (LIKE_A_KEY.test(name) ? 0 : LIKE_A_PART.test(name) ? 1 : 2), 0)
const byName = (a: readonly string[], b: readonly string[]) => rank(a) - rank(b)

function isUnique(places: readonly number[], rows: readonly (readonly Value[])[]): boolean {
  const seen = new Set<string>()
  for (const row of rows) {
    const name = JSON.stringify(places.map((at) => row[at]))
    if (seen.has(name)) return false
    seen.add(name)
  }
  return true
}

function listCombinations<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, index) =>
    listCombinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  )
}
