import type { AnyDb } from '@trellis/control-db/database'
import { sql } from 'kysely'

/** False if another version was published or the dataflow paused. */
export async function isCurrentVersion({ db }: { readonly db: AnyDb }, runId: number): Promise<boolean> {
  const { rows } = await sql<{ is_current: boolean }>`
    select b.live_version is not distinct from r.block_version and b.deleted_at is null and not f.is_paused as is_current
      from task_runs r join task_blocks b on b.id = r.block_id join dataflows f on f.id = b.dataflow_id where r.id = ${runId}`.execute(
    db,
  )
  return rows[0]?.is_current !== false
}
