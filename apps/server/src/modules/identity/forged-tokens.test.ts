import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { getIdentity, logout } from '@trellis/contract/identity/identity.endpoints'
import { SignJWT, UnsecuredJWT, exportJWK } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlatformKeys } from '../../platform/platform-keys.ts'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp
let client: TestClient
let good: string
let claims: { sub: string; sid: string }

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  await makePerson(app, 'owner@example.com')
  await makePerson(app, 'other@example.com')
  client = await signInAs(app, 'owner@example.com')
  good = client.token as string
  claims = JSON.parse(Buffer.from(good.split('.')[1] as string, 'base64url').toString()) as typeof claims
})
afterAll(async () => await app.close())

const status = async (token: string) =>
  (await app.client().call(getIdentity, { headers: { authorization: `Bearer ${token}` } })).status
const own = () => openPlatformKeys(app.config).tokenKey
const stranger = generateKeyPairSync('ed25519').privateKey

interface Change {
  key?: Parameters<SignJWT['sign']>[0]
  header?: Record<string, unknown>
  issuer?: string
  audience?: string
  subject?: string
  sid?: unknown
  expires?: number
}

async function forge(change: Change = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return await new SignJWT('sid' in change ? { sid: change.sid } : { sid: claims.sid })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', ...change.header })
    .setSubject(change.subject ?? claims.sub)
    .setIssuer(change.issuer ?? app.config.publicUrl)
    .setAudience(change.audience ?? 'trellis-api')
    .setIssuedAt(now)
    .setExpirationTime(change.expires ?? now + 600)
    .sign(change.key ?? own())
}

test('the forger has the recipe right: an unchanged token is accepted', async () => {
  expect(await status(await forge())).toBe(200)
  expect(await status(good)).toBe(200)
})

const publicPem = () => createPublicKey(own()).export({ type: 'spki', format: 'pem' }) as string
const symmetric = () => {
  const [, payload] = good.split('.') as [string, string]
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'at+jwt' })).toString('base64url')
  return `${header}.${payload}.${createHmac('sha256', publicPem()).update(`${header}.${payload}`).digest('base64url')}`
}
const tampered = () => {
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const body = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  return `${header}.${Buffer.from(JSON.stringify({ ...body, sub: 'somebodyelse' })).toString('base64url')}.${signature}`
}

const FORGERIES: Record<string, () => string | Promise<string>> = {
  'no signature (alg none)': () =>
    new UnsecuredJWT({ sid: claims.sid })
      .setSubject(claims.sub)
      .setIssuer(app.config.publicUrl)
      .setAudience('trellis-api')
      .setExpirationTime('10m')
      .encode(),
  'public key used as a shared secret': symmetric,
  "a stranger's key": () => forge({ key: stranger }),
  "a stranger's key brought along in the header": async () =>
    forge({ key: stranger, header: { jwk: await exportJWK(createPublicKey(stranger)) } }),
  'a key to be fetched from elsewhere': () =>
    forge({ key: stranger, header: { jku: 'https://keys.example.com/jwks.json' } }),
  'changed content': tampered,
  'cut signature': () => good.slice(0, -6),
  expired: () => forge({ expires: Math.floor(Date.now() / 1000) - 1 }),
  'another issuer': () => forge({ issuer: 'https://elsewhere.example.com' }),
  'another audience': () => forge({ audience: 'another-api' }),
  'another kind of token': () => forge({ header: { typ: 'JWT' } }),
  'no session': () => forge({ sid: undefined }),
  'a session that does not exist': () => forge({ sid: '00000000-0000-4000-8000-000000000000' }),
  'somebody else in my session': () => forge({ subject: 'zzzzzzzzzzzz' }),
  'session id that is no id': () => forge({ sid: "' or 1=1 --" }),
}

test.each(Object.entries(FORGERIES))('%s is refused', async (_, make) => {
  expect(await status(await make())).toBe(401)
})

test('after signing out the very same token is stale at once', async () => {
  expect((await client.call(logout)).status).toBe(200)
  expect(await status(good)).toBe(401)
})
