import type { RunUndo, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { tellRun } from '../../testing/dataflows/fake-run-handlers.ts'
import { createRuns, fakeLog, NO_COUNTERS } from '../../testing/dataflows/fake-runs.ts'
import { account } from '../../testing/fake-world.ts'
import { giveSize } from '../../testing/give-size.ts'
import { openApp } from '../../testing/render-app.tsx'

const FLOW = '/northwind/growth/dataflow/d-revenue/editor/logs'
const RUNS = `${FLOW}?view=list`
const BLOCK = '/northwind/growth/dataflow/d-revenue/editor/task'

giveSize()

function runsWith(code: string, change: Partial<TaskRunDetails>) {
  const runs = createRuns()
  Object.assign(runs.list.find((run) => run.task_run_trellis_code === code) ?? {}, change)
  return runs
}

const panel = () => within(screen.getByRole('dialog'))

async function pressRun(user: ReturnType<typeof openApp>['user']) {
  const run = await screen.findByRole<HTMLButtonElement>('button', { name: 'Run' })
  // Disabled until the blocks have loaded.
  await waitFor(() => expect(run.disabled).toBe(false))
  await user.click(run)
}

test('runs are listed, filtered in the address and paged', async () => {
  const { user, router } = openApp(RUNS)
  const table = within(await screen.findByRole('table', { name: 'Runs' }))
  expect(table.getAllByRole('row')).toHaveLength(11)
  await user.click(screen.getByRole('button', { name: 'Older' }))
  expect(router.state.location.search).toContain('page=2')
  await user.selectOptions(screen.getByLabelText('Status'), 'FAILED')
  await waitFor(() => expect(screen.getAllByText('Failed')).toHaveLength(2))
  expect(screen.getByText('Needs a decision')).toBeTruthy()
  expect(router.state.location.search).toBe('?view=list&status=FAILED')
  await user.selectOptions(screen.getByLabelText('Started by'), 'api')
  expect(await screen.findByText('No run fits the filter')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
  expect(router.state.location.search).toBe('?view=list')
})

test('a list changes while it is looked at', async () => {
  const { world } = openApp(RUNS)
  const table = within(await screen.findByRole('table', { name: 'Runs' }))
  expect(table.getByText('Running')).toBeTruthy()
  expect(await screen.findByText('Live')).toBeTruthy()
  act(() => tellRun(world, 'r-spend', { status: 'SUCCESS', finished_at: new Date().toISOString() }))
  await waitFor(() => expect(table.queryByText('Running')).toBeNull())
})

test('a run that ends while its details are on the way is shown as ended', async () => {
  const { world } = openApp(`${RUNS}&run=r-spend`)
  const connected = globalThis.fetch
  const late = Promise.withResolvers<undefined>()
  let isHeld = false
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const answer = await connected(input, init)
    if (!isHeld && input.includes('r-spend')) {
      isHeld = true
      await late.promise
    }
    return answer
  })
  await waitFor(() => expect(isHeld).toBe(true))
  await waitFor(() => expect(world.runs.listeners.size).toBeGreaterThan(0))
  act(() => tellRun(world, 'r-spend', { status: 'SUCCESS', finished_at: new Date().toISOString() }))
  const table = within(screen.getByRole('table', { name: 'Runs' }))
  await waitFor(() => expect(table.queryByText('Running')).toBeNull())
  late.resolve(undefined)
  expect(await within(await screen.findByRole('dialog')).findByText('Succeeded')).toBeTruthy()
})

test('a failed run says why and can be run again', async () => {
  const { user, world } = openApp(`${RUNS}&run=r-roas`)
  expect(await screen.findByText('The column order_total does not exist.')).toBeTruthy()
  expect(panel().getByText('Change the SQL of the block, publish it, and retry.')).toBeTruthy()
  expect(panel().getByText('No such column.')).toBeTruthy()
  expect(panel().getByText('Version 2 of the block')).toBeTruthy()
  expect(panel().getByRole('button', { name: 'Shop orders' })).toBeTruthy()
  expect(panel().getByRole('link', { name: 'Open the settings' }).getAttribute('href')).toBe(`${BLOCK}/b-roas/setup`)
  await user.click(panel().getByRole('button', { name: 'Retry from this block' }))
  expect(await panel().findByText('Queued')).toBeTruthy()
  expect(world.runs.list[0]).toMatchObject({ started_by: 'retry', task_block_trellis_code: 'b-roas' })
})

test('a run shows its proof; undoing says what will happen first', async () => {
  const { user, world } = openApp(`${RUNS}&run=r-orders`)
  expect(await screen.findByText(/Complete: 48,207 rows at the source/)).toBeTruthy()
  expect(within(screen.getByLabelText('Counters')).getByText('38,100')).toBeTruthy()
  await user.click(panel().getByRole('button', { name: 'Roll back this run' }))
  const ask = within(screen.getByRole('dialog', { name: 'Roll back this run?' }))
  expect(ask.getByText(/48,207 rows rolled back/)).toBeTruthy()
  expect(world.runs.list.find((run) => run.task_run_trellis_code === 'r-orders')?.receipts[0]?.undone_at).toBeNull()
})

const orders = (world: { runs: { list: TaskRunDetails[] } }) =>
  world.runs.list.find((run) => run.task_run_trellis_code === 'r-orders') as TaskRunDetails

async function takeBack() {
  const opened = openApp(`${RUNS}&run=r-orders`)
  expect(await screen.findByText('Live')).toBeTruthy()
  await opened.user.click(await screen.findByRole('button', { name: 'Roll back this run' }))
  await opened.user.click(screen.getByRole('button', { name: 'Roll back' }))
  expect(await screen.findByText('Rolling back')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Roll back this run?' })).toBeNull())
  return opened
}

test('a run that is being rolled back says so until it is done, live', async () => {
  const { world } = await takeBack()
  expect(panel().getByText(/Ada Lovelace, since/).textContent).toContain('1 table')
  expect(panel().getByRole('button', { name: 'Roll back this run' }).getAttribute('aria-disabled')).toBe('true')
  const undo = orders(world).undo as RunUndo
  act(() => tellRun(world, 'r-orders', { undo: { ...undo, table: 'shop.orders' } }))
  expect(await screen.findByText(/Table 1 of 1: shop.orders/)).toBeTruthy()
  const receipts = orders(world).receipts.map((receipt) => ({ ...receipt, can_undo: false, undone_at: undo.since }))
  act(() => tellRun(world, 'r-orders', { receipts, undo: { ...undo, status: 'completed', finished_at: undo.since } }))
  expect(await screen.findByText('The run was rolled back.')).toBeTruthy()
  expect(await screen.findByText('Rolled back')).toBeTruthy()
  expect(screen.queryByText('Rolling back')).toBeNull()
})

test('a run that could not be rolled back says why and is tried again', async () => {
  const { user, world } = await takeBack()
  const undo = orders(world).undo as RunUndo
  const problem = 'Views use this table by now. Remove them first.'
  act(() => tellRun(world, 'r-orders', { undo: { ...undo, status: 'failed', problem } }))
  expect(await screen.findByText(problem)).toBeTruthy()
  await user.click(panel().getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Rolling back')).toBeTruthy()
})

test('a run can be stopped, and changed columns accepted', async () => {
  const { user, world, router } = openApp(`${RUNS}&run=r-spend`)
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Stop the run' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Stop this run?' })).toBeNull())
  expect(world.runs.list.find((run) => run.task_run_trellis_code === 'r-spend')?.problem?.kind).toBe('cancelled')
  await act(() => router.navigate(`${RUNS}&run=r-columns`))
  expect((await screen.findByRole('list', { name: 'Changed columns' })).textContent).toContain('discount is left out')
  await user.click(screen.getByRole('button', { name: 'Accept and continue' }))
  expect(await screen.findByText('The run continues from where it paused.')).toBeTruthy()
  await act(() => router.navigate(`${RUNS}&run=r-columns`))
  expect(await screen.findByText(/Ada Lovelace accepted the changes/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept and continue' })).toBeNull()
})

test('a decision that came too late says so, and not that the run stands still', async () => {
  const { user, world } = openApp(`${RUNS}&run=r-columns`)
  const accept = await screen.findByRole('button', { name: 'Accept and continue' })
  const question = world.runs.list.find((run) => run.task_run_trellis_code === 'r-columns')?.problem?.question
  if (question) question.decision = { choice: 'keep', who: 'Grace Hopper', at: new Date().toISOString() }
  await user.click(accept)
  const told = 'Your decision was not saved. Somebody has decided on these changes already.'
  expect(await screen.findByText(told)).toBeTruthy()
})

test('a column that a view holds names the view, and accepting means to look again', async () => {
  const held = { column: 'amount', in_words: 'The view data.totals uses amount. Drop the view first.' }
  const changes = [{ id: 'widen:amount:decimal', in_words: 'amount becomes decimal.', if_kept: 'It stays.', held }]
  const problem = {
    kind: 'schema_changed' as const,
    message: 'amount becomes decimal.',
    advice: null,
    subtask: 'Orders',
    question: { changes, can_keep: true, decision: null },
  }
  openApp(`${RUNS}&run=r-columns`, { runs: runsWith('r-columns', { problem }) })
  const list = await screen.findByRole('list', { name: 'Changed columns' })
  expect(list.textContent).toContain('The view data.totals uses amount.')
  expect(screen.queryByRole('button', { name: 'Accept and continue' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Check again and accept' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Keep the table and continue' })).toBeTruthy()
})

test('a dry run shows what would be different, and offers nothing that would write', async () => {
  openApp(`${RUNS}&run=r-orders`, { runs: runsWith('r-orders', { is_shadow: true, receipts: [] }) })
  expect(await screen.findByText('120 rows would be new, 34 rows would change, 6 rows would be gone.')).toBeTruthy()
  expect(panel().getByText('Dry run')).toBeTruthy()
  expect(panel().getByText('The draft, as it was then')).toBeTruthy()
  expect(panel().getByText('2 rows would not fit')).toBeTruthy()
  const table = within(panel().getByRole('region', { name: 'Rows of orders' }))
  expect(table.getByText('12.50').closest('del')).toBeTruthy()
  expect(table.getByText('12.90').closest('ins')).toBeTruthy()
  expect(within(screen.getByLabelText('Counters')).queryByText('Written')).toBeNull()
  expect(panel().queryByRole('button', { name: 'Roll back this run' })).toBeNull()
  expect(panel().queryByRole('button', { name: /rejected/ })).toBeNull()
})

test('a dry run to which no rows came says so', async () => {
  const runs = { ...runsWith('r-orders', { is_shadow: true, receipts: [] }), comparisons: [] }
  openApp(`${RUNS}&run=r-orders`, { runs })
  expect(await screen.findByText(/No rows came, so no table would change/)).toBeTruthy()
})

test('a range that was read can be read again from its receipt', async () => {
  const window = { from: '2026-11-01', to: '2026-11-07' }
  const receipts = createRuns()
    .list.flatMap((run) => run.receipts)
    .slice(0, 1)
  const runs = runsWith('r-orders', { receipts: receipts.map((receipt) => ({ ...receipt, window })) })
  const { user } = openApp(`${RUNS}&run=r-orders`, { runs })
  await user.click(await screen.findByRole('button', { name: 'Read this range again' }))
  expect(await screen.findByText('2026-11-01 to 2026-11-07 is read again.')).toBeTruthy()
})

test('a viewer looks but does not act', async () => {
  const accounts = [account('Northwind', ['Growth'], { role: 'account_view' })]
  for (const workspace of accounts[0]?.workspaces ?? []) workspace.role = 'workspace_viewer'
  openApp(`${RUNS}&run=r-roas`, { accounts })
  expect(await screen.findByText('The column order_total does not exist.')).toBeTruthy()
  expect(panel().getByRole('link', { name: 'Log' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry from this block' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
})

test('rejected rows are corrected in place and retried', async () => {
  const { user, world } = openApp(`${RUNS}&run=r-orders`)
  await user.click(await screen.findByRole('button', { name: '3 rejected rows' }))
  const field = await screen.findByLabelText('total of row 17')
  expect(document.activeElement).toBe(field)
  expect(screen.getByRole('row', { name: /Select row 17/ }).textContent).toContain('total ')
  await user.clear(field)
  await user.type(field, '99')
  expect(screen.getByText(/1 corrected · 1 selected/)).toBeTruthy()
  const rejected = () => within(screen.getByRole('dialog', { name: /^Rejected rows/ }))
  await user.click(rejected().getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  const leaving = within(await screen.findByRole('dialog', { name: 'Discard the corrections?' }))
  expect(leaving.getByText(/^1 corrected row was not retried/)).toBeTruthy()
  await user.click(leaving.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard the corrections?' })).toBeNull())
  await user.click(screen.getByLabelText('Select row 108'))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('1 row still does not fit')).toBeTruthy()
  expect(world.runs.quarantine.map(({ state }) => state)).toEqual(['sent', 'waiting', 'waiting'])
  expect(screen.queryByText(/1 corrected/)).toBeNull()
  const refused = screen.getByRole('row', { name: /Select row 108/ })
  await waitFor(() => expect(document.activeElement?.closest('tr')).toBe(refused))
  expect(screen.getByRole('row', { name: /Select row 17/ }).textContent).toContain('99')
  await user.click(screen.getByLabelText('Select every row'))
  await user.click(
    within(screen.getByRole('dialog', { name: /^Rejected rows/ })).getByRole('button', { name: 'Dismiss' }),
  )
  expect(await screen.findByText('2 rows dismissed.')).toBeTruthy()
})

test('the canvas shows every block with what its run has moved', async () => {
  const { user, world, router } = openApp(`${FLOW}?view=canvas`)
  const picture = within(await screen.findByRole('group', { name: 'Blocks and their runs' }))
  expect(await picture.findByRole('button', { name: /Ad spend.*Running.*1,200 written/ })).toBeTruthy()
  const counters = { ...NO_COUNTERS, rows_read: 5000, rows_written: 4999 }
  act(() => tellRun(world, 'r-spend', { counters }))
  expect(await picture.findByRole('button', { name: /Ad spend.*5,000 read · 4,999 written/ })).toBeTruthy()
  await user.click(picture.getByRole('button', { name: /Daily revenue/ }))
  expect(router.state.location.search).toBe('?view=canvas&run=r-roas')
})

test('over time: a run of the flow is one bar that unfolds to its blocks; keys and a table', async () => {
  const { user, router } = openApp(`${FLOW}?view=time`)
  const picture = within(await screen.findByRole('group', { name: 'Runs over time' }))
  const bars = await picture.findAllByRole('button', { name: /^(Succeeded|Failed|Running)/ })
  expect(bars.length).toBeGreaterThan(8)
  const flow = within(picture.getByRole('group', { name: 'Whole flow' }))
  expect(picture.queryByRole('group', { name: 'Daily revenue and ROAS' })).toBeNull()
  const [failed] = flow.getAllByRole('button', { name: /^Failed/, expanded: false })
  await user.click(failed as HTMLElement)
  expect(flow.getAllByRole('button', { expanded: true })).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'Open the run' }).getAttribute('href')).toMatch(/\/logs\/f-r-roas$/)
  expect((screen.getByLabelText('Time shown') as HTMLSelectElement).value).toBe('fit')
  const row = within(await picture.findByRole('group', { name: 'Daily revenue and ROAS' }))
  act(() => row.getByRole('button').focus())
  await user.keyboard('{Enter}')
  expect(router.state.location.search).toContain('run=r-roas')
  await user.click(await screen.findByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'Fold the blocks' }))
  expect(picture.queryByRole('group', { name: 'Daily revenue and ROAS' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'As a table' }))
  expect(within(screen.getByRole('table', { name: 'Runs over time' })).getAllByRole('row').length).toBeGreaterThan(10)
})

test.each(['canvas', 'time'])('without a block the %s says so and leads to the editor', async (view) => {
  openApp(`/northwind/growth/dataflow/d-new/editor/logs?view=${view}`)
  expect(await screen.findByText('No blocks yet')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open the editor' }).getAttribute('href')).toMatch(/d-new\/editor$/)
})

test('running by hand: where it stands, a backfill of days, a warning before everything', async () => {
  const { user } = openApp(RUNS)
  await pressRun(user)
  expect(await screen.findByText('Everything up to 2026-11-15 06:05:00 UTC is loaded without gaps.')).toBeTruthy()
  await user.click(panel().getByLabelText(/Full refresh/))
  expect(panel().getByText('Every row is read again')).toBeTruthy()
  await user.click(panel().getByLabelText(/Backfill/))
  await user.click(panel().getByRole('button', { name: 'Start the backfill' }))
  expect(await screen.findByText('Choose the days to read.')).toBeTruthy()
  await user.type(panel().getByLabelText('Start date'), new Date().toISOString().slice(0, 10))
  await user.click(panel().getByRole('button', { name: 'Start the backfill' }))
  expect(await screen.findByText('Shop orders is going to run.')).toBeTruthy()
})

test('a run that the server could not start says so with the reference to copy', async () => {
  const { user, world } = openApp(RUNS, { broken: new Set(['executeBlock']) })
  await pressRun(user)
  await user.click(await screen.findByRole('button', { name: 'Run now' }))
  const alert = within(await panel().findByRole('alert'))
  expect(alert.getByText(/The database did not answer/)).toBeTruthy()
  expect(alert.getByRole('button', { name: 'Copy reference' })).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Run now' }))
  expect(await screen.findByText('Shop orders is going to run.')).toBeTruthy()
})

test('why a block did not run, and when it will', async () => {
  const { user } = openApp(`${BLOCK}/b-roas/logs`)
  await user.click(await screen.findByRole('button', { name: 'When does it run?' }))
  expect(await screen.findByText('1 of 2 is missing')).toBeTruthy()
  expect(screen.getByText(/A run was still going on/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Look 60 days ahead' }))
  expect(await screen.findByText('The clocks change in Europe/Berlin')).toBeTruthy()
  await user.selectOptions(screen.getByLabelText('Block'), '')
  expect(screen.getByText(/120 runs on 60 days/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'As a table' }))
  expect(panel().getAllByRole('row')).toHaveLength(121)
})

test('a log is read, searched by the server and jumped through', async () => {
  const { user, router } = openApp(`${BLOCK}/b-roas/log/r-roas/details`)
  expect(await screen.findByText('60 lines · complete')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'First error' }))
  expect(router.state.location.search).toContain('line=40')
  await waitFor(() => expect(document.querySelector('[data-current="true"]')).toBeTruthy())
  await user.type(screen.getByLabelText('Search the log'), 'pause')
  expect(await screen.findByText('5 hits')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(router.state.location.search).toContain('line=48')
  expect(await screen.findByText('4 of 5')).toBeTruthy()
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  expect(await screen.findByText('3 of 5')).toBeTruthy()
  expect(router.state.location.search).toContain('line=36')
  expect(screen.getByRole('button', { name: /^Debug/ }).getAttribute('aria-pressed')).toBe('false')
  for (const level of ['Info', 'Warning'])
    await user.click(screen.getByRole('button', { name: new RegExp(`^${level}`) }))
  expect(screen.queryByText(/Read page 1:/)).toBeNull()
})

test('a log that is being written goes on', async () => {
  const { world } = openApp(`${BLOCK}/b-spend/log/r-spend/details`, {
    runs: createRuns({ logs: { 'r-spend': fakeLog(5) } }),
  })
  expect(await screen.findByText('5 lines · live')).toBeTruthy()
  act(() => {
    for (const tell of world.runs.listeners) tell({ type: 'lines', lines: fakeLog(8).slice(5) })
  })
  expect(await screen.findByText('8 lines · live')).toBeTruthy()
  act(() => {
    for (const tell of world.runs.listeners) tell({ type: 'over', run_status: 'SUCCESS' })
  })
  expect(await screen.findByText('8 lines · complete')).toBeTruthy()
})

test('a dataflow is described in words', async () => {
  const { user, world } = openApp(RUNS)
  await user.click(await screen.findByRole('button', { name: 'Description' }))
  expect(await screen.findByText('Nobody has written what this dataflow is for.')).toBeTruthy()
  expect(screen.getByText('Reads orders into the table shop.b-orders.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Write a description' }))
  await user.type(screen.getByLabelText('Description'), 'For **finance**')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('finance')).toBeTruthy()
  expect(world.dataflows.list[0]?.description).toBe('For **finance**')
})

test('without runs it teaches; a failure can be tried again; what is not there is said', async () => {
  const { user, world, router } = openApp(RUNS, { runs: createRuns({ list: [] }), broken: new Set(['listTaskRuns']) })
  expect(await screen.findByText('The runs could not be loaded')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'Nothing has run yet' })).toBeTruthy()
  await act(() => router.navigate(`${BLOCK}/b-roas/log/nothing/details`))
  expect(await screen.findByText('The run was not found')).toBeTruthy()
})
