import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FAKE_DATABASE } from '../../../testing/fake-explorer.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

giveSize()

const ORDERS = `/northwind/growth/explorer/${FAKE_DATABASE}/schema/shop/table/orders/preview`
const grid = async () => {
  await screen.findByRole('button', { name: /amount/ })
  return screen.getByRole('grid', { name: 'Rows of orders' })
}
const formatRow = (row: HTMLElement | undefined) =>
  within(row ?? document.body)
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
const dataRows = (box: HTMLElement) => within(box).getAllByRole('row').slice(1)

test('rows are shown as far as they are in sight, NULL apart from text, with an estimate', async () => {
  openApp(ORDERS)
  const box = await grid()
  const rows = dataRows(box)
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.length).toBeLessThan(60)
  expect(formatRow(rows[4])).toContain('NULL')
  expect(screen.getByText('about 1.2 M rows, 100 loaded')).toBeTruthy()
})

test('a header sorts on the server, up, down and back', async () => {
  const { user, router } = openApp(ORDERS)
  const box = await grid()
  await user.click(within(box).getByRole('button', { name: /amount/ }))
  const header = () => within(box).getByRole('columnheader', { name: /amount/ })
  await waitFor(() => expect(header().getAttribute('aria-sort')).toBe('ascending'))
  await user.click(within(box).getByRole('button', { name: /amount/ }))
  await waitFor(() => expect(router.state.location.search).toBe('?sort=amount&dir=desc'))
  await waitFor(() => expect(Number(formatRow(dataRows(box)[0])[3])).toBeGreaterThan(400))
  await user.click(within(box).getByRole('button', { name: /amount/ }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

test('a filter narrows the rows, can be changed and taken away', async () => {
  const { user, router } = openApp(ORDERS)
  await grid()
  await user.click(screen.getByRole('button', { name: 'Add filter' }))
  const form = await screen.findByRole('form', { name: 'New filter' })
  await user.selectOptions(within(form).getByLabelText('Column'), 'status')
  await user.selectOptions(within(form).getByLabelText('Condition'), 'is')
  await user.type(within(form).getByLabelText('Value'), 'open')
  await user.click(within(form).getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText('86 rows')).toBeTruthy()
  expect(router.state.location.search).toContain('filters=')
  await user.click(screen.getByRole('button', { name: 'Remove filter status is open' }))
  expect(await screen.findByText('about 1.2 M rows, 100 loaded')).toBeTruthy()
})

test('filters that match nothing say so and can be cleared there', async () => {
  const filters = JSON.stringify([{ column: 'status', operator: 'eq', value: 'lost' }])
  const { user } = openApp(`${ORDERS}?filters=${encodeURIComponent(filters)}`)
  expect(await screen.findByText('No row matches these filters.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('about 1.2 M rows, 100 loaded')).toBeTruthy()
})

test('a value that does not fit its column is said at the filter, and the rows stay', async () => {
  const { user } = openApp(ORDERS)
  await grid()
  await user.click(screen.getByRole('button', { name: 'Add filter' }))
  const form = await screen.findByRole('form', { name: 'New filter' })
  await user.selectOptions(within(form).getByLabelText('Column'), 'amount')
  await user.type(within(form).getByLabelText('Value'), 'many')
  await user.click(within(form).getByRole('button', { name: 'Apply' }))
  expect((await screen.findByRole('alert')).textContent).toContain('"many" does not fit the column "amount"')
  expect(dataRows(screen.getByRole('grid')).length).toBeGreaterThan(5)
  expect(screen.queryByText('The rows could not be loaded')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Remove filter amount is many' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(await screen.findByText('about 1.2 M rows, 100 loaded')).toBeTruthy()
})

test('rows are counted only when asked for', async () => {
  const { user } = openApp(ORDERS)
  await grid()
  await user.click(screen.getByRole('button', { name: 'Count exactly' }))
  expect(await screen.findByText('260 rows, 100 loaded')).toBeTruthy()
})

test('keys walk through the cells, Enter opens one, Ctrl-C copies a range', async () => {
  const { user } = openApp(ORDERS)
  const box = await grid()
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  box.focus()
  await user.keyboard('{ArrowRight}{Shift>}{ArrowRight}{ArrowDown}{/Shift}{Control>}c{/Control}')
  expect(written).toHaveBeenLastCalledWith('customer\tstatus\nAdler\tpaid\nBaptiste\tshipped')
  await user.keyboard('{End}{Home}{End}{ArrowUp}{Enter}')
  const panel = await screen.findByRole('dialog', { name: 'extra' })
  expect(within(panel).getByLabelText('Value').textContent).toContain('"channel": "web",\n')
})

test('rows that can not be loaded can be asked for again', async () => {
  const { user, world } = openApp(ORDERS, { broken: new Set(['previewTable']) })
  expect(await screen.findByText('The rows could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await grid()).toBeTruthy()
})
