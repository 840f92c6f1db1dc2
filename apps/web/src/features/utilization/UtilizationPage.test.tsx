import { screen, waitFor, within } from '@testing-library/react'
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

test('shows what the workspace uses over time, by schema, table, person and project', async () => {
  openApp(PATH)
  for (const title of ['Storage', 'Rows moved by dataflows', 'Run time of dataflows', 'Queries', 'Credits'])
    expect(await screen.findByRole('img', { name: new RegExp(`^${title}\\. From `) })).toBeTruthy()
  expect(screen.getByText(/It grows by 1\.0 GB a day and would be full on 2027-01-04\./)).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Use by person' })).getByText('435 queries, 60 credits')).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Credits by AI project' })).getByText('Sales')).toBeTruthy()
  expect(within(screen.getByRole('list', { name: 'Storage by schema' })).getByText('69 MB')).toBeTruthy()
  const tables = screen.getByRole('table', { name: 'Storage by table' })
  expect(within(tables).getByText('+20 MB')).toBeTruthy()
  expect(within(tables).getByText('data: all smaller tables')).toBeTruthy()
})

test('a workspace that was not measured yet says when it will be', async () => {
  const { utilization } = createBilling()
  openApp(PATH, { billing: createBilling({ utilization: { ...utilization, points: [] } }) })
  expect(await screen.findByRole('heading', { name: 'Not measured yet' })).toBeTruthy()
})

test('the first day has its charts', async () => {
  openApp(PATH, { billing: createBilling({ usageDays: createBilling().usageDays.slice(-1) }) })
  const storage = await screen.findByRole('img', { name: /^Database storage\. From / })
  expect(storage.querySelectorAll('path')[1]?.getAttribute('d')).toMatch(/^M0 \S+ L600 /)
  const credits = screen.getByRole('img', { name: /^Credits spent\. From / })
  const bars = [...credits.querySelectorAll('rect')]
  expect(bars.map((bar) => [bar.getAttribute('x'), bar.getAttribute('width')])).toEqual([['272', '56']])
  expect(credits.parentElement?.nextElementSibling?.children, 'its one day is named once').toHaveLength(1)
})

test('without days there are the bars alone', async () => {
  openApp(PATH, { billing: createBilling({ usageDays: [] }) })
  expect(await screen.findByRole('heading', { name: 'No usage over time yet' })).toBeTruthy()
  expect(await screen.findByRole('progressbar', { name: 'Database storage' })).toBeTruthy()
})

test('each part can fail and be asked for again', async () => {
  const { user, world } = openApp(PATH, { broken: new Set(['listUsageDays', 'getUsage', 'getWorkspaceUtilization']) })
  expect(await screen.findByRole('heading', { name: 'The use of this workspace could not be loaded' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'The usage over time could not be loaded' })).toBeTruthy()
  expect(await screen.findByRole('heading', { name: 'Could not load utilization details.' })).toBeTruthy()
  world.broken.clear()
  for (const button of screen.getAllByRole('button', { name: 'Retry' })) await user.click(button)
  expect(await screen.findByRole('img', { name: /^Credits spent/ })).toBeTruthy()
  expect(await screen.findByRole('img', { name: /^Queries\. / })).toBeTruthy()
  expect(await screen.findByRole('progressbar', { name: 'User seats' })).toBeTruthy()
})
