import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createAi } from '../../testing/ai/fake-ai.ts'
import { daysFromNow } from '../../testing/fake-company.ts'
import { account } from '../../testing/fake-world.ts'
import { openApp } from '../../testing/render-app.tsx'

const ending = { stripe_plan_cancelled_at: '2025-01-01T00:00:00Z', stripe_plan_end_date: daysFromNow(2.5) }

afterEach(() => document.head.querySelectorAll('meta[name^="trellis-"]').forEach((tag) => tag.remove()))

function setPage(name: string, content: string) {
  const tag = document.createElement('meta')
  tag.name = `trellis-${name}`
  tag.content = content
  document.head.append(tag)
}

test('the dashboard tells where the workspace stands and who is in it', async () => {
  openApp('/northwind/growth/dashboard')
  expect(await screen.findByRole('heading', { name: 'Growth', level: 1 })).toBeTruthy()
  expect(await screen.findByText('Online')).toBeTruthy()
  const people = await screen.findByRole('list', { name: 'People' })
  expect(
    within(people)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'ALAda Lovelaceada@example.comAdmin',
    'GHGrace Hoppergrace@example.comAdmin',
    'KJKatherine Johnsonkatherine@example.comEditor',
    'ATAlan Turingalan@example.comViewer',
  ])
})

test('the dashboard leads to what failed, what is late, what was opened last and what to do first', async () => {
  openApp('/northwind/growth/dashboard')
  const failed = await screen.findByRole('list', { name: 'Failed' })
  expect(within(failed).getByRole('link', { name: 'Revenue › Orders and 1 more' }).getAttribute('href')).toBe(
    '/northwind/growth/dataflow/d-revenue/editor/logs/f-failed',
  )
  expect(within(failed).getByText('The column "total" is gone.')).toBeTruthy()
  expect(within(failed).getByRole('button', { name: 'Retry run' })).toBeTruthy()
  expect(within(failed).getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe(
    '/northwind/growth/dataflow/d-spend/editor/logs/f-asked',
  )
  const [latest] = within(screen.getByRole('list', { name: 'Recent runs' })).getAllByRole('listitem')
  expect(latest?.textContent).toMatch(/^RevenueIt was due today, 06:00 UTC\.Failed1 min 5 s · 1,200 rows/)
  expect(
    within(latest as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/northwind/growth/dataflow/d-revenue/editor/logs/f-failed')
  const fresh = screen.getByRole('list', { name: 'Table freshness' })
  expect(within(fresh).getByText('From Revenue, usually every 1 h')).toBeTruthy()
  expect(within(fresh).getByText('Late')).toBeTruthy()
  expect(screen.getByText('4 loaded tables, 1 late')).toBeTruthy()
  expect(
    within(screen.getByRole('list', { name: 'Recent' }))
      .getByRole('link', { name: 'Revenue by country' })
      .getAttribute('href'),
  ).toBe('/northwind/growth/ai/chats/c-1')
  expect(screen.getByText('3 of 5 done')).toBeTruthy()
  const steps = screen.getByRole('list', { name: 'Get started' })
  expect(within(steps).getAllByLabelText('Done')).toHaveLength(3)
})

test('a question asked on the dashboard is answered in a chat; the way back does not ask it again', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  await user.type(await screen.findByRole('searchbox', { name: 'Ask about your data' }), 'Revenue by month{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/northwind\/growth\/ai\/chats\/./))
  await router.navigate(-1)
  await waitFor(() => expect(router.state.location.pathname).toBe('/northwind/growth/dashboard'))
})

test('a question asked before there is an AI project is asked once there is one with tables', async () => {
  const { user, router, world } = openApp('/northwind/growth/dashboard', { ai: createAi({ projects: [] }) })
  await user.type(await screen.findByRole('searchbox', { name: 'Ask about your data' }), 'Revenue by month{Enter}')
  expect(await screen.findByText(/Create one to ask “Revenue by month”\./)).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Create project' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New AI project' }))
  await user.type(dialog.getByLabelText('Name'), 'Shop{Enter}')
  expect(await screen.findByText('“Revenue by month” is not asked yet')).toBeTruthy()
  await user.click(await screen.findByLabelText('shop.customers'))
  await user.click(screen.getByRole('button', { name: 'Save tables' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/northwind\/growth\/ai\/chats\/./))
  expect(world.ai.messages.some(({ text }) => text === 'Revenue by month')).toBe(true)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save tables' })).toBeNull())
  await router.navigate(-1)
  await screen.findByRole('button', { name: 'Save tables' })
  expect(screen.queryByText('“Revenue by month” is not asked yet')).toBeNull()
})

test('first steps that were dismissed stay away', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  await user.click(await screen.findByRole('button', { name: 'Dismiss the first steps' }))
  expect(screen.queryByRole('list', { name: 'Get started' })).toBeNull()
  await router.navigate('/northwind/growth/settings')
  await screen.findByRole('heading', { name: 'Workspace settings' })
  await router.navigate('/northwind/growth/dashboard')
  await screen.findByRole('list', { name: 'Failed' })
  expect(screen.queryByRole('list', { name: 'Get started' })).toBeNull()
})

test('what the dashboard cannot load it says, and asks again', async () => {
  const { user, world } = openApp('/northwind/growth/dashboard', { broken: new Set(['listWorkspaceMembers']) })
  expect(await screen.findByText('The people of this workspace could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Grace Hopper')).toBeTruthy()
})

test('a plan that runs out is announced until it is dismissed for this workspace', async () => {
  const accounts = [account('Leaving', ['One', 'Two'], ending)]
  const { user, router } = openApp('/leaving/one/dashboard', { accounts })
  const notes = await screen.findByRole('region', { name: 'Notifications' })
  const text = '3 days left until plan expires'
  expect(await within(notes).findByText(text)).toBeTruthy()
  await user.click(within(notes).getByRole('button', { name: 'Dismiss' }))
  expect(within(notes).queryByText(text)).toBeNull()
  await router.navigate('/leaving/two/dashboard')
  expect(await within(notes).findByText(text)).toBeTruthy()
  await router.navigate('/leaving/one/settings')
  await screen.findByRole('heading', { name: 'Workspace settings' })
  await waitFor(() => expect(within(notes).queryByText(text)).toBeNull())
})

test('a workspace is renamed; its address only to be read', async () => {
  const { user, world } = openApp('/northwind/growth/settings')
  const name = await screen.findByLabelText<HTMLInputElement>('Workspace name')
  expect(screen.getByLabelText<HTMLInputElement>('Workspace URL').readOnly).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Workspace URL').value).toContain('/northwind/growth')
  await user.clear(name)
  await user.type(name, 'Growth 2')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Changes successfully saved.')).toBeTruthy()
  expect(world.accounts[0]?.workspaces[0]?.name).toBe('Growth 2')
})

test('a rename that fails says so', async () => {
  const { user } = openApp('/northwind/growth/settings', { broken: new Set(['updateWorkspace']) })
  await user.type(await screen.findByLabelText('Workspace name'), ' 2')
  await user.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Failed to update workspace settings. Please try again.')).toBeTruthy()
})

test('a viewer of a workspace reads its settings and changes nothing', async () => {
  const lab = account('Lab', ['Experiments'], { role: 'account_view' })
  const accounts = [
    { ...lab, workspaces: lab.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const })) },
  ]
  openApp('/lab/experiments/settings', { accounts })
  expect((await screen.findByLabelText<HTMLInputElement>('Workspace name')).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete workspace…' })).toBeNull()
})

test('the bare address of a workspace is its dashboard, that of an account the list', async () => {
  const { router } = openApp('/northwind/growth')
  expect(await screen.findByRole('heading', { name: 'Growth', level: 1 })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/northwind/growth/dashboard')
  await router.navigate('/northwind')
  await waitFor(() => expect(router.state.location.pathname).toBe('/workspaces'))
})

test('a workspace of somebody else is no page', async () => {
  openApp('/northwind/secret/dashboard')
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})

test('the introduction stays away once dismissed, on this page alone', async () => {
  setPage('community-url', 'https://community.example.com')
  setPage('booking-url', 'https://call.example.com')
  const { user, router } = openApp('/workspaces')
  expect(await screen.findByText('Find out how Trellis can help you.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Join our community' }).getAttribute('href')).toBe(
    'https://community.example.com',
  )
  expect(screen.getByRole('link', { name: 'Schedule a call' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Dismiss the introduction' }))
  expect(screen.queryByText('Join our community')).toBeNull()
  expect(localStorage.getItem('trellis.intro.workspaces')).toBe('dismissed')
  await router.navigate('/northwind/growth/dashboard')
  expect(await screen.findByText('Join our community')).toBeTruthy()
})
