import type { APIRequestContext } from '@playwright/test'
import type { MailboxMessage, MailboxSummary } from '@trellis/contract/mailbox/mailbox.schemas'

const PATIENCE = 60_000

interface Mail extends MailboxMessage {
  code: string
}

export interface Mailbox {
  /** Waits for the newest message to an address. */
  read(email: string, subject?: RegExp): Promise<Mail>
}

export function openMailbox(request: APIRequestContext): Mailbox {
  const get = async <T>(path: string) => {
    // Keep-alive race: the server may close an idle connection just as it is reused. Browsers retry by themselves.
    const response = await request.get(path, { headers: { connection: 'close' } })
    if (!response.ok()) throw new Error(`${path} answered ${response.status()}`)
    return ((await response.json()) as { data: T }).data
  }
  return {
    read: async (email, subject = /./) => {
      const until = Date.now() + PATIENCE
      while (Date.now() < until) {
        const mails = await get<MailboxSummary[]>(`/api/mailbox?search=${encodeURIComponent(email)}`)
        const found = mails.find((mail) => mail.to === email && subject.test(mail.subject))
        if (found) {
          const mail = await get<MailboxMessage>(`/api/mailbox/${found.id}`)
          return { ...mail, code: /\b\d{6}\b/.exec(mail.text ?? '')?.[0] ?? '' }
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`No mail to ${email} came.`)
    },
  }
}
