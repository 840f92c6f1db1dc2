import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createBilling } from '../../testing/fake-billing.ts'
import { openApp } from '../../testing/render-app.tsx'

const PATH = '/northwind/growth/utilization'

test('shows what is used now and over the last 30 days', async () => {
  openApp(PATH)
  expect(await screen.findByRole('progressbar', { name: 'Monthly prompt credits' })).toBeTruthy()
  const chart = await screen.findByRole('img', { name: /^Credits spent\. From / })
  expect(chart.querySelectorAll('rect')).toHaveLength(30)
  for (const title of ['Database storage', 'User seats', 'Workspaces'])
    expect(screen.getByRole('img', { name: new RegExp(`^${title}\\. From `) })).toBeTruthy()
})

test('another period stands in the address', async () => {
  const { user, router } = openApp(PATH)
  await screen.findByRole('img', { name: /^Credits spent/ })
  await user.click(screen.getByRole('button', { name: '7 days' }))
  expect(router.state.location.search).toBe('?days=7')
  await waitFor(() =>
    expect(screen.getByRole('img', { name: /^Credits spent/ }).querySelectorAll('rect')).toHaveLength(7),
  )
  expect(screen.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed')).toBe('true')
})

test('without days there are the bars alone', async () => {
  openApp(PATH, { billing: createBilling({ usageDays: [] }) })
  expect(await screen.findByRole('heading', { name: 'Nothing to draw yet' })).toBeTruthy()
  expect(await screen.findByRole('progressbar', { name: 'Database storage' })).toBeTruthy()
})

test('either half can fail and be asked for again', async () => {
  const { user, world } = openApp(PATH, { broken: new Set(['listUsageDays', 'getUsage']) })
  expect(await screen.findByRole('heading', { name: 'The use over time could not be loaded' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Could not load utilization details.' })).toBeTruthy()
  world.broken.clear()
  for (const button of screen.getAllByRole('button', { name: 'Retry' })) await user.click(button)
  expect(await screen.findByRole('img', { name: /^Credits spent/ })).toBeTruthy()
  expect(await screen.findByRole('progressbar', { name: 'User seats' })).toBeTruthy()
})
