import { type AnyDb, type Db, platformTables } from '@trellis/control-db/database'
import { sql } from 'kysely'

export interface ProviderUpdate {
  id: number
  name: string
  stripe_customer_id: string | null
  deleted_at: Date | null
  /** As text, since a Date has no microseconds. */
  due: string | null
}

export async function setUpdateDue(ctx: { readonly db: AnyDb }, accountId: number): Promise<void> {
  await platformTables(ctx)
    .updateTable('accounts')
    .set({ provider_update_due_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', accountId)
    .execute()
}

export async function findUpdate({ db }: { readonly db: Db }, accountId: number): Promise<ProviderUpdate | undefined> {
  return await db
    .selectFrom('accounts')
    .select(['id', 'name', 'stripe_customer_id', 'deleted_at'])
    .select(sql<string | null>`provider_update_due_at::text`.as('due'))
    .where('id', '=', accountId)
    .executeTakeFirst()
}

/** A newer update stays due. */
export async function clearUpdateDue({ db }: { readonly db: Db }, update: ProviderUpdate): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ provider_update_due_at: null })
    .where('id', '=', update.id)
    .where('provider_update_due_at', '=', sql<Date>`${update.due}::timestamptz`)
    .execute()
}

export async function listOverdueUpdates({ db }: { readonly db: Db }, minutes: number): Promise<number[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('provider_update_due_at', '<', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .orderBy('provider_update_due_at')
    .limit(200)
    .execute()
  return rows.map((row) => row.id)
}
