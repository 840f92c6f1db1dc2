import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import PostalMime, { type Attachment } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface MailboxMessage {
  /** Without angle brackets; identifies a message across deliveries. */
  messageId: string
  from: string
  to: string
  subject: string
  html: string | undefined
  text: string | undefined
}

export interface Mailbox {
  url: string
  stop(): Promise<void>
}

const MAX_BYTES = 5 * 1024 * 1024
const USER = 'trellis'
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif'])

/** An SMTP server on loopback. A message is accepted once `store` has saved it. */
export async function startMailbox(options: { store: (message: MailboxMessage) => Promise<void> }): Promise<Mailbox> {
  const password = randomBytes(24).toString('hex')
  const storeMessage = async (stream: Readable, { envelope: { mailFrom, rcptTo } }: SMTPServerSession) => {
    const to = rcptTo.map((recipient) => recipient.address).join(', ')
    await options.store(await receive(stream, { from: mailFrom ? mailFrom.address : '', to }))
  }
  const server = new SMTPServer({
    ...loopbackOnly,
    onAuth: (auth, _session, callback) => {
      const isRight = auth.username === USER && isSame(auth.password ?? '', password)
      callback(
        isRight ? null : smtpError(535, 'The mailbox refuses this sign-in.'),
        isRight ? { user: USER } : undefined,
      )
    },
    onData: (stream, session, callback) => void answer(storeMessage(stream, session), callback),
  })
  // A client that disconnects emits 'error', which would crash the process without a listener.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${USER}:${password}@127.0.0.1:${port}`,
    stop: async () => await new Promise((resolve) => server.close(resolve)),
  }
}

/** The library's built-in certificate is public and expired, so there is no TLS on loopback. */
const loopbackOnly: SMTPServerOptions = {
  hideSTARTTLS: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  authMethods: ['PLAIN', 'LOGIN'],
  disableReverseLookup: true,
  size: MAX_BYTES,
  banner: 'Trellis mailbox',
  closeTimeout: 500,
}

/** Errors other than SMTP refusals become "try again later". */
async function answer(kept: Promise<void>, callback: (error?: Error | null) => void): Promise<void> {
  try {
    await kept
    callback(null)
  } catch (error) {
    callback(
      (error as { responseCode?: number }).responseCode
        ? (error as Error)
        : smtpError(451, 'The mailbox could not keep the mail.'),
    )
  }
}

async function receive(stream: Readable, envelope: { from: string; to: string }): Promise<MailboxMessage> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BYTES) throw smtpError(552, 'The mail is too large.')
  const mail = await PostalMime.parse(Buffer.concat(chunks))
  return {
    messageId: mail.messageId?.replace(/^<|>$/g, '') || randomBytes(16).toString('hex'),
    ...envelope,
    subject: mail.subject ?? '',
    html: mail.html === undefined ? undefined : inlinePictures(mail.html, mail.attachments),
    text: mail.text,
  }
}

function inlinePictures(html: string, attachments: readonly Attachment[]): string {
  let shown = html
  for (const { contentId, mimeType, content } of attachments) {
    const id = contentId?.replace(/^<|>$/g, '')
    if (!id || !PICTURES.has(mimeType)) continue
    const bytes = typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('base64')
    shown = shown.replaceAll(`cid:${id}`, () => `data:${mimeType};base64,${bytes}`)
  }
  return shown
}

function smtpError(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode })
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
