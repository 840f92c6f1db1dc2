import { PRIMARY_KEY_MESSAGE } from '@trellis/contract/dataflows/dataflow-words'
import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { account } from '../../../testing/fake-world.ts'
import { fakeSettings } from '../../../testing/dataflows/fake-dataflows.ts'
import { giveSize } from '../../../testing/give-size.ts'
import { openApp } from '../../../testing/render-app.tsx'
import { openSetup, readSettings, setupPath } from './testing/open-setup.ts'

giveSize()

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const saved = () => screen.findByText('Saved')
const getSubtasks = (block: { settings: unknown }) => (block.settings as SourceSettings).subtasks

test('a source is set up from nothing: platform, connection, subtask, table', async () => {
  const { user, block } = await openSetup({ kind: 'Source', platform_trellis_code: null })
  await user.selectOptions(
    await screen.findByLabelText('Platform'),
    await screen.findByRole('option', { name: 'PostgreSQL' }),
  )
  await user.selectOptions(
    screen.getByLabelText('Connection'),
    await screen.findByRole('option', { name: 'Shop database' }),
  )
  await user.click(await screen.findByRole('radio', { name: /orders about/ }))
  await waitFor(() => expect(getSubtasks(block())).toMatchObject([{ name: 'orders' }]))
  expect(block().settings).toMatchObject({
    integration_trellis_code: 'i-shop',
    subtasks: [
      {
        name: 'orders',
        query: { table: { table: { schema: 'public', table: 'orders' } } },
        write: { schema_name: 'data', table_name: 'orders', strategy: 'Append' },
      },
    ],
  })
})

test('subtasks are duplicated, moved and removed, and each step can be taken back', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  const more = async (name: string, item: string) => {
    await user.click(await screen.findByRole('button', { name: `More for ${name}` }))
    await user.click(screen.getByRole('menuitem', { name: item }))
  }
  await more('Orders', 'Duplicate')
  await more('Orders 2', 'Move up')
  await waitFor(() => expect(getSubtasks(block()).map(({ name }) => name)).toEqual(['Orders 2', 'Orders']))
  await more('Orders', 'Remove')
  expect(screen.queryByRole('button', { name: 'More for Orders' })).toBeNull()
  await user.click(button('Undo'))
  expect(await screen.findByRole('button', { name: 'More for Orders' })).toBeTruthy()
})

test('the data model is asked for only with Upsert, and a key is needed', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  await user.click(await screen.findByRole('radio', { name: /^Append/ }))
  expect(screen.queryByText('The table needs a key')).toBeNull()
  await user.click(screen.getByRole('radio', { name: /^Upsert/ }))
  expect(await screen.findByText(PRIMARY_KEY_MESSAGE)).toBeTruthy()
  await user.click(button('Setup Table'))
  const dialog = await screen.findByRole('dialog', { name: 'Setup Table' })
  const save = within(dialog).getByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  expect(within(dialog).getByText(PRIMARY_KEY_MESSAGE)).toBeTruthy()
  await user.click(within(dialog).getByRole('checkbox', { name: 'order_id is part of the primary key' }))
  expect(within(dialog).queryByText(PRIMARY_KEY_MESSAGE)).toBeNull()
  await user.selectOptions(within(dialog).getByLabelText('Index on placed_at'), 'brin')
  await user.clear(within(dialog).getByLabelText('Column name of amount'))
  expect(save).toHaveProperty('disabled', true)
  await user.type(within(dialog).getByLabelText('Column name of amount'), 'total')
  await user.click(save)
  expect(await screen.findByRole('button', { name: 'Modify Data Model' })).toBeTruthy()
  await waitFor(() =>
    expect(getSubtasks(block())[0]?.write?.dataModel).toMatchObject({
      primary_keys: ['order_id'],
      indexes: { placed_at: 'brin' },
      column_mapping: { amount: 'total' },
    }),
  )
})

test('a subtask keeps its table setup while it is renamed', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  await user.click(await screen.findByRole('radio', { name: /^Upsert/ }))
  expect(await screen.findByRole('button', { name: 'Setup Table' })).toBeTruthy()
  await user.type(screen.getByLabelText('Name of the subtask'), ' of today')
  expect(screen.getByRole('button', { name: 'Setup Table' })).toBeTruthy()
  await waitFor(() => expect(getSubtasks(block())[0]?.name).toBe('Orders of today'))
  await saved()
  await user.click(await screen.findByRole('button', { name: 'Setup Table' }))
  expect(await screen.findByRole('dialog', { name: 'Setup Table' })).toBeTruthy()
})

test('without the data model the table setup is not there', async () => {
  const { user, world } = await openSetup({ kind: 'Source', settings: readSettings() })
  world.broken.add('getSourceDataModel')
  await user.click(await screen.findByRole('radio', { name: /^Upsert/ }))
  await saved()
  await waitFor(() => expect(screen.queryByText('The table needs a key')).toBeNull())
  expect(screen.queryByRole('button', { name: /Setup Table|Modify Data Model/ })).toBeNull()
})

test('faults are listed, lead to their field, and keep it from being published', async () => {
  const { user } = await openSetup({
    kind: 'Source',
    settings: readSettings(),
    publish_state: 'incomplete',
    faults: [{ kind: 'missing', path: 'subtasks.0.write.table_name', message: 'Say which table.' }],
  })
  await screen.findByLabelText('Name of the subtask')
  await user.click(button('Incomplete: 1 missing'))
  const table = within(screen.getByRole('region', { name: 'Write into' })).getByLabelText('Table')
  await waitFor(() => expect(document.activeElement).toBe(table))
  expect(within(screen.getByRole('region', { name: 'Write into' })).getByText('Say which table.')).toBeTruthy()
})

test('what is published is seen before: changes, tables, rows that do not fit, readers', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings(), publish_state: 'changed' })
  await user.click(await screen.findByRole('button', { name: 'Publish changes' }))
  const dialog = await screen.findByRole('dialog', { name: 'Publish Here' })
  expect(await within(dialog).findByText('CREATE TABLE public.orders (order_id bigint)')).toBeTruthy()
  expect(within(dialog).getByText('amount: 12 rows, for example “n/a”')).toBeTruthy()
  expect(within(dialog).getByText('daily_revenue (view)')).toBeTruthy()
  const read = 'public.orders.amount gets another type; it is read by daily_revenue (view)'
  expect(within(dialog).getByText(read)).toBeTruthy()
  await user.type(within(dialog).getByLabelText(/Message/), 'Five attempts')
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(block().publish_state).toBe('published'))
  expect(await screen.findByRole('button', { name: 'Nothing to publish' })).toHaveProperty('disabled', true)
})

test('a draft that somebody changed meanwhile is not published unseen', async () => {
  const { user, world, block } = await openSetup({ kind: 'Source', settings: readSettings(), publish_state: 'changed' })
  await user.click(await screen.findByRole('button', { name: 'Publish changes' }))
  const dialog = await screen.findByRole('dialog', { name: 'Publish Here' })
  await within(dialog).findByText('daily_revenue (view)')
  const changedBlock = block()
  changedBlock.version += 1
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }))
  expect(await within(dialog).findByText(/Grace Hopper changed Here in the meantime/)).toBeTruthy()
  expect(world.dataflows.blocks.at(-1)?.publish_state).toBe('changed')
})

test('past days are read from the set-up too', async () => {
  const { user } = await openSetup({ kind: 'Source', settings: readSettings(), published_number: 4 })
  expect(button('Run version 4')).toBeTruthy()
  await user.click(button('Run…'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Run Here' }))
  await user.click(dialog.getByRole('radio', { name: /^Full refresh/ }))
  await user.click(dialog.getByRole('button', { name: 'Run a full refresh' }))
  expect(await screen.findByText('Here is going to run.')).toBeTruthy()
})

test('the rows SQL gives are read again once its change is saved', async () => {
  const [{ write } = { write: null }] = (readSettings() as SourceSettings).subtasks
  const settings = fakeSettings('Transformation', { language: 'sql', code: 'select 1', write })
  const { user } = await openSetup({ kind: 'Transformation', settings })
  const output = within(screen.getByRole('region', { name: 'Output' }))
  expect(await output.findByText('Read from draft 1')).toBeTruthy()
  await user.type(await screen.findByRole('textbox', { name: 'SQL' }), ' as n')
  expect(await output.findByText('Read from draft 2', {}, { timeout: 30_000 })).toBeTruthy()
})

test('versions are compared with the draft and restored', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  await user.click(button('Versions'))
  const dialog = await screen.findByRole('dialog', { name: 'Versions of Here' })
  await user.click(await within(dialog).findByRole('button', { name: /Version 1/ }))
  const line = within(dialog).getByRole('row', { name: /Attempts/ })
  expect(
    within(line)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['1', '3'])
  await user.click(within(dialog).getByRole('button', { name: 'Restore version 1' }))
  await user.click(within(dialog).getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(block().settings.attempts).toBe(1))
  expect(await screen.findByDisplayValue('1')).toBeTruthy()
})

test('somebody else changed the same: told who, and one of both holds', async () => {
  const { user, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  const theirs = block()
  Object.assign(theirs, { version: 2, updated_by: 'Grace Hopper', settings: readSettings({ attempts: 9 }) })
  const field = screen.getByLabelText('Attempts')
  await user.clear(field)
  await user.type(field, '5')
  expect(await screen.findByText('Grace Hopper changed this block meanwhile')).toBeTruthy()
  const line = screen.getByRole('row', { name: /Attempts/ })
  expect(
    within(line)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['5', '9'])
  await user.click(button('Save mine over theirs'))
  await waitFor(() => expect(block().settings.attempts).toBe(5))
})

test('a save that failed is said, kept and made up for', async () => {
  const { user, world, block } = await openSetup({ kind: 'Source', settings: readSettings() })
  world.broken.add('updateSourceBlock')
  const field = screen.getByLabelText('Attempts')
  await user.clear(field)
  await user.type(field, '5')
  expect(await screen.findByText('Your changes are not saved')).toBeTruthy()
  world.broken.clear()
  await user.click(screen.getAllByRole('button', { name: 'Save again' })[0] as HTMLElement)
  await saved()
  expect(block().settings.attempts).toBe(5)
})

test('leaving with changes that can not be saved is asked about', async () => {
  const { user, world, router } = await openSetup({ kind: 'Source', settings: readSettings() })
  world.broken.add('updateSourceBlock')
  const field = screen.getByLabelText('Attempts')
  await user.clear(field)
  await user.type(field, '5')
  await screen.findByText('Your changes are not saved')
  await user.click(screen.getByRole('link', { name: 'Canvas' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stay' }))
  expect(router.state.location.pathname).toBe(setupPath('b-here'))
  sessionStorage.clear()
})

test('a transformation: SQL with a table of its own, JavaScript with packages', async () => {
  const { user, block } = await openSetup({ kind: 'Transformation', publish_state: 'never' })
  await user.type(await screen.findByLabelText('SQL', { selector: 'textarea' }), 'select 1')
  await user.click(screen.getByRole('checkbox', { name: /Write the rows of the SELECT/ }))
  await waitFor(() =>
    expect(block().settings).toMatchObject({
      code: 'select 1',
      integration_trellis_code: 'w-northwind-growth-db',
      write: { table_name: 'here' },
    }),
  )
  await user.click(screen.getByRole('radio', { name: /JavaScript/ }))
  await user.click(await screen.findByRole('checkbox', { name: /trellis\/dates/ }))
  await user.selectOptions(
    within(screen.getByRole('region', { name: 'Rows to read' })).getByLabelText('Table'),
    await screen.findByRole('option', { name: /public.orders/ }),
  )
  await waitFor(() =>
    expect(block().settings).toMatchObject({
      language: 'javascript',
      packages: ['trellis/dates'],
      input: { schema_name: 'public', table_name: 'orders' },
    }),
  )
})

test('who may only look sees the settings and changes nothing', async () => {
  const reader = account('Northwind', ['Growth'], { role: 'account_view' })
  reader.workspaces = reader.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const }))
  openApp(setupPath('b-orders'), { accounts: [reader] })
  expect(await screen.findByText('Only editors can change this')).toBeTruthy()
  expect(screen.getByLabelText('Scope')).toHaveProperty('disabled', true)
  expect(screen.getByLabelText('Attempts')).toHaveProperty('disabled', true)
})
