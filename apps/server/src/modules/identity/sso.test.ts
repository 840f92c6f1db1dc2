import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getIdentity, getSsoProvider, ssoCallback, startSso } from '@trellis/contract/identity/identity.endpoints'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp
let server: Server
let issuer: string
const people: Record<string, object> = {
  ada: { email: 'ada@example.com', email_verified: true, given_name: 'Ada', family_name: 'L' },
  unproven: { email: 'known@example.com', email_verified: false },
  proven: { email: 'known@example.com', email_verified: true },
  recycled: { email: 'known@example.com', email_verified: true },
  misshapen: { email: 'not an email, two@x.com', email_verified: true },
  lookalike: { email: '\u212Anown@example.com', email_verified: true },
}

beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'trellis', client_secret: 'for-tests-only', redirect_uris: ['http://localhost:4600/sso/callback'] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    pkce: { required: () => true },
    cookies: { keys: ['for-tests-only'] },
  })
  server.on('request', provider.callback())
  app = await startTestApp({
    settings: {
      TRELLIS_RATE_LIMITS: 'off',
      TRELLIS_OIDC_ISSUER: issuer,
      TRELLIS_OIDC_CLIENT_ID: 'trellis',
      TRELLIS_OIDC_CLIENT_SECRET: 'for-tests-only',
      TRELLIS_OIDC_NAME: 'Acme ID',
    },
  })
  await makePerson(app, 'known@example.com')
})
afterAll(async () => {
  await app.close()
  await new Promise((resolve) => server.close(resolve))
})

async function signInAtProvider(url: string, subject: string): Promise<URL> {
  const jar = new Map<string, string>()
  let next = url
  let init: { method?: string; body?: string; headers?: Record<string, string> } = {}
  for (let hop = 0; hop < 20; hop += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (location?.includes('/sso/callback')) return new URL(location)
    init = {}
    if (location) {
      next = new URL(location, next).href
      continue
    }
    const html = await response.text()
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? ''
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ''
    next = new URL(action, next).href
    init = {
      method: 'POST',
      body: new URLSearchParams({ prompt, login: subject, password: 'x' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  }
  throw new Error('the provider never came back')
}

async function begin(client: TestClient, subject: string): Promise<Record<string, string>> {
  const { data } = await client.call(startSso)
  return Object.fromEntries((await signInAtProvider(data.url, subject)).searchParams)
}

test('the sign-in page is told the name', async () => {
  expect((await app.client().call(getSsoProvider)).data).toEqual({ enabled: true, name: 'Acme ID' })
})

test('a new person comes in, and is the same person the next time', async () => {
  const codes: string[] = []
  for (let round = 0; round < 2; round += 1) {
    const client = app.client()
    const answer = await client.call(ssoCallback, { query: await begin(client, 'ada') })
    expect(answer.status, answer.text).toBe(200)
    client.token = (answer.data as { access_token: string }).access_token
    const identity = await client.call(getIdentity)
    expect(identity.data).toMatchObject({ email: 'ada@example.com', first_name: 'Ada', surname: 'L' })
    codes.push(identity.data.code)
  }
  expect(codes[0]).toBe(codes[1])
})

test('the answer works once, in the browser that asked, with its own state', async () => {
  const client = app.client()
  const query = await begin(client, 'ada')
  expect((await app.client().call(ssoCallback, { query })).errors[0]?.code, 'another browser').toBe('sso_failed')
  const again = app.client()
  const second = await begin(again, 'ada')
  expect((await again.call(ssoCallback, { query: { ...second, state: 'forged' } })).errors[0]?.code).toBe('sso_failed')
  const third = app.client()
  const good = await begin(third, 'ada')
  const browser = new Map(third.cookies)
  expect((await third.call(ssoCallback, { query: good })).status).toBe(200)
  for (const [name, value] of browser) third.cookies.set(name, value)
  expect((await third.call(ssoCallback, { query: good })).errors[0]?.code, 'replay').toBe('sso_failed')
})

test('an unproven e-mail opens nobody else’s profile, a proven one does', async () => {
  const unproven = app.client()
  const refusedResponse = await unproven.call(ssoCallback, { query: await begin(unproven, 'unproven') })
  expect(refusedResponse.errors[0]?.code).toBe('sso_failed')
  const proven = app.client()
  const answer = await proven.call(ssoCallback, { query: await begin(proven, 'proven') })
  expect(answer.status).toBe(200)
})

test.each(['recycled', 'misshapen', 'lookalike'])(
  '%s: another person does not get in by the address',
  async (subject) => {
    const client = app.client()
    const answer = await client.call(ssoCallback, { query: await begin(client, subject) })
    expect(answer.errors[0]?.code).toBe('sso_failed')
  },
)

test('the provider said no', async () => {
  const client = app.client()
  const { state } = await begin(client, 'ada')
  const answer = await client.call(ssoCallback, { query: { state, error: 'access_denied' } })
  expect(answer.errors[0]?.code).toBe('sso_failed')
})
