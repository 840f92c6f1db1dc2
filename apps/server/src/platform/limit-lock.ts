import type { AnyDb } from '@trellis/control-db/database'
import { sql } from 'kysely'

/** Until the transaction ends, so that concurrent requests cannot exceed the limit together. */
export async function lockLimit(
  { db }: { readonly db: AnyDb },
  limit: 'tokens' | 'queries' | 'exports' | 'projects' | 'documents' | 'questions' | 'sparks' | 'comments',
  owner: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`limit:${limit}`}, ${owner}))`.execute(db)
}
