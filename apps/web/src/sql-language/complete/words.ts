import { createItem, type Item } from './item.ts'
import type { ExpectedKind } from './completion-context.ts'

const list = (text: string): string[] => text.split(',').map((word) => word.trim())

const STATEMENTS = list(
  'select, with, insert into, update, delete from, merge into, create table, create view, create index, create schema, create or replace view, create or replace function, alter table, drop table, drop view, truncate, explain, explain analyze, comment on, grant, revoke, values, begin, commit, rollback, set, show, refresh materialized view, call',
)
const AFTER_TABLE = list(
  'join, left join, right join, full join, cross join, inner join, join lateral, on, using, where, group by, order by, having, limit, offset, as, union, union all, intersect, except, for update, set, values, returning, default values, on conflict, window, tablesample',
)
const EXPRESSION = list(
  'and, or, not, in, is null, is not null, between, like, ilike, case, when, then, else, end, exists, null, true, false, distinct, cast, from, as, interval, current_date, current_timestamp, any, all, array, over, partition by, filter, coalesce, nullif, greatest, least, extract, is distinct from',
)
const CLAUSE_WORDS: Record<string, string[]> = {
  select: list('from, as, union, union all, into, where, order by, limit'),
  where: list('group by, order by, limit, returning, union, union all'),
  on: list('join, left join, where, group by, order by, limit, do nothing, do update set'),
  group: list('by, having, order by, limit, rollup, cube, grouping sets'),
  having: list('order by, limit'),
  order: list('by, asc, desc, nulls first, nulls last, limit, offset'),
  limit: list('offset, all, union'),
  set: list('where, from, returning, default'),
  values: list('on conflict, returning, default'),
  into: list('values, select, default values, on conflict'),
  returning: [],
}
const TYPES = list(
  'text, integer, bigint, smallint, numeric, real, double precision, boolean, date, timestamp, timestamptz, time, interval, uuid, json, jsonb, bytea, varchar, char, inet, text[], integer[], serial, bigserial, money, xml, tsvector',
)

const toItems = (words: readonly string[], rank: number): Item[] =>
  words.map((label) => createItem({ label, kind: 'keyword', rank }))

export const listTypes = (): Item[] => TYPES.map((label) => createItem({ label, kind: 'type', rank: 30 }))

export function listKeywords(expected: ExpectedKind, clause: string, previous: string): Item[] {
  if (expected === 'statement') return toItems(STATEMENTS, 30)
  if (expected === 'table') return toItems(list('lateral, only, select'), 60)
  if (expected === 'after-table') return toItems(AFTER_TABLE, 40)
  if (expected !== 'column' && expected !== 'condition') return []
  // `order` and `group` are followed by `by` only.
  if (previous === 'order' || previous === 'group' || previous === 'partition') return toItems(['by'], 0)
  return [...toItems(CLAUSE_WORDS[clause] ?? [], 35), ...toItems(EXPRESSION, 45)]
}

/** Keywords follow the typed case. */
export const isUpperTyped = (typed: string): boolean => /^[A-Z]/.test(typed) && typed === typed.toUpperCase()
