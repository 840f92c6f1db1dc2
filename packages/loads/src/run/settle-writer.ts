import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'

interface Settling {
  readonly writer: string
  readonly epoch: number
  readonly loadId: string
  /** Everything of this load is written when the transaction commits. */
  readonly isDone: boolean
}

/** For work whose rows go through no load of ours: it is done once, whoever tries it again. The row is locked already. */
export async function settleWriter(session: Session, { writer, epoch, loadId, isDone }: Settling): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.writers set epoch = $2, load_id = $3, is_done = $4, reads = null, cursor = null,
             changed_at = pg_catalog.clock_timestamp() where writer = $1`,
    values: [writer, String(epoch), loadId, String(isDone)],
  })
}
