import type { AnyDb, Db } from '@trellis/control-db/database'
import { platformTables } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

export interface EventRow {
  id: string
  type: string
  customer_id: string | null
  payload: unknown
}

export async function insertEvent({ db }: WithDb, event: EventRow): Promise<boolean> {
  const row = await db
    .insertInto('billing_events')
    .values({
      ...event,
      payload: JSON.stringify(event.payload),
      ...(event.customer_id === null ? { worked_at: sql<Date>`now()` } : {}),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findEvent({ db }: WithDb, id: string) {
  return await db
    .selectFrom('billing_events')
    .select(['id', 'customer_id', 'worked_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findOpenEvents(ctx: { readonly db: AnyDb }, customerId: string): Promise<string[]> {
  const rows = await platformTables(ctx)
    .selectFrom('billing_events')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('worked_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

export async function markProcessed(ctx: { readonly db: AnyDb }, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await platformTables(ctx)
    .updateTable('billing_events')
    .set({ worked_at: sql<Date>`now()`, attempts: sql<number>`attempts + 1`, last_error: null })
    .where('id', 'in', ids)
    .execute()
}

export async function saveEventFailure({ db }: WithDb, id: string, reason: string): Promise<void> {
  await db
    .updateTable('billing_events')
    .set({ attempts: sql<number>`attempts + 1`, last_error: reason.slice(0, 500) })
    .where('id', '=', id)
    .execute()
}

export async function listStuckEvents({ db }: WithDb, minutes: number): Promise<string[]> {
  const rows = await db
    .selectFrom('billing_events')
    .select('id')
    .where('worked_at', 'is', null)
    .where('received_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .orderBy('received_at')
    .limit(200)
    .execute()
  return rows.map((row) => row.id)
}

export async function deleteOldEvents({ db }: WithDb, days: number): Promise<void> {
  await db
    .deleteFrom('billing_events')
    .where('worked_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
}

const CURSOR = 'events'

export async function findCursor({ db }: WithDb): Promise<string | undefined> {
  const row = await db.selectFrom('billing_cursor').select('value').where('name', '=', CURSOR).executeTakeFirst()
  return row?.value
}

export async function writeCursor({ db }: WithDb, value: string): Promise<void> {
  await db
    .insertInto('billing_cursor')
    .values({ name: CURSOR, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: sql`now()` }))
    .execute()
}
