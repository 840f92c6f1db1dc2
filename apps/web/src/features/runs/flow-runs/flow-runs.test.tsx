import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tellRun } from '../../../testing/dataflows/fake-run-handlers.ts'
import { createRuns, fakeLog, fakeRun } from '../../../testing/dataflows/fake-runs.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'

const RUNS = '/northwind/growth/dataflow/d-revenue/editor/logs'

giveSize()

function runsWithPass() {
  const runs = createRuns()
  const pass = { flow_run_trellis_code: 'pass', because: 'It was due Monday, 08:00 UTC.' }
  const problem = { kind: 'configuration' as const, message: 'No such column.', advice: null, subtask: null }
  runs.list = [
    fakeRun('p-orders', { ...pass }),
    fakeRun('p-clean', { ...pass, task_block_trellis_code: 'b-clean', block_name: 'Clean orders' }),
    fakeRun('p-roas', {
      ...pass,
      task_block_trellis_code: 'b-roas',
      block_name: 'Daily revenue and ROAS',
      status: 'FAILED',
      problem,
    }),
    fakeRun('old'),
  ]
  runs.logs = { 'p-orders': fakeLog(3), 'p-roas': fakeLog(2) }
  return runs
}

test('the runs of a dataflow are runs of the whole flow, with their blocks; one opens to its page', async () => {
  const { user, router } = openApp(RUNS, { runs: runsWithPass() })
  const table = within(await screen.findByRole('table', { name: 'Flow runs' }))
  expect(table.getAllByRole('row')).toHaveLength(3)
  const row = table.getAllByRole('row')[1] as HTMLElement
  expect(within(row).getByText('Failed')).toBeTruthy()
  expect(within(row).getByText('2 of 3 blocks')).toBeTruthy()
  expect(within(row).getByLabelText('Daily revenue and ROAS: Failed')).toBeTruthy()
  await user.click(row)
  expect(await screen.findByRole('heading', { name: 'Revenue' })).toBeTruthy()
  expect(router.state.location.pathname).toBe(`${RUNS}/pass`)
})

test('the filter is kept in the address', async () => {
  const { user, router } = openApp(RUNS, { runs: runsWithPass() })
  await screen.findByRole('table', { name: 'Flow runs' })
  await user.selectOptions(screen.getByLabelText('Status'), 'failed')
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect(router.state.location.search).toBe('?state=failed')
  await user.selectOptions(screen.getByLabelText('Triggered by'), 'api')
  expect(await screen.findByText('No run fits the filter')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
  expect(router.state.location.search).toBe('')
})

test('a run of the flow shows its blocks, one log of all of them, and is retried', async () => {
  const { user, world } = openApp(`${RUNS}/pass`, { runs: runsWithPass() })
  const table = within(await screen.findByRole('table', { name: 'Block runs' }))
  expect(table.getAllByRole('row')).toHaveLength(4)
  expect(table.getByRole('link', { name: 'Clean orders' }).getAttribute('href')).toContain('/task/b-clean/log/p-clean/')
  const lines = within(await screen.findByRole('group', { name: 'Lines of the log' }))
  expect(lines.getAllByText('Shop orders').length).toBeGreaterThan(0)
  expect(lines.getAllByText('Daily revenue and ROAS').length).toBeGreaterThan(0)
  expect(screen.queryByText(/slower than usual/)).toBeNull()
  const banner = within(screen.getByRole('alert'))
  expect(banner.getByText('Daily revenue and ROAS: The settings have to be changed')).toBeTruthy()
  expect(banner.getByText('No such column.')).toBeTruthy()
  expect(banner.getByRole('link', { name: 'Open the settings' }).getAttribute('href')).toContain('b-roas')
  await user.click(screen.getByRole('button', { name: 'Retry failed blocks' }))
  expect(await screen.findByText('The blocks that did not succeed run again.')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy())
  expect(world.runs.list.find((run) => run.task_run_trellis_code === 'p-roas')?.status).toBe('QUEUED')
  await waitFor(() => expect(screen.queryByText('No such column.')).toBeNull())
})

test('lines of a retry that begins and ends between two looks are read all the same', async () => {
  const { world } = openApp(`${RUNS}/pass`, { runs: runsWithPass() })
  const lines = within(await screen.findByRole('group', { name: 'Lines of the log' }))
  await waitFor(() => expect(world.runs.listeners.size).toBeGreaterThan(0))
  const [failed] = world.runs.list.filter((run) => run.task_run_trellis_code === 'p-roas')
  world.runs.list.push(
    fakeRun('p-again', { ...failed, task_run_trellis_code: 'p-again', status: 'SUCCESS', problem: null }),
  )
  world.runs.logs['p-again'] = fakeLog(1).map((line) => ({ ...line, message: 'The second attempt went well.' }))
  expect(lines.queryByText('The second attempt went well.')).toBeNull()
  act(() => tellRun(world, 'p-again', {}))
  expect(await lines.findByText('The second attempt went well.', {}, { timeout: 8000 })).toBeTruthy()
  expect(screen.getByText(/ · complete$/)).toBeTruthy()
})

test('it is stopped after a question, and changes while it is looked at', async () => {
  const runs = runsWithPass()
  const open = { status: 'RUNNING' as const, finished_at: null, problem: null }
  Object.assign(runs.list.find((run) => run.task_run_trellis_code === 'p-roas') ?? {}, open)
  const { user, world } = openApp(`${RUNS}/pass`, { runs })
  const summary = within(await screen.findByLabelText('Summary'))
  expect(summary.getByText('2 of 3 blocks')).toBeTruthy()
  const bars = [...screen.getByRole('table', { name: 'Block runs' }).querySelectorAll<HTMLElement>('i[data-tone]')]
  // Rendered twice: beside the block, and below it for phones.
  expect(bars.map((bar) => bar.dataset['open'] ?? '')).toEqual(['', '', '', '', 'true', 'true'])
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Stop the run' }))
  const retry = await screen.findByRole('button', { name: 'Retry' })
  await waitFor(() => expect(document.activeElement).toBe(retry))
  await waitFor(() => expect(world.runs.listeners.size).toBeGreaterThan(0))
  act(() => tellRun(world, 'p-roas', { status: 'SUCCESS', problem: null, finished_at: new Date().toISOString() }))
  expect(await screen.findByText('2.1× slower than usual', {}, { timeout: 4000 })).toBeTruthy()
  expect(summary.getByText('3 blocks')).toBeTruthy()
})

test('after a decision the keyboard is still on the page, though the question is gone', async () => {
  const runs = createRuns()
  const asked = runs.list.find((run) => run.task_run_trellis_code === 'r-columns')
  runs.list = [fakeRun('p-columns', { ...asked, task_run_trellis_code: 'p-columns', flow_run_trellis_code: 'pass' })]
  const { user } = openApp(`${RUNS}/pass`, { runs })
  await user.click(await screen.findByRole('button', { name: 'Accept and continue' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept and continue' })).toBeNull())
  await waitFor(() => expect(document.activeElement).not.toBe(document.body))
})

test('who comes after the decision sees who decided, and how', async () => {
  const runs = createRuns()
  const asked = runs.list.find((run) => run.task_run_trellis_code === 'r-columns')
  const run = { ...asked, waiting_for: null, flow_run_trellis_code: 'pass' }
  const decided = fakeRun('p-columns', { ...run, problem: structuredClone(asked?.problem ?? null) })
  const { question } = decided.problem ?? {}
  if (question) question.decision = { choice: 'keep', who: 'Grace Hopper', at: '2026-11-15T06:00:00.000Z' }
  runs.list = [decided, fakeRun('p-retry', { ...run, status: 'SUCCESS', problem: null })]
  openApp(`${RUNS}/pass`, { runs })
  expect(await screen.findByText(/Grace Hopper kept the table as it is/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept and continue' })).toBeNull()
})

test('a run that is not there is said, with a way back', async () => {
  openApp(`${RUNS}/nothing`)
  expect(await screen.findByRole('link', { name: 'All runs of the dataflow' })).toBeTruthy()
})
