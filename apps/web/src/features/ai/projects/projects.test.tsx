import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createAi } from '../../../testing/ai/fake-ai.ts'
import { openApp } from '../../../testing/render-app.tsx'
import { createWorld } from '../../../testing/fake-world.ts'

const AI = '/northwind/growth/ai'

test('a project is created, a taken name is refused at its field', async () => {
  const { user, router, world } = openApp(`${AI}/projects`)
  await user.click(await screen.findByRole('button', { name: 'New project' }))
  const dialog = await screen.findByRole('dialog', { name: 'New AI project' })
  await user.type(within(dialog).getByLabelText('Name'), 'Sales')
  await user.click(within(dialog).getByRole('button', { name: 'Create project' }))
  expect(await within(dialog).findByText('An AI project with this name exists already.')).toBeTruthy()
  await user.type(within(dialog).getByLabelText('Name'), ' north{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`${AI}/projects/project2`))
  expect(world.ai.projects.map(({ name }) => name)).toEqual(['Sales', 'Sales north'])
  expect(await screen.findByRole('heading', { name: 'Sales north' })).toBeTruthy()
})

test('a project is deleted once it is said which sparks go with it', async () => {
  const { user, world } = openApp(`${AI}/projects/sales`)
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete Sales?' })
  expect(await within(dialog).findByText(/1 spark of this project is deleted too/)).toBeTruthy()
  expect(within(dialog).getByText('Orders')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(world.ai.projects).toEqual([]))
})

test('tables are searched, chosen and saved', async () => {
  const { user, world } = openApp(`${AI}/projects/sales`)
  expect(await screen.findByText('1 of 3 tables chosen')).toBeTruthy()
  await user.type(screen.getByRole('searchbox', { name: 'Search tables' }), 'cust')
  expect(screen.queryByLabelText('shop.orders')).toBeNull()
  await user.click(screen.getByLabelText('shop.customers'))
  await user.click(screen.getByRole('button', { name: 'Save tables' }))
  expect(await screen.findByText('Tables saved.')).toBeTruthy()
  expect(world.ai.tables.filter(({ is_chosen }) => is_chosen).map(({ table_name }) => table_name)).toEqual([
    'customers',
    'orders',
  ])
})

test('business context is added and deleted; SQL that is refused is said at its field', async () => {
  const { user, world } = openApp(`${AI}/projects/sales`)
  await user.click(await screen.findByRole('button', { name: 'Add context' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add business context' })
  await user.click(within(dialog).getByLabelText(/^Verified question/))
  await user.type(within(dialog).getByLabelText('Question'), 'open orders')
  await user.type(within(dialog).getByLabelText(/^SQL/), 'delete from shop.orders')
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(await within(dialog).findByText('Only SELECT can be used here.')).toBeTruthy()
  await user.click(within(dialog).getByLabelText(/^Synonyms/))
  await user.clear(within(dialog).getByLabelText('Term'))
  await user.type(within(dialog).getByLabelText('Term'), 'customers')
  await user.type(within(dialog).getByLabelText('Other words, separated by commas'), 'clients, buyers')
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  const list = await screen.findByRole('list', { name: 'Business context' })
  expect(await within(list).findByText('clients, buyers')).toBeTruthy()
  expect(world.ai.contexts[0]).toMatchObject({ kind: 'synonym', project_trellis_code: 'sales', sql: null })
  await user.click(within(list).getByRole('button', { name: 'Actions for customers' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText(/^No business context yet/)).toBeTruthy()
})

test('a metric is added with its expression', async () => {
  const { user, world } = openApp(`${AI}/projects/sales`)
  await user.click(await screen.findByRole('button', { name: 'Add context' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add business context' }))
  await user.click(dialog.getByLabelText('Metric'))
  await user.type(dialog.getByLabelText('Name'), 'Net revenue')
  await user.type(dialog.getByLabelText('SQL expression'), 'sum(orders.amount)')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  const list = within(await screen.findByRole('list', { name: 'Business context' }))
  expect(await list.findByText('sum(orders.amount)')).toBeTruthy()
  expect(world.ai.contexts[0]).toMatchObject({ kind: 'metric', name: 'Net revenue', project_trellis_code: 'sales' })
})

test('a query of a worksheet that is run often is added as a verified question', async () => {
  const suggestion = {
    question: 'Open orders',
    sql: "select count(*) from shop.orders where status = 'open'",
    integration_trellis_code: 'warehouse',
    runs: 12,
    people: 2,
  }
  const { user, world } = openApp(`${AI}/projects/sales`, { ai: createAi({ suggestions: [suggestion] }) })
  const section = within(await screen.findByRole('region', { name: 'Suggested from worksheets' }))
  expect(section.getByText('Run 12 times in the last 30 days by 2 people.')).toBeTruthy()
  await user.click(section.getByRole('button', { name: 'Add Open orders as verified question' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add business context' }))
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^SQL/).value).toBe(suggestion.sql)
  const question = dialog.getByLabelText<HTMLInputElement>('Question')
  expect(question.value).toBe('Open orders')
  await user.clear(question)
  await user.type(question, 'How many orders are open?')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() =>
    expect(world.ai.contexts[0]).toMatchObject({ kind: 'verified_question', name: 'How many orders are open?' }),
  )
  expect(world.ai.contexts[0]).toMatchObject({ integration_trellis_code: 'warehouse', sql: suggestion.sql })
})

test('a viewer sees the tables and can change nothing', async () => {
  const world = createWorld()
  const accounts = world.accounts.map((account) => ({
    ...account,
    role: 'account_view' as const,
    workspaces: account.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const })),
  }))
  openApp(`${AI}/projects/sales`, { accounts, ai: createAi() })
  const box = await screen.findByLabelText<HTMLInputElement>('shop.orders')
  expect(box.disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Save tables' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Upload documents' })).toBeNull()
  expect(screen.getByRole('button', { name: 'New chat' })).toBeTruthy()
})
