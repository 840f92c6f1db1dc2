import { type AddressInfo, type Server, createServer } from 'node:net'
import { transaction } from '@trellis/control-db/database'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { type JobRunner, runJobs } from '@trellis/jobs/run-jobs'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { type OpenMail, openMail } from './open-mail.ts'
import { queueMail } from './queue-mail.ts'
import { handleSendMail, handleSweepMail } from './send-mail.handler.ts'
import { activationCodeMail } from './templates/activation-code.ts'
import { createMailTransport } from './transport.ts'

const waiting = { timeout: 40_000, interval: 25 }
const mailFrom = 'Trellis <no-reply@trellis.example.com>'
const mail = activationCodeMail({
  firstName: 'Zoë',
  code: '042137',
  minutes: 15,
  publicUrl: 'https://trellis.example.com',
})
let database: TestDatabase
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  for (const table of ['mail_outbox', 'mailbox_messages', 'jobs.job']) await database.pool.query(`delete from ${table}`)
})
afterAll(async () => await database.close())

const ctx = (now?: Date) => ({
  db: database.db,
  clock: now ? { now: () => now } : systemClock,
  log: pino({ level: 'silent' }),
})
const outbox = async () => (await database.pool.query('select * from mail_outbox order by id')).rows
const mailbox = async () => (await database.pool.query('select * from mailbox_messages order by id')).rows
const jobs = async () =>
  (await database.pool.query("select data, start_after from jobs.job where name = 'mail.send'")).rows

async function startWorker(smtpUrl?: string): Promise<{ opened: OpenMail; runner: JobRunner }> {
  const openedMail = await openMail({ db: database.db, config: { smtpUrl, mailFrom } })
  const runner = await runJobs({
    url: database.url,
    jobs: openedMail.jobs,
    log: pino({ level: 'silent' }),
    ctxFor: () => ctx(),
  })
  closing.push(
    () => openedMail.close(),
    () => runner.stop(),
  )
  return { opened: openedMail, runner }
}

async function startSmtp(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    ...options,
  })
  server.on('error', () => undefined)
  const url = await listenBelowEphemeral(server.server)
  closing.push(async () => await new Promise((resolve) => server.close(() => resolve())))
  return `smtp://${url}`
}

async function listenBelowEphemeral(server: Server): Promise<string> {
  for (let port = 21_900; port < 22_000; port += 1) {
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isFree) return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  throw new Error('No free port.')
}

const refuse = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

test('without a mail server a queued mail ends in the built-in mailbox, and its bodies leave the outbox', async () => {
  await startWorker()
  await queueMail(ctx(), { to: 'zoe@example.com', mail })
  await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ status: 'sent' }]), waiting)
  const [message] = await mailbox()
  expect(message).toMatchObject({
    to_address: 'zoe@example.com',
    from_address: 'no-reply@trellis.example.com',
    subject: mail.subject,
  })
  expect(message.text).toContain('042137')
  expect(message.html).toContain('Hello Zoë,')
  expect(await outbox()).toMatchObject([{ html: '', text: '', attempts: 1, last_error: null }])
  expect(JSON.stringify(await outbox())).not.toContain('042137')
})

test('a mail of a rolled-back transaction is never sent', async () => {
  await startWorker()
  const lost = transaction(ctx(), async (open) => {
    await queueMail(open, { to: 'lost@example.com', mail })
    throw new Error('rolled back')
  })
  await expect(lost).rejects.toThrow('rolled back')
  await queueMail(ctx(), { to: 'kept@example.com', mail })
  await vi.waitFor(async () => expect(await mailbox()).toMatchObject([{ to_address: 'kept@example.com' }]), waiting)
  expect(await outbox()).toHaveLength(1)
})

test('one mail has one Message-ID, however often it is delivered', async () => {
  const { opened } = await startWorker()
  expect(opened.jobs).toHaveLength(2)
  const id = await queueMail(ctx(), { to: 'zoe@example.com', mail })
  await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ status: 'sent' }]), waiting)
  // As if the worker died after the server's response.
  await database.pool.query("update mail_outbox set status = 'queued', html = 'x', text = 'y' where id = $1", [id])
  await handleSweepMail(ctx(new Date(Date.now() + 3600_000)))
  await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ status: 'sent', attempts: 2 }]), waiting)
  expect(await mailbox()).toHaveLength(1)
})

test('a server that is not there yet: the mail waits, and the next try is enqueued for its time', async () => {
  const transport = createMailTransport({ url: 'smtp://127.0.0.1:1', from: mailFrom })
  const now = new Date('2030-01-01T00:00:00Z')
  const id = await queueMail(ctx(now), { to: 'zoe@example.com', mail })
  await database.pool.query("update jobs.job set state = 'active' where name = 'mail.send'")
  await handleSendMail(ctx(now), transport, { id })
  const due = new Date('2030-01-01T00:00:10Z')
  expect(await outbox()).toMatchObject([{ status: 'queued', attempts: 1, next_attempt_at: due }])
  expect((await outbox())[0].last_error).toMatch(/ECONNREFUSED/)
  expect((await jobs()).map((job) => job.start_after)).toContainEqual(due)
})

test('"later" from the server is tried eight times in all, then the mail has failed', async () => {
  let asked = 0
  const url = await startSmtp({
    onRcptTo: (_address, _session, callback) => {
      asked += 1
      callback(refuse(451, 'Greylisted, come back'))
    },
  })
  const transport = createMailTransport({ url, from: mailFrom })
  const id = await queueMail(ctx(), { to: 'zoe@example.com', mail })
  for (let attempt = 0; attempt < 10; attempt += 1) await handleSendMail(ctx(), transport, { id })
  expect(asked).toBe(8)
  expect(await outbox()).toMatchObject([{ status: 'failed', attempts: 8, html: '', text: '' }])
  expect((await outbox())[0].last_error).toMatch(/Greylisted/)
})

test('"never" from the server ends the mail at once', async () => {
  const url = await startSmtp({ onRcptTo: (_address, _session, callback) => callback(refuse(550, 'No such mailbox')) })
  const id = await queueMail(ctx(), { to: 'nobody@example.com', mail })
  await handleSendMail(ctx(), createMailTransport({ url, from: mailFrom }), { id })
  expect(await outbox()).toMatchObject([{ status: 'failed', attempts: 1 }])
  expect((await outbox())[0].last_error).toMatch(/No such mailbox/)
})

test('two workers that hold the same mail send it once', async () => {
  let taken = 0
  const url = await startSmtp({
    onData: (stream, _session, callback) => {
      taken += 1
      stream.resume()
      stream.on('end', () => setTimeout(callback, 150))
    },
  })
  const transport = createMailTransport({ url, from: mailFrom })
  const id = await queueMail(ctx(), { to: 'zoe@example.com', mail })
  await Promise.all(Array.from({ length: 4 }, () => handleSendMail(ctx(), transport, { id })))
  expect(taken).toBe(1)
})

test.each([
  'a@example.com, b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  '"x" <a@example.com>, b@example.com',
  'a@example.com> RCPT TO:<b@example.com',
])('an address that could become two is refused: %j', async (to) => {
  const receivers: string[] = []
  const heads: string[] = []
  const url = await startSmtp({
    onRcptTo: (address, _session, callback) => {
      receivers.push(address.address)
      callback()
    },
    onData: (stream, _session, callback) => {
      stream.on('data', (chunk: Buffer) => heads.push(chunk.toString()))
      stream.on('end', callback)
    },
  })
  const id = await queueMail(ctx(), { to, mail })
  await handleSendMail(ctx(), createMailTransport({ url, from: mailFrom }), { id })
  expect(receivers).toEqual([])
  expect(heads).toEqual([])
  expect(await outbox()).toMatchObject([{ status: 'failed', attempts: 1 }])
})

test('a password is not sent to another machine without encryption', async () => {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.write('220 plain\r\n')
    socket.on('data', (chunk) => {
      seen.push(chunk.toString())
      socket.write(chunk.toString().startsWith('EHLO') ? '250-plain\r\n250 AUTH PLAIN LOGIN\r\n' : '250 ok\r\n')
    })
    socket.on('error', () => undefined)
  })
  const address = await listenBelowEphemeral(server)
  closing.push(async () => await new Promise((resolve) => server.close(() => resolve())))
  // 0.0.0.0 reaches the listener under a non-loopback name.
  const url = `smtp://user:canary-password@${address.replace('127.0.0.1', '0.0.0.0')}`
  const out = { messageId: 'm', to: 'zoe@example.com', subject: 's', html: 'h', text: 't' }
  await expect(createMailTransport({ url, from: mailFrom }).send(out)).rejects.toThrow()
  expect(seen.join('')).toContain('EHLO')
  expect(seen.join('')).not.toContain('AUTH')
})

test('the sweep finds mails whose job was lost and clears away what is a month old', async () => {
  const id = await queueMail(ctx(), { to: 'zoe@example.com', mail })
  await database.pool.query('delete from jobs.job')
  await database.pool.query(
    `insert into mail_outbox (message_id, to_address, subject, html, text, status, created_at)
     values ('old', 'a@b.c', '', '', '', 'sent', now() - interval '31 days')`,
  )
  await handleSweepMail(ctx())
  expect(await jobs()).toEqual([])
  await handleSweepMail(ctx(new Date(Date.now() + 11 * 60_000)))
  await handleSweepMail(ctx(new Date(Date.now() + 11 * 60_000)))
  expect((await jobs()).map((job) => job.data)).toEqual([{ id }])
  expect((await outbox()).map((row) => row.id)).toEqual([id])
})
