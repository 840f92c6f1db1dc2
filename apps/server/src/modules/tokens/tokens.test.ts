import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import {
  getPaymentUpdateLink,
  getPortalLink,
  getRenewalLink,
  getUsage,
} from '@trellis/contract/billing/billing.endpoints'
import { getIdentity, listSessions } from '@trellis/contract/identity/identity.endpoints'
import { changePassword, updateProfile } from '@trellis/contract/profile/profile.endpoints'
import { createAccessToken, listAccessTokens, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount, newPerson } from '../../testing/accounts.ts'
import { PASSWORD } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

async function newToken(scopes: string[], days: number | null = 30) {
  const person = await newPerson(app)
  const { data } = await person.client.call(createAccessToken, { body: { name: 'ci', scopes, days } })
  const client = app.client()
  client.token = data.secret
  return { person, client, token: data }
}

test('a token acts as its owner within its scopes', async () => {
  const { person, client } = await newToken(['read'])
  expect((await client.call(getIdentity)).data.email).toBe(person.email)
  expect((await client.call(listAccounts)).status).toBe(200)
  const write = await client.call(updateProfile, { body: { firstName: 'Changed' } })
  expect(write.errors[0]).toMatchObject({ code: 'forbidden', detail: 'This token needs the scope "write".' })
  const writer = await newToken(['write'])
  expect((await writer.client.call(updateProfile, { body: { firstName: 'Changed' } })).status).toBe(200)
})

test('no token reaches the sign-in of its owner, nor makes another', async () => {
  const { client } = await newToken(['read', 'write', 'run', 'admin'])
  expect((await client.call(listSessions)).status).toBe(403)
  expect((await client.call(createAccessToken, { body: { name: 'x', scopes: ['read'], days: 1 } })).status).toBe(403)
  expect(
    (await client.call(changePassword, { body: { current_password: PASSWORD, new_password: 'N3w!password' } })).status,
  ).toBe(403)
})

test('it is shown once, kept as a hash, noted when used, and gone when revoked', async () => {
  const { person, client, token } = await newToken(['read'])
  await client.call(getIdentity)
  const [listed] = (await person.client.call(listAccessTokens)).data
  expect(JSON.stringify(listed)).not.toContain(token.secret)
  expect(listed?.last_used_at).not.toBeNull()
  const { rows } = await app.database.pool.query<{ row: string }>(
    'select t::text as row from access_tokens t where id = $1',
    [token.id],
  )
  expect(rows[0]?.row).not.toContain(token.secret.slice(12))
  const stranger = await newPerson(app)
  expect((await stranger.client.call(revokeAccessToken, { params: { token_id: token.id } })).status).toBe(404)
  expect((await person.client.call(revokeAccessToken, { params: { token_id: token.id } })).status).toBe(200)
  expect((await client.call(getIdentity)).status).toBe(401)
})

test('it ends on its day', async () => {
  const { client, token } = await newToken(['read'], 1)
  await app.database.pool.query('update access_tokens set expires_at = now() where id = $1', [token.id])
  expect((await client.call(getIdentity)).status).toBe(401)
})

test('a token for reading gets no link that can change the plan', async () => {
  const { person, client } = await newToken(['read'])
  const account = await makeAccount(app)
  await app.database.db
    .insertInto('account_members')
    .values({ account_id: account.id, profile_id: person.id, role: 'account_admin' })
    .execute()
  const params = { account_trellis_code: account.code }
  expect((await client.call(getUsage, { params })).status).toBe(200)
  for (const call of [getPortalLink, getPaymentUpdateLink, getRenewalLink]) {
    expect((await client.call(call, { params })).errors[0]?.detail).toBe('This token needs the scope "write".')
  }
})

test('a changed password keeps the tokens unless they are to be revoked with it; the mail says which', async () => {
  const { person, client } = await newToken(['read'])
  const change = (current_password: string, new_password: string, revoke_tokens?: boolean) =>
    person.client.call(changePassword, { body: { current_password, new_password, revoke_tokens } })
  expect((await change(PASSWORD, 'N3w!password')).status).toBe(200)
  expect((await client.call(getIdentity)).status).toBe(200)
  expect((await change('N3w!password', 'N3wer!password', true)).status).toBe(200)
  expect((await client.call(getIdentity)).status).toBe(401)
  expect((await person.client.call(listAccessTokens)).data).toEqual([])
  const { rows } = await app.database.pool.query<{ text: string }>(
    "select text from mail_outbox where to_address = $1 and subject = 'Your Trellis password was changed' order by id",
    [person.email],
  )
  expect(rows.map(({ text }) => /tokens (keep working|were revoked)/.exec(text)?.[1])).toEqual([
    'keep working',
    'were revoked',
  ])
})
