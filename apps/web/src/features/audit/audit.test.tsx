import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { auditTrail, createCompany } from '../../testing/fake-company.ts'
import { openApp } from '../../testing/render-app.tsx'

const AUDIT = '/northwind/settings?tab=audit'
const count = () => screen.getAllByRole('row').length - 1

test('the newest lines come first and older ones on demand, to the very first', async () => {
  const { user } = openApp(AUDIT, { company: createCompany({ audit: auditTrail(120) }) })
  await screen.findByRole('table', { name: 'Audit log' })
  expect(count()).toBe(50)
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(count()).toBe(100))
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(count()).toBe(120))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('filters stand in the address and narrow the list', async () => {
  const { user, router } = openApp(AUDIT)
  await screen.findByRole('table', { name: 'Audit log' })
  await user.selectOptions(screen.getByLabelText('Outcome'), 'Refused')
  await waitFor(() => expect(count()).toBe(2))
  expect(router.state.location.search).toBe('?tab=audit&outcome=refused')
  await user.selectOptions(screen.getByLabelText('Action'), 'Workspace created')
  await user.type(screen.getByLabelText('Search by person or action'), 'nobody')
  expect(await screen.findByText('No entry matches these filters.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(router.state.location.search).toBe('?tab=audit')
  await screen.findByRole('table', { name: 'Audit log' })
  expect(count()).toBe(12)
})

test('a line opens with everything known about it', async () => {
  const { user } = openApp(AUDIT)
  const table = await screen.findByRole('table', { name: 'Audit log' })
  const first = within(table).getAllByRole('row')[1]
  if (!first) throw new Error('no row')
  await user.click(first)
  const panel = await screen.findByRole('dialog', { name: 'Workspace created' })
  expect(panel.textContent).toContain('ada@example.com')
  expect(panel.textContent).toContain('203.0.113.7')
  expect(panel.textContent).toContain('"name": "Growth"')
  await user.click(within(panel).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('an empty trail and a failure are told apart', async () => {
  const { user, world } = openApp(AUDIT, { company: createCompany({ audit: [] }), broken: new Set(['listAudit']) })
  expect(await screen.findByText('The audit log could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'Nothing yet' })).toBeTruthy()
})
