import type { Db } from '@trellis/control-db/database'
import { startMailbox } from '@trellis/embedded/mailbox/start-mailbox'
import { type JobHandler, handleJob } from '@trellis/jobs/run-jobs'
import type { Config } from '../config.ts'
import { saveMailboxMessage } from './save-mailbox-message.ts'
import { sendMail, sweepMail } from './mail.jobs.ts'
import { type MailJobCtx, handleSendMail, handleSweepMail } from './send-mail.handler.ts'
import { createMailTransport } from './transport.ts'

export interface OpenMail {
  readonly jobs: readonly JobHandler<MailJobCtx>[]
  close(): Promise<void>
}

/** Uses the built-in mailbox without an SMTP server. */
export async function openMail(options: { db: Db; config: Pick<Config, 'smtpUrl' | 'mailFrom'> }): Promise<OpenMail> {
  const { db, config } = options
  const mailbox = config.smtpUrl
    ? undefined
    : await startMailbox({ store: (message) => saveMailboxMessage(db, message) })
  const transport = createMailTransport({ url: mailbox?.url ?? config.smtpUrl ?? '', from: config.mailFrom })
  return {
    jobs: [
      handleJob<MailJobCtx, { id: number }>(
        sendMail,
        async (ctx, payload) => await handleSendMail(ctx, transport, payload),
      ),
      handleJob<MailJobCtx, object>(sweepMail, async (ctx) => await handleSweepMail(ctx)),
    ],
    close: async () => {
      transport.close()
      await mailbox?.stop()
    },
  }
}
