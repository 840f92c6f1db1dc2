import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Mailbox, type MailboxMessage, startMailbox } from './start-mailbox.ts'

let mailbox: Mailbox | undefined
afterEach(async () => {
  await mailbox?.stop()
  mailbox = undefined
})

/** Several lines in one string get one answer. */
async function talk(url: string, lines: string[]): Promise<string[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const answers: string[] = []
  let buffer = ''
  const next = async () =>
    await new Promise<string>((resolve, reject) => {
      const look = () => {
        const end = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(buffer)
        if (!end) return
        buffer = buffer.slice(end[0].length)
        socket.off('data', take)
        resolve(end[0])
      }
      const take = (chunk: Buffer) => {
        buffer += chunk.toString()
        look()
      }
      socket.on('data', take)
      socket.once('error', reject)
      look()
    })
  try {
    answers.push(await next())
    for (const line of lines) {
      socket.write(`${line}\r\n`)
      answers.push(await next())
    }
    return answers
  } finally {
    socket.destroy()
  }
}

const plain = (user: string, password: string) =>
  `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString('base64')}`

async function start(store: (message: MailboxMessage) => Promise<void>): Promise<{ url: string; signIn: string }> {
  mailbox = await startMailbox({ store })
  const { username, password } = new URL(mailbox.url)
  return { url: mailbox.url, signIn: plain(username, password) }
}

const MAIL = [
  'From: Trellis <no-reply@trellis.local>',
  'To: ann@example.com',
  'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <abc-1@trellis.local>',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<b>123456</b>',
  '.',
].join('\r\n')

test('a mail is taken in with its text, subject and receivers', async () => {
  const keptMailboxMessages: MailboxMessage[] = []
  const { url, signIn } = await start(async (message) => void keptMailboxMessages.push(message))
  const answers = await talk(url, [
    'EHLO test',
    signIn,
    'MAIL FROM:<a@b.c>',
    'RCPT TO:<ann@example.com>',
    'RCPT TO:<bob@example.com>',
    'DATA',
    MAIL,
  ])
  expect(answers.at(-1)).toMatch(/^250/)
  expect(keptMailboxMessages).toMatchObject([
    { messageId: 'abc-1@trellis.local', from: 'a@b.c', to: 'ann@example.com, bob@example.com', subject: 'Grüße' },
  ])
  expect(keptMailboxMessages[0]?.html).toContain('123456')
})

const WITH_PICTURE = [
  'From: Trellis <no-reply@trellis.local>',
  'To: ann@example.com',
  'Subject: Chart',
  'Content-Type: multipart/related; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<img src="cid:chart@trellis">',
  '--b',
  'Content-Type: image/png',
  'Content-ID: <chart@trellis>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--b--',
  '.',
].join('\r\n')

test('a picture that is a part of the mail can be shown from its HTML alone', async () => {
  const keptMailboxMessages: MailboxMessage[] = []
  const { url, signIn } = await start(async (message) => void keptMailboxMessages.push(message))
  await talk(url, ['EHLO test', signIn, 'MAIL FROM:<a@b.c>', 'RCPT TO:<ann@example.com>', 'DATA', WITH_PICTURE])
  expect(keptMailboxMessages[0]?.html).toContain('<img src="data:image/png;base64,iVBORw0KGgo=">')
})

test('it offers no encryption it can not prove, and listens on loopback alone', async () => {
  const { url } = await start(async () => undefined)
  const [, hello, tls] = await talk(url, ['EHLO test', 'STARTTLS'])
  expect(hello).not.toContain('STARTTLS')
  expect(tls).toMatch(/^5/)
  expect(new URL(url).hostname).toBe('127.0.0.1')
})

test.each([
  ['nobody', ['EHLO test', 'MAIL FROM:<a@b.c>']],
  ['a wrong password', ['EHLO test', plain('trellis', 'guess')]],
  ['a wrong user', ['EHLO test', plain('root', 'guess')]],
])('%s may not send', async (_, lines) => {
  const keptMailboxMessages: MailboxMessage[] = []
  const { url } = await start(async (message) => void keptMailboxMessages.push(message))
  expect((await talk(url, lines)).at(-1)).toMatch(/^5/)
  expect(keptMailboxMessages).toEqual([])
})

test('a mail that could not be kept is answered with "later", without the reason', async () => {
  const { url, signIn } = await start(async () => {
    throw new Error('password=hunter2 rejected')
  })
  const answers = await talk(url, ['EHLO test', signIn, 'MAIL FROM:<a@b.c>', 'RCPT TO:<ann@example.com>', 'DATA', MAIL])
  expect(answers.at(-1)).toMatch(/^451/)
  expect(answers.join('')).not.toContain('hunter2')
})

test('a mail beyond the size limit is refused and the mailbox lives on', async () => {
  const keptMailboxMessages: MailboxMessage[] = []
  const { url, signIn } = await start(async (message) => void keptMailboxMessages.push(message))
  const line = `${'x'.repeat(998)}\r\n`
  const huge = `Subject: huge\r\n\r\n${line.repeat(5500)}.`
  const answers = await talk(url, ['EHLO test', signIn, 'MAIL FROM:<a@b.c>', 'RCPT TO:<ann@example.com>', 'DATA', huge])
  expect(answers.at(-1)).toMatch(/^552/)
  await talk(url, ['EHLO test', signIn, 'MAIL FROM:<a@b.c>', 'RCPT TO:<ann@example.com>', 'DATA', MAIL])
  expect(keptMailboxMessages).toHaveLength(1)
})

test('the password of one run does not open the next', async () => {
  const first = await start(async () => undefined)
  await mailbox?.stop()
  const second = await start(async () => undefined)
  expect((await talk(second.url, ['EHLO test', first.signIn])).at(-1)).toMatch(/^535/)
})
