import type { SourceSettings, Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import { discardUnfinished } from '@trellis/loads/run/discard'
import type { Session } from '@trellis/workspace-db/session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import type { RunWork } from '../../runner/run-work.ts'
import { formatRowCount } from '../row-words.ts'
import { toLoadId, toWriterName } from './load-id.ts'

interface GoneSubtask {
  readonly work: RunWork<SourceSettings>
  readonly session: Session
  readonly subtask: Subtask
  /** Name of the connection. */
  readonly source: string
}

/** A run that fails because its source is gone leaves nothing of it, whether it had begun to load before or not. */
export async function discardGone({ work, session, subtask, source }: GoneSubtask, { message }: Error): Promise<void> {
  const { run, block } = work
  const { name } = subtask
  const origin = { runCode: run.rootCode, subtask: name, source: `${block.name}: ${name} from ${source}`, by: null }
  const rows = await inTransaction(session, () =>
    discardUnfinished(session, {
      writer: toWriterName({ block, run }, name),
      epoch: run.epoch,
      loadId: toLoadId(run.rootCode, name),
      origin: { ...origin, window: run.request.window ?? null },
    }),
  )
  if (rows === undefined) return
  work.setLoadTotals({ rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0 }, name)
  const deleted = `${formatRowCount(rows)} that an earlier attempt loaded ${rows === 1 ? 'was' : 'were'} taken out again.`
  work.log('WARNING', `${message} ${deleted}`, name)
}
