import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ssoCallback } from '@trellis/contract/identity/identity.endpoints'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import { getPlatform, getSetupForma } from '@trellis/contract/integrations/platforms.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeServers, startWeb } from '../../platform/safe-http/testing/local-servers.ts'
import { joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { openConnection } from './connections.service.ts'
import { findIntegrationRow } from './integrations.repository.ts'
import { runChecks } from './testing/checks.ts'
import { LASTING, type Provider, oauthConnector, provider } from './testing/oauth-platform.ts'
import type { TokenWorkerData } from './testing/token-worker.ts'

let app: TestApp
let workspace: ReadyWorkspace
let platform: Provider
let hosts: Record<string, string>

const settings = { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOWED_HOSTS: '127.0.0.1' }

beforeAll(async () => {
  const address = await startWeb('127.0.0.1', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : null
    const answer = await platform.answer(
      new Request(`http://x${request.url}`, { method: request.method ?? 'GET', body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  hosts = { accounts: address }
  app = await startTestApp({ settings, connectors: [oauthConnector(hosts), lasting(hosts)] })
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await closeServers()
})
beforeEach(() => {
  platform = provider()
})

/** With short-lived tokens that must be exchanged. */
function lasting(of: Record<string, string>) {
  const connector = oauthConnector(of, { code: 'lasting_for_tests' })
  return {
    ...connector,
    ...(connector.oauth && { oauth: { ...connector.oauth, longLived: LASTING, consentDays: 60 } }),
  }
}

const owner = () => workspace.account.owner
const APP = { app: { client_id: 'own-app', client_secret: 'own-app-secret' } }

async function create(more: object = {}) {
  const body = { platform_trellis_code: 'oauth_for_tests', name: 'Ads', values: APP, ...more }
  const { data, status, text } = await owner().call(calls.createIntegration, { params: workspace.tenant, body })
  expect(status, text).toBe(200)
  return data.integration_trellis_code
}

async function link(code: string, client: TestClient = owner()) {
  const body = { integration_trellis_code: code }
  return await client.call(calls.linkIntegration, { params: workspace.tenant, body })
}

async function consent(url: string): Promise<Record<string, string>> {
  const html = await (await fetch(url)).text()
  const fields = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return Object.fromEntries(new URL(answer.headers.get('location') ?? '').searchParams)
}

const get = async (code: string) =>
  (await owner().call(calls.getIntegration, { params: { ...workspace.tenant, integration_trellis_code: code } })).data

async function linked(): Promise<string> {
  const code = await create()
  const query = await consent((await link(code)).data.url)
  const answer = await owner().call(ssoCallback, { query })
  expect(answer.status, answer.text).toBe(200)
  return code
}

async function readRow(code: string) {
  const { id } = await app.database.db
    .selectFrom('integrations')
    .select('id')
    .where('trellis_code', '=', code)
    .executeTakeFirstOrThrow()
  const row = await findIntegrationRow(app.ctx, id)
  if (!row) throw new Error('gone')
  return { ...row, is_managed: false }
}
const readToken = async (code: string, isStale?: string) => {
  const { context } = await openConnection(app.ctx, await readRow(code), new AbortController().signal)
  return await context.accessToken(isStale === undefined ? {} : { isStale })
}

test('the platform says what has to be registered', async () => {
  const params = { ...workspace.tenant, platform_trellis_code: 'oauth_for_tests' }
  const { data } = await owner().call(getPlatform, { params })
  expect(data.oauth).toEqual({
    provider: 'Google',
    scopes: ['read', 'email'],
    redirect_url: 'http://localhost:4600/sso/callback',
    has_app: false,
  })
})

test('consent is asked for with state and challenge, and finished by the person who asked', async () => {
  const code = await create()
  expect(await get(code)).toMatchObject({ state: 'SETUP', oauth: { is_linked: false } })
  const url = new URL((await link(code)).data.url)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'own-app',
    redirect_uri: 'http://localhost:4600/sso/callback',
    scope: 'read email',
    access_type: 'offline',
    code_challenge_method: 'S256',
  })
  const query = await consent(url.href)
  const answer = await owner().call(ssoCallback, { query })
  const { account_trellis_code, workspace_address } = workspace.tenant
  expect(answer.data).toEqual({
    go_to: `/${account_trellis_code}/${workspace_address}/integrations/description/${code}`,
  })
  expect(platform.asked[0]?.get('client_secret')).toBe('own-app-secret')
  const after = await get(code)
  expect(after).toMatchObject({ state: 'VALIDATING', oauth: { is_linked: true, linked_as: 'ada@example.com' } })
  expect(new Date(after.oauth?.expires_at ?? 0).getTime()).toBeGreaterThan(Date.now() + 89 * 86_400_000)
  await runChecks(app)
  expect(await get(code)).toMatchObject({ state: 'ACTIVE' })
  expect((await owner().call(ssoCallback, { query })).errors[0]?.code, 'works once').toBe('integration_problem')
})

test('a token that ends soon is exchanged at once for one that lasts, and its end is told', async () => {
  const code = await create({ platform_trellis_code: 'lasting_for_tests' })
  const finish = async () => owner().call(ssoCallback, { query: await consent((await link(code)).data.url) })
  expect((await finish()).status).toBe(200)
  expect(platform.asked.map((form) => form.get('grant_type'))).toEqual(['authorization_code', LASTING.grant])
  expect(platform.asked[1]?.get('client_secret')).toBe('own-app-secret')
  expect(await readToken(code)).toBe('lasting-for-access-token-1')
  const { oauth } = await get(code)
  const days = (new Date(oauth?.expires_at ?? 0).getTime() - Date.now()) / 86_400_000
  expect([Math.round(days), oauth?.linked_as]).toEqual([50, 'ada@example.com'])
})

test('nobody else finishes it: not signed in, another person, one who may not any more, one who is late', async () => {
  const code = await create()
  const query = await consent((await link(code)).data.url)
  expect((await app.client().call(ssoCallback, { query })).errors[0]?.code).toBe('not_signed_in')
  const editor = await joinNewPerson(app, workspace.account)
  expect((await editor.client.call(ssoCallback, { query })).errors[0]?.code).toBe('forbidden')
  expect(platform.asked).toEqual([])
  expect((await owner().call(ssoCallback, { query })).status, 'and it is still there for the right one').toBe(200)

  const late = await consent((await link(code)).data.url)
  await app.database.pool.query(`update integration_links set expires_at = now() - interval '1 second'`)
  const refusedResponse = await owner().call(ssoCallback, { query: late })
  expect(refusedResponse.errors[0]).toMatchObject({ code: 'integration_problem' })

  const own = await consent((await link(code, editor.client)).data.url)
  await app.database.db.deleteFrom('account_members').where('profile_id', '=', editor.id).execute()
  expect((await editor.client.call(ssoCallback, { query: own })).errors[0]?.code).toBe('forbidden')
})

test('a no and a wrong code are told in words', async () => {
  const code = await create()
  const { state } = await consent((await link(code)).data.url)
  const no = await owner().call(ssoCallback, { query: { state, error: 'access_denied' } })
  expect(no.errors[0]?.detail).toContain('Google did not give its consent')
  const again = await consent((await link(code)).data.url)
  const wrong = await owner().call(ssoCallback, { query: { ...again, code: 'forged-code' } })
  expect(wrong.errors[0]).toMatchObject({ code: 'integration_problem' })
  expect(wrong.text).not.toContain('forged-code')
  platform.refuse = { status: 401, body: { error: 'invalid_client' } }
  const third = await consent((await link(code)).data.url)
  const unknownResponse = await owner().call(ssoCallback, { query: third })
  expect(unknownResponse.errors[0]?.detail).toContain('does not know this client id')
})

test('a platform without consent has no link, and a connection without an app none yet', async () => {
  const code = await create({ values: {} })
  expect((await link(code)).errors[0]).toMatchObject({ code: 'integration_incomplete' })
  const managed = workspace.database.integration_trellis_code
  expect((await link(managed)).errors[0]?.code).toBe('forbidden')
})

test('20 workers that want a new token make one call', async () => {
  const code = await linked()
  const before = platform.asked.length
  const { id } = await readRow(code)
  const workers = Array.from({ length: 4 }, () => {
    const givenTokenWorkerData: TokenWorkerData = {
      settings: { ...settings, TRELLIS_HOME: app.config.home, TRELLIS_DATABASE_URL: app.database.url },
      hosts,
      integrationId: id,
      isStale: 'access-token-1',
      times: 5,
    }
    return fork(fileURLToPath(new URL('testing/token-worker.ts', import.meta.url)), [
      JSON.stringify(givenTokenWorkerData),
    ])
  })
  const next = (worker: ChildProcess) =>
    new Promise<unknown>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await Promise.all(workers.map(next))
  const answers = workers.map(next)
  for (const worker of workers) worker.send('go')
  const tokens = (await Promise.all(answers)).flat()
  expect(tokens).toEqual(Array.from({ length: 20 }, () => 'access-token-2'))
  expect(platform.asked.length - before).toBe(1)
})

test('a token is fetched anew before it ends, and refresh tokens that rotate are kept', async () => {
  const code = await linked()
  expect(await readToken(code)).toBe('access-token-1')
  app.clock.move(3600_000)
  expect(await readToken(code)).toBe('access-token-2')
  app.clock.move(3600_000)
  expect(await readToken(code)).toBe('access-token-3')
  app.clock.move(-7200_000)
  expect(platform.asked.map((form) => form.get('refresh_token'))).toEqual([null, 'refresh-token-1', 'refresh-token-2'])
})

test('consent that was taken back ends in words, and is not asked about again', async () => {
  const code = await linked()
  await runChecks(app)
  platform.refuse = { status: 400, body: { error: 'invalid_grant' } }
  const asked = platform.asked.length
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => readToken(code, 'access-token-1')))
  expect(tries.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'))
  expect(platform.asked.length - asked).toBe(1)
  const after = await get(code)
  expect(after).toMatchObject({ state: 'ERROR', oauth: { is_linked: false } })
  expect(after.problem?.advice).toBe('Give your consent again on the page of Google.')
  platform.refuse = undefined
  expect((await owner().call(ssoCallback, { query: await consent((await link(code)).data.url) })).status).toBe(200)
  await runChecks(app)
  expect(await get(code)).toMatchObject({ state: 'ACTIVE', problem: null, oauth: { is_linked: true } })
})

test('a provider that is away changes nothing', async () => {
  const code = await linked()
  await runChecks(app)
  platform.refuse = { status: 503, body: {} }
  await expect(readToken(code, 'access-token-1')).rejects.toMatchObject({ kind: 'transient' })
  expect(await get(code)).toMatchObject({ state: 'ACTIVE', oauth: { is_linked: true } })
})

test('a pasted token stands in for consent', async () => {
  const code = await create({ values: { ...APP, token: { refresh_token: 'pasted-refresh' } } })
  expect(await get(code)).toMatchObject({ state: 'VALIDATING' })
  await runChecks(app)
  expect(await get(code)).toMatchObject({ state: 'ACTIVE' })
  expect(platform.asked[0]?.get('refresh_token')).toBe('pasted-refresh')
  const only = await create({ values: { ...APP, token: { access_token: 'pasted-access' } } })
  expect(await readToken(only)).toBe('pasted-access')
  await expect(readToken(only, 'pasted-access')).rejects.toMatchObject({ field: 'token.access_token' })
})

test('with an app of the operator nobody brings their own', async () => {
  const other = await startTestApp({
    settings: {
      ...settings,
      TRELLIS_OAUTH_GOOGLE_CLIENT_ID: 'operators-app',
      TRELLIS_OAUTH_GOOGLE_CLIENT_SECRET: 'operators-secret',
    },
    connectors: [oauthConnector(hosts)],
  })
  const there = await makeReadyWorkspace(other)
  const client = there.account.owner
  const params = { ...there.tenant, platform_trellis_code: 'oauth_for_tests' }
  expect((await client.call(getPlatform, { params })).data.oauth?.has_app).toBe(true)
  const { forma } = (await client.call(getSetupForma, { params })).data
  expect(forma.sections.find(({ reference }) => reference === 'app')?.is_required).toBe(false)
  const body = { platform_trellis_code: 'oauth_for_tests', name: 'Ads', values: {} }
  const createdResponse = await client.call(calls.createIntegration, { params: there.tenant, body })
  const { data } = await client.call(calls.linkIntegration, {
    params: there.tenant,
    body: { integration_trellis_code: createdResponse.data.integration_trellis_code },
  })
  expect(new URL(data.url).searchParams.get('client_id')).toBe('operators-app')
  expect(data.url).not.toContain('operators-secret')
  await there.remove()
  await other.close()
})

test('a simulated platform asks on a page of the product, which can do nothing else', async () => {
  const code = await create({ values: {}, is_simulated: true })
  const { url } = (await link(code)).data
  expect(url).toMatch(/^http:\/\/localhost:4600\/simulators\/oauth_for_tests\/accounts\/auth\?/)
  const here = url.replace('http://localhost:4600', app.url)
  const page = await fetch(here, { headers: { cookie: 'trellis_refresh=x', authorization: 'Bearer x' } })
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(page.headers.getSetCookie()).toEqual([])
  const query = await consent(here)
  expect((await owner().call(ssoCallback, { query })).status).toBe(200)
  await runChecks(app)
  expect(await get(code)).toMatchObject({ state: 'ACTIVE', is_simulated: true, oauth: { is_linked: true } })
  expect(platform.asked, 'nothing left the process').toEqual([])
  const elsewhere = new URLSearchParams({ redirect_uri: 'https://evil.example.com/', state: 's', code_challenge: 'c' })
  const refused = await fetch(here, { method: 'POST', body: elsewhere, redirect: 'manual' })
  expect(refused.status).toBe(400)
  const lure = new URL(here)
  lure.searchParams.set('redirect_uri', 'https://evil.example.com/sso/callback')
  expect((await fetch(lure)).status, 'a page whose links lead elsewhere').toBe(400)
  for (const path of ['/oauth_for_tests/api/x', '/nothing/accounts/auth', '/oauth_for_tests', '/postgresql/x/y']) {
    expect((await fetch(`${app.url}/simulators${path}`)).status, path).toBe(404)
  }
})

test('simulators that are switched off are not there', async () => {
  const other = await startTestApp({
    settings: { ...settings, TRELLIS_SIMULATORS: 'off' },
    connectors: [oauthConnector(hosts)],
  })
  const there = await makeReadyWorkspace(other)
  const body = { platform_trellis_code: 'oauth_for_tests', name: 'Ads', values: {}, is_simulated: true }
  const createdResponse = await there.account.owner.call(calls.createIntegration, { params: there.tenant, body })
  expect(createdResponse.errors[0]).toMatchObject({ code: 'invalid_request', source: { pointer: '/is_simulated' } })
  expect((await fetch(`${other.url}/simulators/oauth_for_tests/accounts/auth`)).status).toBe(404)
  await there.remove()
  await other.close()
})
