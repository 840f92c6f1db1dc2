import type { Catalogue } from '../catalogue/catalogue.ts'
import { quoteName } from '../text/keywords.ts'
import { createItem, type Item, matchName } from './item.ts'
import type { CompletionContext } from './completion-context.ts'

const MAX_FUNCTIONS = 60
/** Suggested before anything is typed. */
const COMMON = new Set(
  'count sum avg min max coalesce round lower upper length trim date_trunc now to_char to_date extract concat string_agg array_agg jsonb_agg jsonb_build_object row_number rank lag lead first_value generate_series replace split_part substring abs floor ceil greatest least age unnest'.split(
    ' ',
  ),
)

export function listFunctions({ typed, owners }: CompletionContext, catalogue: Catalogue): Item[] {
  const lower = typed.toLowerCase()
  const [owner] = owners
  const found: { item: Item; fit: number }[] = []
  for (const { name, first } of catalogue.functionNames) {
    if (
      owner === undefined ? lower === '' && !COMMON.has(name) && first.schema === 'pg_catalog' : first.schema !== owner
    )
      continue
    const fit = lower === '' ? 0 : matchName(name, lower)
    if (fit === undefined || (fit === 2 && first.schema === 'pg_catalog')) continue
    const isPlain = owner !== undefined || first.schema === 'pg_catalog' || catalogue.searchPath.includes(first.schema)
    const written = isPlain ? quoteName(name) : `${quoteName(first.schema)}.${quoteName(name)}`
    const hasArguments = first.arguments !== ''
    found.push({
      fit: fit + (COMMON.has(name) ? 0 : 0.5),
      item: createItem({
        label: name,
        kind: 'function',
        detail: `(${first.arguments}) → ${first.result}`.slice(0, 80),
        insert: hasArguments ? `${written}($0)` : `${written}()`,
        isTemplate: hasArguments,
        comment: first.comment,
        rank: 50 + fit - (COMMON.has(name) ? 2 : 0),
      }),
    })
  }
  return found
    .toSorted((a, b) => a.fit - b.fit)
    .slice(0, MAX_FUNCTIONS)
    .map(({ item }) => item)
}
