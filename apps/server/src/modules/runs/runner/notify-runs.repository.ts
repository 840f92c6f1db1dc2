import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

/** Delivered on commit. */
export async function notifyRuns({ db }: { readonly db: Db }, payload: string): Promise<void> {
  await sql`select pg_notify('trellis_runs', ${payload})`.execute(db)
}
