import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceDbError } from '../errors.ts'
import { type WorkspaceNames, toWorkspaceNames } from '../names.ts'

/** Built-in types only: a user-defined type's input function would run as administrator. */
const BUILT_IN_TYPES = new Set([
  'boolean',
  'bytea',
  'bigint',
  'smallint',
  'integer',
  'text',
  'oid',
  'json',
  'jsonb',
  'real',
  'double precision',
  'numeric',
  'date',
  'time without time zone',
  'timestamp without time zone',
  'timestamp with time zone',
  'interval',
  'uuid',
])

export const RESULT_SCHEMA = 'trellis_results'

export interface ResultTable {
  readonly key: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: AsyncIterable<readonly (readonly (string | null)[])[]>
  /** Only this session may read it: sessions of a workspace share their logins. */
  readonly pid: number
}

/** Dropped by `dropResultTable`, or by the next call once its session has ended. */
export async function createResultTable(cluster: Cluster, table: ResultTable): Promise<void> {
  const names = toWorkspaceNames(table.key)
  const target = `${RESULT_SCHEMA}.${pg.escapeIdentifier(table.name)}`
  try {
    await cluster.withAdmin(names.database, async (client) => {
      await prepareSchema(client, names)
      const columns = toTableColumns(table.columns).map(({ name, type }) => `${pg.escapeIdentifier(name)} ${type}`)
      await client.query(`create unlogged table ${target} (${columns.join(', ')})`)
      await client.query(`comment on table ${target} is '${table.pid}'`)
      await client.query(`alter table ${target} enable row level security`)
      await client.query(`create policy own_session on ${target} using (pg_catalog.pg_backend_pid() = ${table.pid})`)
      const chunks = Readable.from(toCopyText(table.rows), { objectMode: true, highWaterMark: 1 })
      await pipeline(chunks, client.query(copyFrom(`copy ${target} from stdin`)))
      await client.query(`grant select on ${target} to ${names.owner}, ${names.reader}`)
    })
  } catch (error) {
    throw toWorkspaceDbError(error)
  }
}

export async function dropResultTable(cluster: Cluster, { key, name }: { key: string; name: string }): Promise<void> {
  await cluster.withAdmin(toWorkspaceNames(key).database, async (client) => {
    await client.query(`drop table if exists ${RESULT_SCHEMA}.${pg.escapeIdentifier(name)} cascade`)
  })
}

async function prepareSchema(client: pg.Client, { owner, reader }: WorkspaceNames): Promise<void> {
  // Serialises CREATE SCHEMA IF NOT EXISTS, which can fail concurrently.
  await client.query('select pg_advisory_lock(hashtext($1))', [RESULT_SCHEMA])
  try {
    await client.query(`create schema if not exists ${RESULT_SCHEMA}`)
    await client.query(`grant usage on schema ${RESULT_SCHEMA} to ${owner}, ${reader}`)
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
        where c.relnamespace = $1::regnamespace and c.relkind = 'r'
          and not exists (select from pg_stat_activity a where a.pid::text = obj_description(c.oid, 'pg_class'))`,
      [RESULT_SCHEMA],
    )
    for (const { name } of rows) await client.query(`drop table if exists ${name} cascade`)
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [RESULT_SCHEMA])
  }
}

const toBuiltInType = (type: string): string => (BUILT_IN_TYPES.has(type) ? type : 'text')

/** Numbers duplicate names, which a result may have and a table may not. */
function toTableColumns(columns: ResultTable['columns']): { name: string; type: string }[] {
  const takenNames = new Set<string>()
  return columns.map(({ name, type }) => {
    let freeName = name
    for (let suffix = 2; takenNames.has(freeName); suffix += 1) freeName = `${name}_${suffix}`
    takenNames.add(freeName)
    return { name: freeName, type: toBuiltInType(type) }
  })
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const toField = (value: string | null) =>
  value === null ? '\\N' : value.replaceAll(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign)

async function* toCopyText(rows: ResultTable['rows']): AsyncGenerator<Buffer> {
  for await (const batch of rows) {
    if (batch.length > 0) yield Buffer.from(`${batch.map((row) => row.map(toField).join('\t')).join('\n')}\n`)
  }
}
