import type { SystemCtx } from '../../platform/ctx.ts'

const KEPT_DAYS = 30
const AT_ONCE = 200

/** Deletes versions, runs and logs, but keeps the tables they wrote. */
export async function handleClearDataflows({ db, clock }: SystemCtx): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
  for (const table of ['dataflows', 'task_blocks'] as const) {
    let gone = AT_ONCE
    // In batches: runs and logs can be millions of rows.
    while (gone === AT_ONCE) {
      const rows = db.selectFrom(table).select('id').where('deleted_at', '<', before).limit(AT_ONCE)
      const { numDeletedRows } = await db.deleteFrom(table).where('id', 'in', rows).executeTakeFirstOrThrow()
      gone = Number(numDeletedRows)
    }
  }
}
