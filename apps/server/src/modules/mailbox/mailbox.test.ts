import { getMailboxMessage, listMailbox } from '@trellis/contract/mailbox/mailbox.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

const TOKEN = 'a-token-of-twenty-characters'
const apps: TestApp[] = []
let open: TestApp
let guarded: TestApp
let withSmtp: TestApp

beforeAll(async () => {
  open = await startTestApp()
  guarded = await startTestApp({ settings: { TRELLIS_MAILBOX_TOKEN: TOKEN } })
  withSmtp = await startTestApp({ settings: { TRELLIS_SMTP_URL: 'smtp://127.0.0.1:2525' } })
  apps.push(open, guarded, withSmtp)
  for (const { database } of apps) {
    for (const number of [1, 2, 3]) {
      await database.db
        .insertInto('mailbox_messages')
        .values({
          message_id: `m${number}`,
          from_address: 'a@b.co',
          to_address: `p${number}@example.com`,
          subject: `100% no. ${number}`,
          html: null,
          text: 'Hello',
        })
        .execute()
    }
  }
})
afterAll(async () => {
  for (const app of apps) await app.close()
})

test('on this machine the mailbox is open, newest first, and can be searched', async () => {
  const client = open.client()
  const all = await client.call(listMailbox)
  expect(all.data.map((mail) => mail.to)).toEqual(['p3@example.com', 'p2@example.com', 'p1@example.com'])
  expect((await client.call(listMailbox, { query: { search: 'p2@' } })).data).toHaveLength(1)
  expect((await client.call(listMailbox, { query: { search: '100% no' } })).data).toHaveLength(3)
  expect((await client.call(listMailbox, { query: { search: '%' } })).data).toHaveLength(3)
  expect((await client.call(listMailbox, { query: { search: '_' } })).data).toHaveLength(0)
  const message = await client.call(getMailboxMessage, { params: { message_id: all.data[0]?.id } })
  expect(message.data).toMatchObject({ to: 'p3@example.com', text: 'Hello' })
})

test.each([
  { host: 'trellis.example.com' },
  { 'x-forwarded-for': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
])('a visitor who came by another name or over a proxy finds nothing (%o)', async (headers) => {
  const { port, hostname } = new URL(open.url)
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    request({ host: hostname, port, path: '/api/mailbox', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(404)
})

test('with a token set, only the token opens it', async () => {
  const client = guarded.client()
  expect((await client.call(listMailbox)).status).toBe(404)
  expect((await client.call(listMailbox, { query: { token: `${TOKEN}x` } })).status).toBe(404)
  expect((await client.call(listMailbox, { query: { token: TOKEN } })).data).toHaveLength(3)
})

test('with a mail server of its own there is no mailbox', async () => {
  expect((await withSmtp.client().call(listMailbox)).status).toBe(404)
})
