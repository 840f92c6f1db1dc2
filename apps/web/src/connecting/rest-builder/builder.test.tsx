import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createIntegrations, TRIAL } from '../../testing/fake-integrations.ts'
import { openApp } from '../../testing/render-app.tsx'

const SETUP = '/northwind/growth/integrations/setup/rest'

const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

async function openBuilder(change?: Parameters<typeof createIntegrations>[0]) {
  const app = openApp(SETUP, { integrations: createIntegrations(change) })
  await app.user.click(await screen.findByRole('button', { name: 'Build the source' }))
  return { ...app, builder: within(await screen.findByRole('dialog', { name: 'Build a REST source' })) }
}

test('a source is built, tested, and its records are picked from the answer', async () => {
  const { user, builder, world } = await openBuilder()
  await user.click(builder.getByRole('button', { name: 'Test records' }))
  expect(await builder.findByText('Required field')).toBeTruthy()
  fill(builder.getByLabelText('Base URL'), 'https://api.example.com')
  await user.selectOptions(builder.getByLabelText('How'), 'Bearer token')
  expect(builder.getByLabelText<HTMLInputElement>('Label').value).toBe('Token')
  await user.click(builder.getByRole('button', { name: 'records' }))
  const name = builder.getByLabelText('Name of the stream')
  fill(name, 'orders')
  await user.click(builder.getByRole('button', { name: 'Test orders' }))
  expect(await builder.findByText('2 records')).toBeTruthy()
  expect(builder.getByText(/There is a next page/)).toBeTruthy()
  await user.click(builder.getByRole('button', { name: 'Take records from data.items' }))
  expect(builder.getByLabelText<HTMLInputElement>('Where the records stand').value).toBe('data.items')
  await user.click(builder.getByRole('tab', { name: 'Request' }))
  expect(builder.getByText(/GET https:\/\/api.example.com\/orders/)).toBeTruthy()
  await user.click(builder.getByRole('tab', { name: 'Records' }))
  expect(builder.getByRole('grid', { name: 'Records' })).toBeTruthy()
  await user.click(builder.getByRole('button', { name: 'Done' }))
  expect(await screen.findByText('1 stream: orders')).toBeTruthy()
  fill(screen.getByLabelText('Name'), 'Orders API')
  const connect = screen.getByRole<HTMLButtonElement>('button', { name: 'Connect' })
  expect(connect.disabled).toBe(true)
  fill(screen.getByLabelText('Token'), 'hush')
  expect(connect.disabled).toBe(false)
  await user.click(connect)
  expect(await screen.findByText('The connection works')).toBeTruthy()
  const createdIntegration = world.integrations.list.at(-1)
  expect(createdIntegration?.values['source']).toMatchObject({
    manifest: { base_url: 'https://api.example.com', streams: [{ name: 'orders', records: 'data.items' }] },
  })
})

test('what the server finds wrong stands at its place, also where one is not looking', async () => {
  const faults = [
    { path: 'streams[0].request.path', message: 'config.shop is not an input.' },
    { path: 'base_url', message: 'config.region is not an input.' },
  ]
  const { user, builder } = await openBuilder({ trial: { ...TRIAL, pages: [], preview: null, faults } })
  fill(builder.getByLabelText('Base URL'), 'https://api.example.com')
  await user.click(builder.getByRole('button', { name: 'Test records' }))
  expect(await builder.findByText('The source can’t run like this')).toBeTruthy()
  expect(builder.getByLabelText('Base URL').getAttribute('aria-invalid')).toBe('true')
  await user.click(builder.getByRole('button', { name: /config.shop is not an input/ }))
  expect(builder.getByLabelText('Path').getAttribute('aria-invalid')).toBe('true')
  fill(builder.getByLabelText('Path'), 'x')
  expect(builder.getByLabelText('Path').getAttribute('aria-invalid')).toBeNull()
})

test('a source that is not right yet can’t be sent', async () => {
  const { user, builder } = await openBuilder()
  fill(builder.getByLabelText('Base URL'), 'nonsense')
  await user.click(builder.getByRole('button', { name: 'Done' }))
  fill(screen.getByLabelText('Name'), 'Orders API')
  expect(screen.getByText('1 problem to fix in the builder.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Connect' }).disabled).toBe(true)
})

test('steps are taken back and done again', async () => {
  const { user, builder } = await openBuilder()
  fill(builder.getByLabelText('Base URL'), 'https://a.example.com')
  await user.selectOptions(builder.getByLabelText('How'), 'Name and password')
  expect(builder.getAllByLabelText('Label')).toHaveLength(2)
  await user.click(builder.getByRole('button', { name: 'Undo' }))
  expect(builder.queryAllByLabelText('Label')).toHaveLength(0)
  await user.click(builder.getByRole('button', { name: 'Undo' }))
  expect(builder.getByLabelText<HTMLInputElement>('Base URL').value).toBe('')
  await user.click(builder.getByRole('button', { name: 'Redo' }))
  expect(builder.getByLabelText<HTMLInputElement>('Base URL').value).toBe('https://a.example.com')
})

test('the source as JSON: what reads goes into the form, what does not is told', async () => {
  const { user, builder } = await openBuilder()
  fill(builder.getByLabelText('Base URL'), 'https://a.example.com')
  await user.click(builder.getByRole('tab', { name: 'JSON' }))
  const json = builder.getByLabelText<HTMLTextAreaElement>('Source as JSON')
  expect(JSON.parse(json.value)).toMatchObject({ base_url: 'https://a.example.com' })
  fireEvent.change(json, { target: { value: json.value.replace('a.example', 'b.example') } })
  fireEvent.change(json, { target: { value: `${json.value}]` } })
  expect(builder.getByRole('alert').textContent).toContain('This is no JSON')
  await user.click(builder.getByRole('tab', { name: 'Form' }))
  expect(builder.getByLabelText<HTMLInputElement>('Base URL').value).toBe('https://b.example.com')
})
