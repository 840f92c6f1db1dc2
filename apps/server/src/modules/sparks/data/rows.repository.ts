import type { Db } from '@trellis/control-db/database'
import { type AccountScope, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface RowsKey {
  readonly project_id: number
  readonly query_hash: string
  readonly parameters_hash: string
  readonly rights_key: string
}

export interface CachedRows {
  readonly id: number
  readonly data: string
  readonly queried_at: Date
  readonly stale_since: Date | null
}

export async function findRows(ctx: AccountScope, key: RowsKey): Promise<CachedRows | undefined> {
  return await scoped(ctx, 'spark_rows')
    .select(['id', 'data', 'queried_at', 'stale_since'])
    .where('project_id', '=', key.project_id)
    .where('query_hash', '=', key.query_hash)
    .where('parameters_hash', '=', key.parameters_hash)
    .where('rights_key', '=', key.rights_key)
    .executeTakeFirst()
}

export async function saveRows(
  ctx: AccountScope & { readonly workspace: { readonly id: number } },
  key: RowsKey,
  { data, now }: { data: string; now: Date },
): Promise<void> {
  const values = { data, size_bytes: Buffer.byteLength(data), queried_at: now, used_at: now, stale_since: null }
  await insertScoped(ctx, 'spark_rows', { ...key, ...values, workspace_id: ctx.workspace.id })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'query_hash', 'parameters_hash', 'rights_key']).doUpdateSet(values),
    )
    .execute()
}

/** LRU eviction. */
export async function markRowsRead(ctx: AccountScope, id: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'spark_rows').set({ used_at: now }).where('id', '=', id).execute()
}

export async function setRowsStale(ctx: AccountScope, id: number, now: Date): Promise<Date> {
  const row = await updateScoped(ctx, 'spark_rows')
    .set({ stale_since: sql<Date>`coalesce(stale_since, ${now})`, used_at: now })
    .where('id', '=', id)
    .returning('stale_since')
    .executeTakeFirst()
  return row?.stale_since ?? now
}

export async function deleteOldRows(
  db: Db,
  { unusedSince, maxBytes, maxRows }: { unusedSince: Date; maxBytes: number; maxRows: number },
): Promise<number> {
  const { rows } = await sql`
    with ranked as (
      select id, used_at, sum(size_bytes) over newest as bytes, row_number() over newest as place
        from spark_rows window newest as (partition by workspace_id order by used_at desc, id desc))
    delete from spark_rows where id in (
      select id from ranked where used_at < ${unusedSince} or bytes > ${maxBytes} or place > ${maxRows}) returning id`.execute(
    db,
  )
  return rows.length
}
