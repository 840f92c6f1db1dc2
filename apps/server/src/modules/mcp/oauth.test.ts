import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import * as agents from '@trellis/contract/tokens/agents.endpoints'
import { listAccessTokens, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'

let app: TestApp
let workspace: ReadyWorkspace
let viewer: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id: VIEW }]
  viewer = (await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })).client
  await workspace.sql('create table data.orders as select n as id from generate_series(1, 20) n')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const publicUrl = () => app.config.publicUrl
const toAddress = ({ tenant }: ReadyWorkspace) =>
  new URL(`/mcp/${tenant.account_trellis_code}/${tenant.workspace_address}`, publicUrl())

/** Maps the public URL to the test server. */
const reach = async (url: string | URL, init?: RequestInit): Promise<Response> =>
  await fetch(String(url).replace(publicUrl(), app.url), init)

/** The client's storage, and the URL it would open. */
function createProvider() {
  const kept: Record<string, unknown> = {}
  let opened: URL | undefined
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Test agent',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'read',
    },
    state: () => 'state-1',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (opened = url),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'] as string,
  }
  return { provider, kept, getOpened: () => opened as URL }
}

async function decide(client: TestClient, opened: URL, decision: 'allow' | 'deny' = 'allow') {
  const query = Object.fromEntries(opened.searchParams) as Record<string, string>
  const { client_id = '', redirect_uri = '', resource = '', code_challenge = '', state = '', scope = '' } = query
  const body = { client_id, redirect_uri, resource, code_challenge, state, scope, decision }
  return await client.call(agents.decideAgentRequest, { body })
}

const open = (provider: OAuthClientProvider, address = toAddress(workspace)) =>
  new StreamableHTTPClientTransport(address, { authProvider: provider, fetch: reach as typeof fetch })

async function begin() {
  const made = createProvider()
  const transport = open(made.provider)
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toBeInstanceOf(UnauthorizedError)
  return { ...made, transport, opened: made.getOpened() }
}

async function finish(client = viewer) {
  const begun = await begin()
  const decided = await decide(client, begun.opened)
  expect(decided.status, decided.text).toBe(200)
  const back = new URL(decided.data.redirect_to)
  await begun.transport.finishAuth(back.searchParams)
  return { ...begun, back, token: (begun.kept['tokens'] as { access_token: string }).access_token }
}

const callMcp = async (address: URL, token: string): Promise<Response> =>
  await reach(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

test('an agent finds the server, registers, is allowed by a person, and works until its token is revoked', async () => {
  const begun = await begin()
  expect(begun.opened.href.startsWith(`${publicUrl()}/profile/authorize?`)).toBe(true)
  const query = Object.fromEntries(begun.opened.searchParams) as never
  const requestedResponse = await viewer.call(agents.getAgentRequest, { query })
  expect(requestedResponse.data).toMatchObject({
    client_name: 'Test agent',
    redirect_place: '127.0.0.1:9',
    scopes: ['read'],
  })
  const { provider, back, token } = await finish()
  expect(back.searchParams.get('state')).toBe('state-1')
  const agent = new Client({ name: 'test', version: '1' })
  await agent.connect(open(provider))
  const result = await agent.callTool({ name: 'run_sql', arguments: { sql: 'select count(*) from data.orders' } })
  expect(JSON.stringify(result)).toContain('20')
  await agent.close()
  const tokens = (await viewer.call(listAccessTokens)).data
  expect(tokens).toMatchObject([{ name: 'Test agent', scopes: ['read'], resource: toAddress(workspace).href }])
  await viewer.call(revokeAccessToken, { params: { token_id: tokens[0]?.id ?? 0 } })
  expect((await callMcp(toAddress(workspace), token)).status).toBe(401)
})

describe('a token of an agent', () => {
  test('is good for one workspace and for no other call', async () => {
    const { token } = await finish(workspace.account.owner)
    expect((await callMcp(toAddress(workspace), token)).status).toBe(200)
    const other = await makeReadyWorkspace(app, { account: workspace.account, address: 'second' })
    expect((await callMcp(toAddress(other), token)).status).toBe(401)
    await other.remove()
    const api = await fetch(`${app.url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
    expect(api.status).toBe(401)
  })

  test('is revoked by the agent itself', async () => {
    const { token } = await finish()
    const revoke = await reach(`${publicUrl()}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token }) })
    expect(revoke.status).toBe(200)
    expect((await callMcp(toAddress(workspace), token)).status).toBe(401)
  })
})

describe('a code', () => {
  const exchange = async (form: Record<string, string>) =>
    await reach(`${publicUrl()}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const prepare = async () => {
    const { opened, kept } = await begin()
    const { redirect_to } = (await decide(viewer, opened)).data
    return {
      grant_type: 'authorization_code',
      code: new URL(redirect_to).searchParams.get('code') ?? '',
      client_id: opened.searchParams.get('client_id') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: kept['verifier'] as string,
      resource: toAddress(workspace).href,
    }
  }

  test('that is used twice is refused, and its token ends', async () => {
    const form = await prepare()
    const first = (await (await exchange(form)).json()) as { access_token: string }
    expect((await callMcp(toAddress(workspace), first.access_token)).status).toBe(200)
    const again = await exchange(form)
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await callMcp(toAddress(workspace), first.access_token)).status).toBe(401)
  })

  test.each([
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another client', { client_id: 'somebody' }],
    ['another address', { redirect_uri: 'http://127.0.0.1:9/other' }],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }],
  ])('with %s is refused, and used up', async (_, change) => {
    const form = await prepare()
    expect((await exchange({ ...form, ...change })).status).toBe(400)
    expect((await exchange(form)).status).toBe(400)
  })

  test('is good for a minute', async () => {
    const form = await prepare()
    app.clock.move(61_000)
    expect((await exchange(form)).status).toBe(400)
  })
})

test('nobody is sent to an address that was not registered, and a refusal is told to the agent', async () => {
  const { opened } = await begin()
  const denied = await decide(viewer, opened, 'deny')
  expect(new URL(denied.data.redirect_to).searchParams.get('error')).toBe('access_denied')
  const elsewhere = new URL(opened)
  elsewhere.searchParams.set('redirect_uri', 'https://evil.example/')
  expect((await decide(viewer, elsewhere)).status).toBe(404)
  const foreign = await makeReadyWorkspace(app)
  const theirs = new URL(opened)
  theirs.searchParams.set('resource', toAddress(foreign).href)
  expect((await decide(viewer, theirs)).status).toBe(404)
  await foreign.remove()
})

test.each([
  [{ redirect_uris: ['javascript:alert(1)'] }],
  [{ redirect_uris: ['http://evil.example/'] }],
  [{ redirect_uris: ['https://a.example/#x'] }],
  [{ redirect_uris: [] }],
  [{ redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'client_secret_basic' }],
])('a client that registers %o is refused', async (body) => {
  const answer = await reach(`${publicUrl()}/oauth/register`, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(400)
})
