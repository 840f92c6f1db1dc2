import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

const IS_WORKSPACE_SCHEMA = "n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'trellis')"

export interface MovedTable {
  readonly name: string
  readonly columns: string | null
  readonly bytes: number
}

/** Rows are read by its own login, so none may be hidden from it. */
export async function listTables(admin: pg.Client): Promise<MovedTable[]> {
  const { rows } = await admin.query<MovedTable & { is_hidden: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_relation_size(c.oid)::float8 as bytes,
            c.relrowsecurity and c.relforcerowsecurity as is_hidden,
            (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and ${IS_WORKSPACE_SCHEMA} order by pg_relation_size(c.oid) desc, 1`,
  )
  const hiddenTable = rows.find((table) => table.is_hidden)
  if (hiddenTable)
    throw new Error(
      `${hiddenTable.name} forces row-level security upon its owner: alter table … no force row level security.`,
    )
  return rows
}

/** As text: the numbers of types differ between databases. */
export async function copyTable(
  table: MovedTable,
  { source, target }: { source: pg.Client; target: pg.Client },
): Promise<void> {
  const copiedTable = table.columns === null ? table.name : `${table.name} (${table.columns})`
  await pipeline(
    source.query(copyTo(`copy ${copiedTable} to stdout`)),
    target.query(copyFrom(`copy ${copiedTable} from stdin`)),
  )
}

/** Rows in any order; neither casts nor operators of people take part. */
export async function hashTable(client: pg.Client, { name }: MovedTable): Promise<string> {
  const { rows } = await client.query<{ hash: string }>(
    `select concat_ws(' ', count(*), sum(hashtextextended(textin(record_out(t)), 0)::numeric)) as hash from only ${name} t`,
  )
  return rows[0]?.hash ?? ''
}

interface SequenceState {
  readonly name: string
  readonly last: string
  readonly isCalled: boolean
}

export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and ${IS_WORKSPACE_SCHEMA} order by 1`,
  )
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    states.push({ name, last: state.rows[0]?.last ?? '1', isCalled: state.rows[0]?.called ?? false })
  }
  return states
}

export async function copySequences({ from, to }: { from: pg.Client; to: pg.Client }): Promise<void> {
  for (const { name, last, isCalled } of await readSequences(from)) {
    await to.query('select setval($1::regclass, $2::bigint, $3)', [name, last, isCalled])
  }
}

/** What they held is not copied but computed again, in the order in which they were made. */
export async function refreshViews(admin: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'm' and c.relispopulated and ${IS_WORKSPACE_SCHEMA} order by c.oid`,
  )
  for (const { name } of rows) await to.query(`refresh materialized view ${name}`)
}
