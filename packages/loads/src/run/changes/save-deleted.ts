import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toDurableTableName, qualifyPlatformTable } from '../../own-tables.ts'
import { findTarget } from '../../target.ts'
import type { Load } from '../load.ts'
import { joinNames } from '../table-steps.ts'

/** Position at the start of this load, which tells rows soft-deleted by this writer from others'. */
export async function findCursorBefore(session: Session, { writer, reads, deletedAt }: Load): Promise<unknown> {
  if (deletedAt === undefined) return null
  const { rows } = await session.query({
    text: `select (case when r.load_id is null or r.is_done or r.mode <> 'replace' then w.cursor else r.cursor_before end)::text
             from ${LOADS_SCHEMA}.writers w left join ${LOADS_SCHEMA}.receipts r on r.load_id = w.load_id
            where w.writer = $1 and w.reads = $2`,
    values: [writer, reads],
  })
  return JSON.parse(rows[0]?.[0] ?? 'null') as unknown
}

/** A new snapshot lacks deleted rows, so soft-deleted ones are copied from the replaced table. */
export async function copySoftDeletedRows(session: Session, load: Load, deletedAt: string): Promise<void> {
  const target = await findTarget(session, load.table)
  if (!target || !(await hasLoadedBefore(session, load))) return
  const stagingTable = qualifyPlatformTable(toDurableTableName(load.loadId))
  const names = await findSharedColumns(session, target.oid, stagingTable)
  if (![...load.key, deletedAt].every((name) => names.includes(name))) return
  const type = load.columns.find(({ name }) => name === deletedAt)?.postgres ?? 'timestamptz'
  const values = names.map((name) =>
    name === deletedAt ? `coalesce(t.${quoteName(name)}, now()::${type})` : `t.${quoteName(name)}`,
  )
  const isSameKey = load.key.map((name) => `n.${quoteName(name)} = t.${quoteName(name)}`).join(' and ')
  const text = `insert into ${stagingTable} (${joinNames(names)}) select ${values.join(', ')} from ${target.quoted} t
     where not exists (select 1 from ${stagingTable} n where ${isSameKey})`
  load.onStatement?.(text)
  await session.query({ text })
}

async function hasLoadedBefore(session: Session, { loadId }: Load): Promise<boolean> {
  const text = `select 1 from ${LOADS_SCHEMA}.receipts where load_id = $1 and cursor_before is not null`
  return (await session.query({ text, values: [loadId] })).rows.length > 0
}

async function findSharedColumns(session: Session, oid: string, stagingTable: string): Promise<string[]> {
  const { rows } = await session.query({
    text: `select b.attname from pg_attribute a join pg_attribute b on b.attname = a.attname
            where a.attrelid = $1::oid and b.attrelid = $2::regclass and a.attnum > 0 and b.attnum > 0
              and not a.attisdropped and not b.attisdropped and a.attgenerated = '' and b.attgenerated = ''
              and (a.atttypid = b.atttypid or exists (select 1 from pg_cast c
                    where c.castsource = a.atttypid and c.casttarget = b.atttypid and c.castcontext = 'i'))
            order by b.attnum`,
    values: [oid, stagingTable],
  })
  return rows.map(([name]) => name ?? '')
}
