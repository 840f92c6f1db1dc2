import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const PROGRAM = '127.0.0.1:18976'
const CALLBACK = `http://${PROGRAM}/callback`
const AGENT = 'Reading agent'

test.use({ otherHosts: [PROGRAM] })

async function beginConnecting(request: APIRequestContext, resource: string) {
  const registered = await request.post('/oauth/register', { data: { client_name: AGENT, redirect_uris: [CALLBACK] } })
  const { client_id } = (await registered.json()) as { client_id: string }
  const code_verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  const query = { client_id, redirect_uri: CALLBACK, resource, code_challenge, scope: 'read', state: 'here' }
  const address = `/profile/authorize?${new URLSearchParams({ ...query, response_type: 'code', code_challenge_method: 'S256' })}`
  const exchange = async (code: string) => {
    const form = { grant_type: 'authorization_code', code, client_id, redirect_uri: CALLBACK, code_verifier, resource }
    const answer = (await (await request.post('/oauth/token', { form })).json()) as { access_token: string }
    return answer.access_token
  }
  return { address, exchange }
}

test('an agent is allowed by its person, reads tables, and is revoked', async ({ page, person, request, baseURL }) => {
  const { account } = await giveWorkspaceWithTables(request, person)
  const server = `${baseURL}/mcp/${account}/shop`
  const listTools = async (token: string) =>
    await request.post(server, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      data: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
  await page.route(`${CALLBACK}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Connected</h1>' }))
  const { address, exchange } = await beginConnecting(request, server)

  await test.step('who is not signed in signs in first and comes back to the question', async () => {
    await page.goto(address)
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByText(`Allow ${AGENT} to use Harbour shop?`)).toBeVisible()
    await expect(page.getByText(PROGRAM, { exact: true })).toBeVisible()
    await expect(page.getByRole('list', { name: 'What it may do' }).getByRole('listitem')).toHaveCount(3)
  })

  await test.step('cancelled, the agent is told so', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('heading', { name: 'Connected' })).toBeVisible()
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  const token = await test.step('allowed, it gets a token for this workspace', async () => {
    await page.goto(address)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await expect(page.getByRole('heading', { name: 'Connected' })).toBeVisible()
    const back = new URL(page.url()).searchParams
    expect(back.get('state')).toBe('here')
    return await exchange(back.get('code') ?? '')
  })
  expect((await listTools(token)).status()).toBe(200)

  await test.step('its access is listed and revoked', async () => {
    await page.goto('/profile/tokens')
    await page.getByRole('button', { name: `Revoke ${AGENT}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('No tokens')).toBeVisible()
  })
  expect((await listTools(token)).status()).toBe(401)
})
