import type { Session } from '../session.ts'
import type { CatalogueTable } from './find-table.ts'
import { readObjects } from './plain-session.ts'

export interface ColumnStatistics {
  readonly column: string
  readonly nullFraction: number
  /** n_distinct: a count above 0, a share of the rows below 0. */
  readonly distinct: number
  readonly common: readonly { readonly value: string; readonly share: number }[]
  readonly lowest: string | null
  readonly highest: string | null
}

const COMMON_VALUES_LIMIT = 10
const MAX_VALUE_CHARACTERS = 100

export async function readStatistics(session: Session, table: CatalogueTable): Promise<readonly ColumnStatistics[]> {
  return await readObjects<ColumnStatistics>(
    session,
    `select s.attname as column, s.null_frac as "nullFraction", s.n_distinct as distinct,
            coalesce((select json_agg(json_build_object('value', left(v.value, ${MAX_VALUE_CHARACTERS}), 'share', v.share))
                        from unnest(s.vals[1:${COMMON_VALUES_LIMIT}], s.freqs[1:${COMMON_VALUES_LIMIT}]) v(value, share)
                       where v.value is not null), '[]') as common,
            left(s.bounds[1], ${MAX_VALUE_CHARACTERS}) as lowest,
            left(s.bounds[array_upper(s.bounds, 1)], ${MAX_VALUE_CHARACTERS}) as highest
       from (select p.attname, p.null_frac, p.n_distinct, p.most_common_freqs as freqs,
                    ${buildFlatArray('p.most_common_vals')} as vals, ${buildFlatArray('p.histogram_bounds')} as bounds
               from pg_stats p
              where p.schemaname = $1::text and p.tablename = $2::text and p.inherited = $3::boolean) s`,
    [table.schema, table.name, String(table.kind === 'partitioned_table')],
  )
}

const buildFlatArray = (arrayExpression: string) =>
  `case when array_ndims(${arrayExpression}::text::text[]) = 1 then ${arrayExpression}::text::text[] end`
