import type { Link, TextRow } from './link.ts'
import { type Target, type TargetColumn, toLiteral } from './target.ts'

export interface KeyRange {
  readonly from: string | null
  readonly to: string | null
  readonly after: readonly string[] | null
}

const WHOLE: KeyRange = { from: null, to: null, after: null }

const ROWS_WORTH_SPLITTING = 50_000

const INTEGERS = ['int2', 'int4', 'int8']
/** For other types `<` may disagree with the index order. */
const SPLITTABLE = [
  ...INTEGERS,
  ...['numeric', 'float4', 'float8', 'text', 'varchar', 'bpchar', 'uuid', 'date', 'timestamp', 'timestamptz'],
]
const toTypeSet = (names: readonly string[]) => new Set(names.map((name) => `"pg_catalog"."${name}"`))
const INTEGER_TYPES = toTypeSet(INTEGERS)
const SPLITTABLE_TYPES = toTypeSet(SPLITTABLE)

/** Two halves by the planner's statistics, open at both ends so that no key is missed. */
export async function chooseRanges(link: Link, target: Target, select: string): Promise<readonly KeyRange[]> {
  const [first] = target.key
  if (!first || target.relationId === null || !SPLITTABLE_TYPES.has(first.sqlType)) return [WHOLE]
  if ((await estimateRows(link, select)) < ROWS_WORTH_SPLITTING) return [WHOLE]
  const middle = (await middleByStatistics(link, target.relationId, first)) ?? (await middleByEnds(link, target, first))
  if (middle === null) return [WHOLE]
  return [
    { from: null, to: middle, after: null },
    { from: middle, to: null, after: null },
  ]
}

async function estimateRows(link: Link, select: string): Promise<number> {
  const plan = await link.query(`explain (format json) ${select}`)
  const [found] = JSON.parse(getFirstText(plan) ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[]
  return found?.Plan?.['Plan Rows'] ?? 0
}

const getFirstText = (rows: readonly TextRow[]): string | null => rows[0]?.[0] ?? null

/** Frequent values and histogram: the first column of a composite key may have few values. */
async function middleByStatistics(link: Link, relationId: string, column: TargetColumn): Promise<string | null> {
  const collation = getFirstText(
    await link.query(
      `select quote_ident(n.nspname) || '.' || quote_ident(l.collname)
       from pg_attribute a join pg_collation l on l.oid = a.attcollation join pg_namespace n on n.oid = l.collnamespace
       where a.attrelid = $1::oid and a.attname = $2`,
      [relationId, column.name],
    ),
  )
  const order = `value::${column.sqlType} ${collation === null ? '' : `collate ${collation}`}`
  return getFirstText(
    await link.query(
      `with known as (
         select most_common_vals::text::text[] as frequent, most_common_freqs as shares, histogram_bounds::text::text[] as bounds,
           1 - coalesce((select sum(share) from unnest(most_common_freqs) share), 0) as rest
         from pg_stats s join pg_class c on c.relname = s.tablename join pg_namespace n on n.oid = c.relnamespace and n.nspname = s.schemaname
         where c.oid = $1::oid and s.attname = $2 order by s.inherited desc limit 1),
       weighed as (
         select value, share from known, unnest(frequent, shares) f (value, share)
         union all
         select value, greatest(rest, 0) / cardinality(bounds) from known, unnest(bounds) b (value)),
       summed as (select value, sum(share) over (order by ${order}) - share as below, sum(share) over () as whole from weighed)
       select value from summed where below > 0 order by abs(below - whole / 2) limit 1`,
      [relationId, column.name],
    ),
  )
}

async function middleByEnds(link: Link, target: Target, column: TargetColumn): Promise<string | null> {
  if (!INTEGER_TYPES.has(column.sqlType)) return null
  const { reference } = column
  const [ends] = await link.query(`select min(${reference}), max(${reference}) from ${target.from}`)
  const [least, most] = ends ?? []
  if (!least || !most || least === most) return null
  return String((BigInt(least) + BigInt(most) + 1n) / 2n)
}

export function buildRangeConditions({ key }: Target, { from, to, after }: KeyRange): string[] {
  const [first] = key
  if (!first) return []
  const references = key.map(({ reference }) => reference).join(', ')
  const low = after
    ? [`(${references}) > (${key.map((column, at) => toLiteral(column, after[at] ?? '')).join(', ')})`]
    : from === null
      ? []
      : [`${first.reference} >= ${toLiteral(first, from)}`]
  return to === null ? low : [...low, `${first.reference} < ${toLiteral(first, to)}`]
}
