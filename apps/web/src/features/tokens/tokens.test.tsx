import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createCompany } from '../../testing/fake-company.ts'
import { openApp } from '../../testing/render-app.tsx'

test('a token is made with scopes and an end, and its secret shown once', async () => {
  const { user, world } = openApp('/profile/tokens')
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a token' }))
  await user.type(dialog.getByLabelText('Name'), 'Import job')
  await user.click(dialog.getByLabelText(/^Write/))
  await user.selectOptions(dialog.getByLabelText('Expires after'), 'No expiry')
  await user.click(dialog.getByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('trl_pat_n3WtExampleSecretShownOnce')).toBeTruthy()
  expect(world.company.tokens[0]).toMatchObject({ name: 'Import job', scopes: ['read', 'write'], expires_at: null })
  await user.keyboard('{Escape}')
  expect(screen.getByRole('dialog')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'I have copied it' }))
  expect(screen.queryByText('trl_pat_n3WtExampleSecretShownOnce')).toBeNull()
  expect(await screen.findByText('Import job')).toBeTruthy()
  expect(screen.getByText(/never used/)).toBeTruthy()
})

test('an assistant is connected with the address of a workspace, and with the token once it is made', async () => {
  const { user } = openApp('/profile/tokens')
  const workspace = await screen.findByLabelText('Workspace')
  const address = (path: string) => `${location.origin}/mcp/northwind/${path}`
  expect(screen.getByLabelText('Run in a terminal').textContent).toBe(
    `claude mcp add --transport http trellis ${address('growth')} --header "Authorization: Bearer YOUR_TOKEN"`,
  )
  await user.selectOptions(workspace, 'Finance (Northwind)')
  expect(screen.getByLabelText('Address').textContent).toBe(address('finance'))
  await user.selectOptions(screen.getByLabelText('Assistant'), 'Cursor')
  expect(JSON.parse(screen.getByLabelText('~/.cursor/mcp.json').textContent)).toEqual({
    mcpServers: { trellis: { url: address('finance'), headers: { Authorization: 'Bearer YOUR_TOKEN' } } },
  })
  await user.selectOptions(screen.getByLabelText('Assistant'), 'VS Code')
  expect(screen.getByLabelText('.vscode/mcp.json').textContent).toContain('"type": "http"')
  await user.click(screen.getByRole('button', { name: 'Create token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a token' }))
  await user.type(dialog.getByLabelText('Name'), 'Claude')
  await user.click(dialog.getByRole('button', { name: 'Create token' }))
  const made = within(await screen.findByRole('dialog', { name: 'Your new token' }))
  expect(made.getByLabelText('Run in a terminal').textContent).toContain('Bearer trl_pat_n3WtExampleSecretShownOnce')
})

test('a token without a scope cannot be made', async () => {
  const { user } = openApp('/profile/tokens')
  await user.click(await screen.findByRole('button', { name: 'Create token' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a token' }))
  await user.type(dialog.getByLabelText('Name'), 'x')
  await user.click(dialog.getByLabelText(/^Read/))
  expect(await dialog.findByText('Choose at least one scope')).toBeTruthy()
  await waitFor(() =>
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Create token' }).disabled).toBe(true),
  )
})

test('a token is revoked after a question', async () => {
  const { user, world } = openApp('/profile/tokens')
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly export' }))
  expect(world.company.tokens).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('Token revoked.')).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'No tokens' })).toBeTruthy()
  expect(world.company.tokens).toEqual([])
})

test('without tokens it says what they are for; a failure can be tried again', async () => {
  const company = createCompany({ tokens: [] })
  const { user, world } = openApp('/profile/tokens', { company, broken: new Set(['listAccessTokens']) })
  expect(await screen.findByText('Your tokens could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'No tokens' })).toBeTruthy()
})

const ASKED = new URLSearchParams({
  response_type: 'code',
  client_id: 'agent1',
  redirect_uri: 'http://127.0.0.1:7777/back',
  code_challenge: 'c'.repeat(43),
  code_challenge_method: 'S256',
  resource: 'http://localhost/mcp/northwind/growth',
  state: 's1',
})

test.each([
  ['Allow access', 'allow'],
  ['Cancel', 'deny'],
])('an agent that asks for access is answered with “%s”', async (name, decision) => {
  const { user, world } = openApp(`/profile/authorize?${ASKED}`)
  expect(await screen.findByText('Allow Desk helper to use Growth?')).toBeTruthy()
  expect(screen.getByText('127.0.0.1:7777')).toBeTruthy()
  const facts = within(screen.getByRole('list', { name: 'What it may do' }))
  expect(facts.queryByText('Start runs of dataflows')).toBeNull()
  await user.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(world.company.agentDecisions).toEqual([decision]))
})

test.each([
  ['client_id', 'somebody', 'Access cannot be granted'],
  ['code_challenge_method', 'plain', 'This request can not be read'],
  ['resource', '', 'This request can not be read'],
])('an agent with another %s is told why not', async (name, value, title) => {
  const asked = new URLSearchParams(ASKED)
  asked.set(name, value)
  openApp(`/profile/authorize?${asked}`)
  expect(await screen.findByText(title)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Allow access' })).toBeNull()
})
