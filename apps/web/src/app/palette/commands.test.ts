import { expect, test } from 'vitest'
import type { Area } from '../shell/areas.ts'
import { pageCommands } from './commands.ts'

const area = (title: string, path: string): Area => ({ title, path, icon: (() => null) as never })
const account = {
  id: 1,
  trellis_code: 'acme',
  name: 'Acme',
  account_type: 'team' as const,
  role: 'owner' as const,
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: null,
  stripe_plan_cancelled_at: null,
  workspaces: [
    {
      trellis_code: 'w1',
      name: 'Main',
      workspace_address: 'main',
      account_trellis_code: 'acme',
      role: 'workspace_admin' as const,
    },
  ],
}
const nowhere = { account: undefined, workspace: undefined, rest: [] }
const areas = { home: [area('Workspaces', '/workspaces')], workspace: [], help: [] }
const titles = (knownCommandSources: Parameters<typeof pageCommands>[0]) =>
  pageCommands(knownCommandSources).map((command) => command.title)

test('profile pages can always be gone to', () => {
  expect(titles({ place: nowhere, accounts: [], areas })).toContain('Change password')
})

test.each([
  ['owner', ['Account settings', 'Members', 'Billing', 'Plan & Utilization', 'AI model', 'Audit log']],
  ['account_view', ['Account settings', 'Members', 'Plan & Utilization', 'AI model']],
] as const)('%s: the pages of the account that are theirs are offered, inside it and outside', (role, expected) => {
  const accounts = [{ ...account, role }]
  const inside = { account: 'acme', workspace: 'main', rest: [] }
  for (const place of [inside, nowhere]) {
    const found = pageCommands({ place, accounts, areas }).filter(({ to }) => to.startsWith('/acme/settings?tab='))
    expect(found.map(({ title }) => title)).toEqual(expected)
  }
})

test.each(['billing', 'invoice', 'members', 'invite', 'plan', 'tokens', 'model'])('“%s” finds a page', (word) => {
  const found = pageCommands({ place: nowhere, accounts: [account], areas }).filter(({ title, keywords = [] }) =>
    [title, ...keywords].some((text) => text.toLowerCase().includes(word)),
  )
  expect(found).not.toEqual([])
})

test('“tokens” finds personal access tokens alone', () => {
  const found = pageCommands({ place: nowhere, accounts: [account], areas }).filter(({ title, keywords = [] }) =>
    [title, ...keywords].some((text) => text.toLowerCase().includes('tokens')),
  )
  expect(found.map(({ title }) => title)).toEqual(['Personal access tokens'])
})

test('an account whose plan is over has no pages to go to', () => {
  const over = { ...account, stripe_plan_end_date: '2020-01-01T00:00:00Z' }
  expect(titles({ place: nowhere, accounts: [over], areas })).not.toContain('Members')
})

test('workspaces can be entered once there is a screen to enter', () => {
  const workspace = [area('Dashboard', '/dashboard')]
  const commands = pageCommands({
    place: nowhere,
    accounts: [account],
    areas: { ...areas, workspace },
  })
  expect(commands.at(-1)).toMatchObject({ title: 'Main', note: 'Acme', to: '/acme/main/dashboard' })
})

test('the areas of a workspace are offered only inside it', () => {
  const workspace = [area('Dashboard', '/dashboard')]
  const place = { account: 'acme', workspace: 'main', rest: [] }
  const all = { accounts: [], areas: { ...areas, workspace } }
  expect(titles({ ...all, place })).toContain('Dashboard')
  expect(titles({ ...all, place: nowhere })).not.toContain('Dashboard')
})
