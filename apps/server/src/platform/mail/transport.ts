import { createTransport } from 'nodemailer'

interface OutgoingMail {
  messageId: string
  to: string
  subject: string
  html: string
  text: string
}

export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

/** Refuses to send a password unencrypted, except on this machine. */
export function createMailTransport(options: { url: string; from: string }): MailTransport {
  const { hostname, username } = new URL(options.url)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const smtp = createTransport({
    url: options.url,
    requireTLS: username !== '' && !isLocal,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const from = /<([^<>]+)>\s*$/.exec(options.from)?.[1] ?? options.from
  const domain = from.split('@')[1] ?? 'trellis.local'
  return {
    send: async ({ messageId, to, subject, html, text }) => {
      assertOneAddress(to)
      await smtp.sendMail({
        envelope: { from, to: [to] },
        from: options.from,
        to: { name: '', address: to },
        messageId: `<${messageId}@${domain}>`,
        subject,
        html,
        // Mail clients show inline attachments, but rarely data URLs.
        attachDataUrls: true,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => smtp.close(),
  }
}

/** nodemailer would parse "a@x, b@y" as two recipients. */
function assertOneAddress(to: string): void {
  if (/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()\\,;"]+$/.test(to)) return
  throw Object.assign(new Error('The address is not one that mail can be sent to.'), {
    code: 'EENVELOPE',
    responseCode: 553,
  })
}
