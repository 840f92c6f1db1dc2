import { ssoCallback } from '@trellis/contract/identity/identity.endpoints'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeServers, startWeb } from '../../platform/safe-http/testing/local-servers.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { openConnection } from './connections.service.ts'
import { findIntegrationRow } from './integrations.repository.ts'
import { runChecks } from './testing/checks.ts'
import {
  CLIENT,
  SHOP,
  type SigningPlatform,
  createSigningPlatform,
  sign,
  toLocalConnectors,
} from './testing/signing-platforms.ts'

let app: TestApp
let workspace: ReadyWorkspace
let platform: SigningPlatform

beforeAll(async () => {
  const address = await startWeb('127.0.0.1', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : null
    const answer = await platform.answer(
      new Request(`http://x${request.url}`, { method: request.method ?? 'GET', headers, body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  const settings = { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOWED_HOSTS: '127.0.0.1' }
  app = await startTestApp({ settings, connectors: toLocalConnectors(address) })
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await closeServers()
})
beforeEach(() => {
  platform = createSigningPlatform()
})

const owner = () => workspace.account.owner
const HUBSPOT = { account: { method: 'oauth' }, app: CLIENT }
const SHOPIFY = { shop: { name: 'my-shop', method: 'oauth' }, app: CLIENT }

async function create(code: string, values: object): Promise<string> {
  const body = { platform_trellis_code: code, name: code, values: values as Record<string, Record<string, unknown>> }
  const { data, status, text } = await owner().call(calls.createIntegration, { params: workspace.tenant, body })
  expect(status, text).toBe(200)
  return data.integration_trellis_code
}

const link = async (code: string) =>
  await owner().call(calls.linkIntegration, {
    params: workspace.tenant,
    body: { integration_trellis_code: code },
  })

async function visit(code: string): Promise<Record<string, string>> {
  const answer = await fetch((await link(code)).data.url, { redirect: 'manual' })
  return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)
}

const finish = async (query: Record<string, string>) => await owner().call(ssoCallback, { query })

const get = async (code: string) =>
  (await owner().call(calls.getIntegration, { params: { ...workspace.tenant, integration_trellis_code: code } })).data

async function createLinked(platformCode: string, values: object): Promise<string> {
  const code = await create(platformCode, values)
  const answer = await finish(await visit(code))
  expect(answer.status, answer.text).toBe(200)
  await runChecks(app)
  const now = await get(code)
  expect(now, JSON.stringify(now.problem)).toMatchObject({ state: 'ACTIVE', oauth: { is_linked: true } })
  return code
}

async function getToken(code: string, isStale?: string): Promise<string> {
  const { id } = await app.database.db
    .selectFrom('integrations')
    .select('id')
    .where('trellis_code', '=', code)
    .executeTakeFirstOrThrow()
  const row = await findIntegrationRow(app.ctx, id)
  if (!row) throw new Error('gone')
  const known = { ...row, is_managed: false }
  const { context } = await openConnection(app.ctx, known, new AbortController().signal)
  return await context.accessToken(isStale === undefined ? {} : { isStale })
}

const daysUntil = (instant: string | null | undefined) =>
  Math.round((Date.parse(instant ?? '') - app.clock.now().getTime()) / 86_400_000)

async function update(code: string, values: Record<string, Record<string, unknown>>) {
  const { version } = await get(code)
  return await owner().call(calls.updateIntegration, {
    params: { ...workspace.tenant, integration_trellis_code: code },
    body: { values, version },
  })
}

test('HubSpot: consent, tokens and the first reads', async () => {
  const code = await create('hubspot_local', HUBSPOT)
  expect(await get(code)).toMatchObject({ state: 'SETUP', oauth: { is_linked: false } })
  const url = new URL((await link(code)).data.url)
  expect(url.pathname).toBe('/oauth/authorize')
  expect(url.searchParams.get('scope')).toBe(
    'oauth crm.objects.contacts.read crm.objects.companies.read crm.objects.deals.read',
  )
  const linked = await createLinked('hubspot_local', HUBSPOT)
  expect(platform.forms[0]?.path).toBe('/oauth/v3/token')
  expect(Object.fromEntries(platform.forms[0]?.form ?? [])).toMatchObject({
    grant_type: 'authorization_code',
    ...CLIENT,
  })
  expect((await get(linked)).oauth?.expires_at).toBeNull()
})

test('a state works once, and so does a code', async () => {
  const code = await create('hubspot_local', HUBSPOT)
  const first = await visit(code)
  expect((await finish(first)).status).toBe(200)
  expect((await finish(first)).errors[0], 'the same answer again').toMatchObject({
    code: 'integration_problem',
    detail: 'This consent took too long or was used already. Start again.',
  })
  expect((await finish({ ...first, state: 'made-up' })).errors[0]?.code).toBe('sso_not_configured')
  const { state = '' } = await visit(code)
  const replayed = await finish({ ...first, state })
  expect(replayed.errors[0]).toMatchObject({ code: 'integration_problem' })
  expect(replayed.text).not.toContain(first['code'])
})

test('HubSpot: a token is refreshed before it ends', async () => {
  const code = await createLinked('hubspot_local', HUBSPOT)
  expect(await getToken(code)).toBe('hubspot-access-1')
  app.clock.move(1800_000)
  expect(await getToken(code)).toBe('hubspot-access-2')
  app.clock.move(-1800_000)
  expect(platform.forms.at(-1)?.form.get('refresh_token')).toBe('hubspot-refresh-1')
})

test.each([
  ['hubspot_local', HUBSPOT, 'HubSpot'],
  ['shopify_local', SHOPIFY, 'Shopify'],
])(
  '%s: an app that was uninstalled makes the connection fail until consent is given again',
  async (name, values, provider) => {
    const code = await createLinked(name, values)
    const token = await getToken(code)
    platform.revokeAll()
    await expect(getToken(code, token)).rejects.toMatchObject({ kind: 'configuration' })
    const broken = await get(code)
    expect(broken).toMatchObject({ state: 'ERROR', oauth: { is_linked: false } })
    expect(broken.problem?.advice).toBe(`Give your consent again on the page of ${provider}.`)
    expect((await finish(await visit(code))).status).toBe(200)
    await runChecks(app)
    expect(await get(code)).toMatchObject({ state: 'ACTIVE', problem: null, oauth: { is_linked: true } })
  },
)

test('the wrong client secret is named as the problem', async () => {
  const code = await create('hubspot_local', { ...HUBSPOT, app: { ...CLIENT, client_secret: 'another' } })
  const refusedResponse = await finish(await visit(code))
  expect(refusedResponse.errors[0]?.detail).toContain('does not know this client id')
})

test('Shopify: scopes by comma, tokens that end, and an end of consent that every refresh moves', async () => {
  const code = await createLinked('shopify_local', SHOPIFY)
  const url = new URL((await link(code)).data.url)
  expect(url.pathname).toBe('/admin/oauth/authorize')
  expect(url.searchParams.get('scope')).toBe('read_orders,read_customers,read_products')
  expect(platform.forms[0]?.form.get('expiring')).toBe('1')
  expect(daysUntil((await get(code)).oauth?.expires_at)).toBe(90)
  app.clock.move(10 * 86_400_000)
  expect(await getToken(code)).toBe('shpat-access-2')
  app.clock.move(-10 * 86_400_000)
  expect(daysUntil((await get(code)).oauth?.expires_at), 'refreshed in ten days, for 90 more').toBe(100)
  expect(platform.forms[1]?.form.get('refresh_token')).toBe('shpat-refresh-1')
  expect(platform.forms[1]?.form.has('expiring')).toBe(false)
})

test('Shopify: an answer that it did not sign, or signed for another shop, exchanges no code', async () => {
  const code = await create('shopify_local', SHOPIFY)
  const forge = {
    tampered: (query: Record<string, string>) => ({ ...query, code: 'forged' }),
    unsigned: ({ hmac: _, ...query }: Record<string, string>) => query,
    elsewhere: ({ hmac: _, ...query }: Record<string, string>) => {
      const other = { ...query, shop: 'other-shop.myshopify.com' }
      return { ...other, hmac: sign(other) }
    },
  }
  for (const [name, change] of Object.entries(forge)) {
    const refusedResponse = await finish(change(await visit(code)))
    expect(refusedResponse.errors[0], name).toMatchObject({ code: 'integration_problem' })
    expect(refusedResponse.errors[0]?.detail, name).toContain('not signed by Shopify')
  }
  expect(platform.forms).toEqual([])
  const { hmac: _, ...query } = await visit(code)
  expect(query['shop']).toBe(SHOP)
  const more = { ...query, a_new_parameter: 'x y' }
  expect((await finish({ ...more, hmac: sign(more) })).status, 'with a parameter nobody has heard of').toBe(200)
})

test('Shopify: a token without an end that is refused makes the connection fail', async () => {
  platform.givesLastingTokens = true
  const code = await createLinked('shopify_local', SHOPIFY)
  expect((await get(code)).oauth?.expires_at).toBeNull()
  const token = await getToken(code)
  platform.revokeAll()
  await expect(getToken(code, token)).rejects.toMatchObject({ kind: 'configuration' })
  expect(await get(code)).toMatchObject({
    state: 'ERROR',
    problem: { advice: 'Give your consent again on the page of Shopify.' },
  })
})

test('Shopify: another shop is not sent the tokens of the first one', async () => {
  const code = await createLinked('shopify_local', SHOPIFY)
  const kept = { shop: { name: 'other-shop', method: 'oauth' }, app: { client_id: CLIENT.client_id } }
  const refusedResponse = await update(code, kept)
  expect(refusedResponse.errors[0]?.source).toMatchObject({ pointer: '/values/app/client_secret' })
  expect((await update(code, { ...kept, app: CLIENT })).data).toMatchObject({
    state: 'SETUP',
    oauth: { is_linked: false },
  })
})

test('the method decides: a connection with a token asks for no consent and keeps none', async () => {
  const code = await createLinked('hubspot_local', HUBSPOT)
  const changedResponse = await update(code, { account: { method: 'token', access_token: 'hubspot-access-1' } })
  expect(changedResponse.data).toMatchObject({
    state: 'VALIDATING',
    oauth: null,
    secrets_set: ['account.access_token'],
  })
  await runChecks(app)
  expect(await get(code)).toMatchObject({ state: 'ACTIVE' })
  expect((await link(code)).errors[0]).toMatchObject({ code: 'conflict' })
  expect((await update(code, HUBSPOT)).data).toMatchObject({ state: 'SETUP', oauth: { is_linked: false } })
})

test('values without a method sign in with the token, as before there was a choice', async () => {
  const code = await create('hubspot_local', { account: { access_token: 'pat-planted' } })
  expect(await get(code)).toMatchObject({ state: 'VALIDATING', oauth: null, values: { account: { method: 'token' } } })
})

test('a real shop is asked at its own host, which only the name of a shop makes', async () => {
  const code = await create('shopify', SHOPIFY)
  expect((await link(code)).data.url).toMatch(/^https:\/\/my-shop\.myshopify\.com\/admin\/oauth\/authorize\?/)
  const unnamed = await create('shopify', { shop: { method: 'oauth' }, app: CLIENT })
  expect((await link(unnamed)).errors[0]).toMatchObject({ code: 'integration_incomplete' })
  const evil = await owner().call(calls.createIntegration, {
    params: workspace.tenant,
    body: {
      platform_trellis_code: 'shopify',
      name: 'evil',
      values: { ...SHOPIFY, shop: { name: 'evil.example/', method: 'oauth' } },
    },
  })
  expect(evil.errors[0]).toMatchObject({ code: 'invalid_request', source: { pointer: '/values/shop/name' } })
})
