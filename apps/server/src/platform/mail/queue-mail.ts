import { randomUUID } from 'node:crypto'
import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type { Clock } from '../clock.ts'
import { sendMail } from './mail.jobs.ts'
import { type MailCtx, insertMail } from './mail.repository.ts'
import type { Mail } from './templates/layout.ts'

/** Outbox: the mail exists only if the caller's transaction commits. */
export async function queueMail(
  ctx: MailCtx & { readonly clock: Clock },
  message: { to: string; mail: Mail },
): Promise<number> {
  const { subject, html, text } = message.mail
  return await transaction(ctx, async ({ db, clock }) => {
    const row = { subject, html, text, to_address: message.to, message_id: randomUUID(), next_attempt_at: clock.now() }
    const { id } = await insertMail({ db }, row)
    await enqueue({ db }, sendMail, { id }, { singletonKey: String(id) })
    return id
  })
}
