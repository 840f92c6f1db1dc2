import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FAKE_DATABASE, fakeExport } from '../../../testing/fake-explorer.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const SHOP = `/northwind/growth/explorer/${FAKE_DATABASE}/schema/shop`
const DETAILS = `${SHOP}/table/orders/details`
type User = ReturnType<typeof openApp>['user']

async function choose(user: User, item: string): Promise<HTMLElement> {
  const [button] = await screen.findAllByRole('button', { name: 'Actions for orders' })
  if (!button) throw new Error('no menu')
  await user.click(button)
  await user.click(await screen.findByRole('menuitem', { name: item }))
  return await screen.findByRole('dialog')
}

test('renaming leads to the new name; a name that is taken is refused at its field', async () => {
  const { user, router } = openApp(DETAILS)
  const dialog = await choose(user, 'Rename…')
  const field = within(dialog).getByLabelText('Table name')
  await user.clear(field)
  await user.type(field, 'customers')
  await user.click(within(dialog).getByRole('button', { name: 'Rename' }))
  expect(await within(dialog).findByText('There is a table with this name already.')).toBeTruthy()
  await user.clear(field)
  await user.type(field, 'sales')
  await user.click(within(dialog).getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/table/sales/preview`))
  expect(await screen.findByText('Table renamed.')).toBeTruthy()
})

test('deleting names what uses it, waits for the word and the agreement, and can be undone', async () => {
  const { user, router, world } = openApp(DETAILS)
  const dialog = await choose(user, 'Delete…')
  expect(await within(dialog).findByText(/View shop.daily_revenue/)).toBeTruthy()
  expect(within(dialog).getByText(/Dataflow block Load \(Daily\)/)).toBeTruthy()
  expect(within(dialog).getByText(/External login Power BI/)).toBeTruthy()
  expect(within(dialog).getByText(/^1 table, about .* rows/)).toBeTruthy()
  const button = within(dialog).getByRole('button', { name: 'Delete' })
  expect((button as HTMLButtonElement).disabled).toBe(true)
  await user.type(within(dialog).getByLabelText('Type delete to confirm'), 'delete')
  await user.click(button)
  expect(await within(dialog).findByText(/Other things depend on it/)).toBeTruthy()
  expect(world.explorer.tables.some((table) => table.name === 'orders')).toBe(true)
  await user.click(within(dialog).getByLabelText('Delete it all the same'))
  await user.click(button)
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/tables`))
  expect(world.explorer.tables.some((table) => table.name === 'orders')).toBe(false)
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('orders restored.')).toBeTruthy()
  expect(world.explorer.tables.some((table) => table.name === 'orders')).toBe(true)
})

test('what was deleted is listed, restored under another name, or deleted for good', async () => {
  const { user, router, world } = openApp(DETAILS)
  const deleteAgain = async () => {
    const dialog = await choose(user, 'Delete…')
    await user.click(await within(dialog).findByLabelText('Delete it all the same'))
    await user.type(within(dialog).getByLabelText('Type delete to confirm'), 'delete')
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/tables`))
  }
  await deleteAgain()
  const deletedTable = world.explorer.deletions[0]?.held[0]
  if (!deletedTable) throw new Error('nothing was deleted')
  world.explorer.tables.push({ ...deletedTable })
  await router.navigate('/northwind/growth/explorer/deleted')
  const list = await screen.findByRole('table', { name: 'Recently deleted' })
  expect(within(list).getByText('7')).toBeTruthy()
  await user.click(within(list).getByRole('button', { name: 'Restore' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Restore' }))
  expect(await within(dialog).findByText('shop.orders exists already. Choose another name.')).toBeTruthy()
  await user.clear(within(dialog).getByLabelText('Table name'))
  await user.type(within(dialog).getByLabelText('Table name'), 'orders before')
  await user.click(within(dialog).getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/table/orders%20before/preview`))

  await router.navigate(DETAILS)
  await deleteAgain()
  await router.navigate('/northwind/growth/explorer/deleted')
  const again = await screen.findByRole('table', { name: 'Recently deleted' })
  await user.click(await within(again).findByRole('button', { name: 'Actions for orders' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete for good…' }))
  await user.type(within(await screen.findByRole('dialog')).getByLabelText('Type delete to confirm'), 'delete')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Nothing deleted')).toBeTruthy()
})

test('a new schema is opened; its name is checked as the server does', async () => {
  const { user, router } = openApp(`/northwind/growth/explorer/${FAKE_DATABASE}`)
  await user.click(await screen.findByRole('button', { name: 'New schema' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(await within(dialog).findByLabelText('Schema name'), 'pg_mine')
  await user.tab()
  expect(await within(dialog).findByText(/used by the database itself/)).toBeTruthy()
  await user.clear(within(dialog).getByLabelText('Schema name'))
  await user.type(within(dialog).getByLabelText('Schema name'), 'finance')
  await user.click(within(dialog).getByRole('button', { name: 'Create schema' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/schema\/finance$/))
})

test('a new table needs columns of different names', async () => {
  const { user, router } = openApp(SHOP)
  await user.click(await screen.findByRole('button', { name: 'New table' }))
  const dialog = await screen.findByRole('dialog')
  await user.type(await within(dialog).findByLabelText('Table name'), 'refunds')
  await user.type(within(dialog).getByLabelText('Name of column 2'), 'id')
  await user.click(within(dialog).getByRole('button', { name: 'Create table' }))
  expect(await within(dialog).findByText('There are two columns called “id”.')).toBeTruthy()
  await user.clear(within(dialog).getByLabelText('Name of column 2'))
  await user.type(within(dialog).getByLabelText('Name of column 2'), 'reason')
  await user.click(within(dialog).getByRole('button', { name: 'Create table' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`${SHOP}/table/refunds/details`))
})

test('labels are made, put on a table and shown there', async () => {
  const { user } = openApp(DETAILS)
  const dialog = await choose(user, 'Labels…')
  expect(((await within(dialog).findByLabelText('Gold')) as HTMLInputElement).checked).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'New label' }))
  await user.type(within(dialog).getByLabelText('Label name'), 'Frozen')
  await user.click(within(dialog).getByLabelText('teal'))
  await user.click(within(dialog).getByRole('button', { name: 'Create label' }))
  await waitFor(() => expect((within(dialog).getByLabelText('Frozen') as HTMLInputElement).checked).toBe(true))
  await user.click(within(dialog).getByRole('button', { name: 'Save labels' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Frozen')).toBeTruthy()
})

test('an export tells how far it is and hands over the file', async () => {
  const { user, world } = openApp(DETAILS)
  world.explorer.exportAnswers = [{ rows_written: 500 }, { status: 'completed', rows_written: 1200, size_bytes: 4096 }]
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog')
  await user.selectOptions(await within(dialog).findByLabelText('Format'), 'Parquet')
  await user.click(within(dialog).getByRole('button', { name: 'Start export' }))
  expect(await within(dialog).findByText('500 rows written so far')).toBeTruthy()
  expect(await within(dialog).findByRole('button', { name: 'Download orders.parquet' })).toBeTruthy()
  expect(world.explorer.exports[0]).toMatchObject({ table_name: 'orders', format: 'parquet' })
})

test('exports are listed and can be cancelled', async () => {
  const { user, world } = openApp('/northwind/growth/explorer/home')
  world.explorer.exports = [fakeExport()]
  await user.click(await screen.findByRole('button', { name: 'Exports' }))
  const panel = await screen.findByRole('dialog', { name: 'Exports' })
  await user.click(await within(panel).findByRole('button', { name: 'Cancel' }))
  expect(await within(panel).findByText('Cancelled')).toBeTruthy()
})
