import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type { SystemCtx } from '../ctx.ts'
import { sendMail } from './mail.jobs.ts'
import {
  type OutboxRow,
  deleteOldMail,
  endMail,
  listOverdueMail,
  lockQueuedMail,
  postponeMail,
} from './mail.repository.ts'
import { MAX_SEND_ATTEMPTS, isPermanent, formatError, waitAfter } from './smtp-failure.ts'
import type { MailTransport } from './transport.ts'

export type MailJobCtx = Pick<SystemCtx, 'db' | 'clock' | 'log'>

const OVERDUE_MS = 10 * 60_000
const RETENTION_MS = 30 * 24 * 3600_000

export async function handleSendMail(
  ctx: MailJobCtx,
  transport: MailTransport,
  payload: { id: number },
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const row = await lockQueuedMail(ctx, payload.id)
    if (!row) return
    try {
      await transport.send({ ...row, messageId: row.message_id, to: row.to_address })
      await endMail(ctx, row, { status: 'sent', sent_at: ctx.clock.now() })
    } catch (error) {
      await recordFailure(ctx, row, error)
    }
  })
}

async function recordFailure(ctx: MailJobCtx, row: OutboxRow, error: unknown): Promise<void> {
  const last_error = formatError(error)
  const attempts = row.attempts + 1
  if (isPermanent(error) || attempts >= MAX_SEND_ATTEMPTS) {
    ctx.log.error({ mail: row.id, attempts, reason: last_error }, 'A mail could not be delivered.')
    return await endMail(ctx, row, { status: 'failed', last_error })
  }
  const next_attempt_at = new Date(ctx.clock.now().getTime() + waitAfter(attempts) * 1000)
  ctx.log.warn({ mail: row.id, attempts, reason: last_error, next_attempt_at }, 'A mail will be tried again.')
  await postponeMail(ctx, row, { last_error, next_attempt_at })
  await enqueue(ctx, sendMail, { id: row.id }, { runAt: next_attempt_at, singletonKey: String(row.id) })
}

export async function handleSweepMail(ctx: MailJobCtx): Promise<void> {
  const now = ctx.clock.now().getTime()
  for (const id of await listOverdueMail(ctx, new Date(now - OVERDUE_MS))) {
    await enqueue(ctx, sendMail, { id }, { singletonKey: String(id) })
  }
  await deleteOldMail(ctx, new Date(now - RETENTION_MS))
}
