import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createExplorer, FAKE_DATABASE, fakeTable } from '../../testing/fake-explorer.ts'
import { account } from '../../testing/fake-world.ts'
import { giveSize } from '../../testing/give-size.ts'
import { openApp } from '../../testing/render-app.tsx'

giveSize()

const HOME = '/northwind/growth/explorer'
const SHOP = `${HOME}/${FAKE_DATABASE}/schema/shop`
const viewer = () => {
  const northwind = account('Northwind', ['Growth'], { role: 'account_view' })
  for (const workspace of northwind.workspaces) workspace.role = 'workspace_viewer'
  return [northwind]
}

test('the explorer opens at its home, with databases, storage and what was opened last', async () => {
  const { router } = openApp(HOME)
  expect(await screen.findByText('Recently opened tables')).toBeTruthy()
  expect(router.state.location.pathname).toBe(`${HOME}/home`)
  expect(screen.getByText('190 MB of 1.0 GB')).toBeTruthy()
  expect(screen.getByRole('link', { name: /orders in shop/ }).getAttribute('href')).toBe(`${SHOP}/table/orders/preview`)
})

test('with nothing opened yet there are tables to begin with', async () => {
  openApp(HOME, { explorer: createExplorer({ recent: [] }) })
  const link = await screen.findByRole('link', { name: /^Table orders/ })
  expect(link.getAttribute('href')).toBe(`${SHOP}/table/orders/preview`)
  expect(screen.getByRole('heading', { name: 'Tables in shop' })).toBeTruthy()
})

test('without a table it invites to upload, unless one may not', async () => {
  const { view } = openApp(HOME, { explorer: createExplorer({ recent: [], tables: [] }) })
  expect(await screen.findByRole('link', { name: 'Upload a file' })).toBeTruthy()
  view.unmount()
  openApp(HOME, { explorer: createExplorer({ recent: [], tables: [] }), accounts: viewer() })
  await screen.findByText('No tables yet')
  expect(screen.queryByRole('link', { name: 'Upload a file' })).toBeNull()
})

test('the tree unfolds by keys, finds by typing and opens with Enter', async () => {
  const { user, router } = openApp(`${HOME}/home`)
  const tree = await screen.findByRole('tree')
  await within(tree).findByRole('treeitem', { name: 'shop' })
  tree.focus()
  await user.keyboard('sh{ArrowRight}')
  await within(tree).findByRole('treeitem', { name: /^orders/ })
  await user.keyboard('ord{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/table/orders/preview`))
  expect(localStorage.getItem('trellis.explorer.open /northwind/growth')).toContain('shop')
})

const BROKEN = {
  integration_trellis_code: 'theirs',
  name: 'Theirs',
  kind: 'integration',
  state: 'unreachable',
  size_bytes: null,
} as const
const BROKEN_SETTINGS = '/northwind/growth/integrations/update/theirs'

test('a connection that fails looks broken in the tree and leads to its settings', async () => {
  openApp(`${HOME}/home`, { explorer: createExplorer({ connected: [BROKEN] }) })
  const line = await within(await screen.findByRole('tree')).findByRole('treeitem', { name: /^Theirs/ })
  expect(line.textContent).toContain('Cannot be reached')
  const link = within(line).getByRole('link', { name: /Cannot be reached/ })
  expect(link.getAttribute('href')).toBe(BROKEN_SETTINGS)
  const listed = await screen.findByRole('link', { name: /^Theirs connected/ })
  expect(listed.getAttribute('href')).toBe(BROKEN_SETTINGS)
})

test('the page of a connection that fails has its name and the way to its settings', async () => {
  const { world, router } = openApp(`${HOME}/home`, { explorer: createExplorer({ connected: [BROKEN] }) })
  await screen.findByRole('tree')
  world.broken.add('getDatabaseInformation')
  await router.navigate(`${HOME}/theirs`)
  expect(await screen.findByText('The database could not be loaded')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Theirs' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Change settings' }).getAttribute('href')).toBe(BROKEN_SETTINGS)
})

test('a large schema comes page by page, as far as one looks', async () => {
  const many = Array.from({ length: 1200 }, (_, at) => fakeTable('big', `t${String(at).padStart(4, '0')}`))
  const { user } = openApp(`${HOME}/${FAKE_DATABASE}/schema/big`, {
    explorer: createExplorer({ schemas: ['big'], tables: many }),
  })
  const tree = await screen.findByRole('tree')
  expect(await within(tree).findByRole('treeitem', { name: 't0003' })).toBeTruthy()
  expect(within(tree).queryByRole('treeitem', { name: 't1199' })).toBeNull()
  expect(within(tree).getAllByRole('treeitem').length).toBeLessThan(80)
  tree.focus()
  await user.keyboard('{End}')
  await waitFor(() => expect(tree.getAttribute('aria-activedescendant')).toMatch(/-50[0-9]$/))
})

test('searching asks the server and marks what was found', async () => {
  const { user } = openApp(`${HOME}/home`)
  await screen.findByRole('tree')
  await user.type(within(screen.getByRole('navigation', { name: 'Explorer' })).getByLabelText('Search tables'), 'stat')
  await screen.findByText('1 found')
  const link = within(screen.getByRole('list', { name: 'Found' })).getByRole('link')
  expect(link.querySelector('mark')?.textContent).toBe('stat')
  expect(link.getAttribute('href')).toBe(`${SHOP}/table/orders/details`)
})

test('what one may not do is not offered', async () => {
  const { user } = openApp(`${SHOP}/tables`, { accounts: viewer() })
  await user.click(await screen.findByRole('button', { name: 'Actions for customers' }))
  const names = screen.getAllByRole('menuitem').map((item) => item.textContent)
  expect(names).toEqual(['Preview', 'Details', 'Description', 'Query this table', 'Export…', 'Copy name'])
  expect(screen.queryByRole('button', { name: 'New table' })).toBeNull()
})

test('tables are narrowed down by words and label, in the address', async () => {
  const { user, router } = openApp(`${SHOP}/tables`)
  const table = await screen.findByRole('table', { name: 'Tables' })
  expect(within(table).getByText('about 1.2 M')).toBeTruthy()
  await screen.findByRole('option', { name: 'Personal data (1)' })
  await user.selectOptions(screen.getByLabelText('Label'), 'Personal data (1)')
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect(router.state.location.search).toBe('?label=2')
  const search = within(screen.getByRole('main')).getAllByLabelText('Search tables').at(-1)
  if (search) await user.type(search, 'zzz')
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(5))
})

test('a schema says what is in it, and an empty one what to do', async () => {
  const { router } = openApp(SHOP)
  expect(await screen.findByText('Largest tables')).toBeTruthy()
  expect(await screen.findByText(/4,200 rows appended from ad-spend.csv/)).toBeTruthy()
  await router.navigate(`${HOME}/${FAKE_DATABASE}/schema/public`)
  expect(await screen.findByText('No tables yet')).toBeTruthy()
})

test('a schema says what uses its tables and what they come from', async () => {
  openApp(SHOP)
  const users = await screen.findByRole('list', { name: 'Used by' })
  expect(within(users).getByRole('link', { name: /Board/ }).getAttribute('href')).toBe('/northwind/growth/sparks/board')
  expect(screen.getByRole('heading', { name: 'Uses' })).toBeTruthy()
})

test('a database lists its schemas and the ways to its administration', async () => {
  openApp(`${HOME}/${FAKE_DATABASE}`)
  expect(await screen.findByRole('table', { name: 'Schemas' })).toBeTruthy()
  const tabs = screen.getByRole('navigation', { name: 'Database' })
  expect(within(tabs).getByRole('link', { name: 'Connection' })).toBeTruthy()
})

test('a table that is gone and a server that fails are told apart', async () => {
  const { user, world, router } = openApp(`${SHOP}/table/nope/preview`)
  expect(await screen.findByText('The table was not found')).toBeTruthy()
  world.broken.add('getSchemaSummary')
  await router.navigate(SHOP)
  expect(await screen.findByText('The schema could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Largest tables')).toBeTruthy()
})

test('the palette opens a table by its name', async () => {
  const { user, router } = openApp('/northwind/growth/dashboard')
  await screen.findByText('This workspace')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByPlaceholderText('Search pages, tables, worksheets and commands'), 'custom')
  await user.click(await screen.findByRole('option', { name: /^customers/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/table/customers/preview`))
})
