import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createDataflows, fakeDataflow } from '../../../testing/dataflows/fake-dataflows.ts'
import { account } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

const HOME = '/northwind/growth/dataflows'
const nothing = () => ({ ...createDataflows(), folders: [], list: [], blocks: [] })
const viewer = () => {
  const northwind = account('Northwind', ['Growth'], { role: 'account_view' })
  return [
    {
      ...northwind,
      workspaces: northwind.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const })),
    },
  ]
}
const rows = () =>
  within(screen.getByRole('table', { name: 'Dataflows' }))
    .getAllByRole('row')
    .slice(1)

test('dataflows are listed with folder, state and runs, searched and filtered', async () => {
  const { user } = openApp(HOME)
  await screen.findByRole('table', { name: 'Dataflows' })
  expect(rows()).toHaveLength(4)
  expect(screen.getByText('Marketing / Advertising · 12 blocks')).toBeTruthy()
  expect(screen.getAllByRole('img', { name: /^Last 14 days: \d+ succeeded, \d+ failed$/ })).toHaveLength(3)
  await user.selectOptions(screen.getByLabelText('Show'), 'Failing')
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(rows()[0]?.textContent).toContain('Revenue and ROAS')
  await user.selectOptions(screen.getByLabelText('Show'), 'All')
  await user.type(screen.getByLabelText('Search dataflows'), 'marketing')
  await waitFor(() => expect(rows()).toHaveLength(2))
})

test('what was never published is not said to wait, nor counted as running', async () => {
  const dataflows = createDataflows()
  dataflows.list = [
    fakeDataflow('d-new', 'Stock levels', { status: 'PENDING', is_live: false, has_unpublished: true }),
    fakeDataflow('d-live', 'Orders', { status: 'PENDING' }),
  ]
  const { user } = openApp(HOME, { dataflows })
  await screen.findByRole('table', { name: 'Dataflows' })
  expect(rows().map(({ textContent }) => /Ready to publish|Waiting/.exec(textContent)?.[0])).toEqual([
    'Waiting',
    'Ready to publish',
  ])
  await user.selectOptions(screen.getByLabelText('Show'), 'Running')
  await waitFor(() => expect(rows()).toHaveLength(1))
})

test('a folder shows what is in it and below it', async () => {
  const { user, router } = openApp(HOME)
  await user.click(await screen.findByRole('link', { name: /^Marketing/ }))
  await screen.findByRole('heading', { name: 'Marketing', level: 1 })
  expect(router.state.location.search).toBe('?folder=f-marketing')
  expect(rows()).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Fold Marketing' }))
  expect(screen.queryByRole('link', { name: /^Advertising/ })).toBeNull()
})

test('with nothing there it says what a dataflow is, and makes the first', async () => {
  const { user, world, router } = openApp(HOME, { dataflows: nothing() })
  await screen.findByRole('heading', { name: 'No dataflows yet' })
  await user.click(screen.getByRole('button', { name: 'Create dataflow' }))
  await user.type(await screen.findByLabelText('Name'), 'Orders')
  await user.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/\/dataflow\/d-new-0\/editor$/))
  expect(world.dataflows.list[0]?.name).toBe('Orders')
})

test('one is moved by a dialog, and a folder not into itself', async () => {
  const { user, world } = openApp(HOME)
  await user.click(await screen.findByRole('button', { name: 'Actions for Stock levels' }))
  await user.click(screen.getByRole('menuitem', { name: 'Move to…' }))
  await user.click(await screen.findByLabelText('Marketing / Advertising'))
  await user.click(screen.getByRole('button', { name: 'Move' }))
  await screen.findByText('Moved to Marketing / Advertising.')
  expect(world.dataflows.list.find(({ name }) => name === 'Stock levels')?.folder_trellis_code).toBe('f-ads')
  await user.click(screen.getByRole('button', { name: 'Actions for the folder Marketing' }))
  await user.click(screen.getByRole('menuitem', { name: 'Move to…' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Marketing / Advertising')).disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Finance').disabled).toBe(false)
})

test('deleting asks for the word, and can be taken back', async () => {
  const { user, world } = openApp(HOME)
  const isDeleted = () => world.dataflows.list.find(({ name }) => name === 'Stock levels')?.isDeleted
  await user.click(await screen.findByRole('button', { name: 'Actions for Stock levels' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete…' }))
  const confirm = within(await screen.findByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Delete' })
  expect(confirm.disabled).toBe(true)
  await user.type(screen.getByLabelText('Type delete to confirm'), 'delete')
  await user.click(confirm)
  await waitFor(() => expect(isDeleted()).toBe(true))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(isDeleted()).toBe(false))
})

test('YAML is tried before it is imported; problems are told by line', async () => {
  const importProblems = [{ line: 3, message: 'A block needs a kind.' }]
  const { user, world, router } = openApp(HOME, { dataflows: { ...createDataflows(), importProblems } })
  await user.click(await screen.findByRole('button', { name: 'Import from YAML' }))
  await user.type(await screen.findByLabelText('YAML'), 'name: From a file')
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: 'Import' })
  await user.click(screen.getByRole('button', { name: 'Check' }))
  await screen.findByText('A block needs a kind.')
  expect(screen.getByText('Line 3:')).toBeTruthy()
  expect(submit.disabled).toBe(true)
  world.dataflows.importProblems = []
  await user.type(screen.getByLabelText('YAML'), ' again')
  await user.click(screen.getByRole('button', { name: 'Check' }))
  await screen.findByText('The dataflow From a file again')
  expect(world.dataflows.list.some(({ name }) => name.startsWith('From'))).toBe(false)
  await user.click(submit)
  await waitFor(() => expect(router.state.location.pathname).toMatch(/\/dataflow\/d-imported-4\/editor$/))
})

test('who may only look is offered nothing to change', async () => {
  const { user } = openApp(HOME, { accounts: viewer() })
  await screen.findByRole('table', { name: 'Dataflows' })
  expect(screen.queryByRole('button', { name: 'Create dataflow' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Create a folder' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Actions for Stock levels' }))
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Open',
    'Runs',
    'Start by webhook…',
    'Export as YAML',
  ])
})
