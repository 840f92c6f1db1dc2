import { screen, waitFor, within } from '@testing-library/react'
import { usedActivities } from '@trellis/contract/dataflows/triggers'
import { beforeEach, expect, test } from 'vitest'
import { account, type FakeWorld } from '../../../testing/fake-world.ts'
import { openApp } from '../../../testing/render-app.tsx'

const EDITOR = '/northwind/growth/dataflow/d-revenue/editor'
const blockIn = (world: FakeWorld, name: string) => world.dataflows.blocks.find((block) => block.name === name)
const waitsIn = (world: FakeWorld, name: string) => usedActivities(blockIn(world, name)!.settings.trigger)
const choose = async (user: ReturnType<typeof openApp>['user'], block: string, item: string | RegExp) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${block}` }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

/** The list offers what the canvas does; the canvas is tested in a browser. */
beforeEach(() => localStorage.setItem('trellis.canvas.view', 'list'))

test('blocks are listed upstream first, with what starts them and what is to mend', async () => {
  openApp(EDITOR)
  const table = within(await screen.findByRole('table', { name: 'Blocks' }))
  const names = table
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('strong')?.textContent)
  expect(names).toEqual([
    'Shop orders',
    'Ad spend',
    'Clean orders',
    'Daily revenue and ROAS',
    'Send to the finance sheet',
  ])
  expect(table.getByText('2 problems to fix')).toBeTruthy()
  expect(table.getByText('When Clean orders and Ad spend has succeeded')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Finance' }).getAttribute('href')).toContain('folder=f-finance')
})

test('a block is added after another, and taken back', async () => {
  const { user, world } = openApp(EDITOR)
  await user.click(await screen.findByRole('button', { name: 'Add block' }))
  await user.click(await screen.findByRole('tab', { name: 'Transformation' }))
  await user.click(await screen.findByRole('button', { name: /^JavaScript/ }))
  await waitFor(() => expect(blockIn(world, 'Transformation')).toMatchObject({ settings: { language: 'javascript' } }))
  await user.click(await screen.findByRole('button', { name: 'Undo adding 1 block' }))
  await waitFor(() => expect(blockIn(world, 'Transformation')?.isDeleted).toBe(true))
  await user.click(await screen.findByRole('button', { name: 'Redo adding 1 block' }))
  await waitFor(() => expect(blockIn(world, 'Transformation')?.isDeleted).toBe(false))
})

test('deleting costs arrows, and undo brings them back as they were joined', async () => {
  const { user, world } = openApp(EDITOR)
  await choose(user, 'Clean orders', /^Delete/)
  await waitFor(() => expect(waitsIn(world, 'Daily revenue and ROAS')).toEqual(['b-spend']))
  await user.click(await screen.findByRole('button', { name: 'Undo deleting 1 block' }))
  await waitFor(() => expect(waitsIn(world, 'Daily revenue and ROAS')).toEqual(['b-clean', 'b-spend']))
  expect(blockIn(world, 'Daily revenue and ROAS')?.settings.trigger.eventEvaluationType).toBe('And')
  expect(blockIn(world, 'Clean orders')?.isDeleted).toBe(false)
})

test('arrows are drawn and taken away by a dialog; one that closes a circle can not be chosen', async () => {
  const { user, world } = openApp(EDITOR)
  await choose(user, 'Clean orders', /^Arrows/)
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrows of Clean orders' }))
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: /^Shop orders/ }).disabled).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Take away the arrow: Shop orders' }))
  await waitFor(() => expect(waitsIn(world, 'Clean orders')).toEqual([]))
  await user.click(await dialog.findByRole('button', { name: /^Send to the finance sheet/ }))
  await waitFor(() => expect(waitsIn(world, 'Send to the finance sheet')).toEqual(['b-roas', 'b-clean']))
})

test('what somebody else changed since is not undone unseen', async () => {
  const { user, world } = openApp(EDITOR)
  await choose(user, 'Clean orders', /^Arrows/)
  await user.click(await screen.findByRole('button', { name: /^Send to the finance sheet/ }))
  await waitFor(() => expect(waitsIn(world, 'Send to the finance sheet')).toHaveLength(2))
  const block = blockIn(world, 'Send to the finance sheet')!
  block.settings = { ...block.settings, trigger: { ...block.settings.trigger, eventEvaluationType: 'And' } }
  await user.click(await screen.findByRole('button', { name: 'Undo changing arrows' }))
  await screen.findByText('What Send to the finance sheet waits for was changed in the meantime.')
  expect(waitsIn(world, 'Send to the finance sheet')).toHaveLength(2)
})

test('a name and a note are changed; an unpublished block does not run', async () => {
  const { user, world } = openApp(EDITOR)
  await choose(user, 'Ad spend', /^Rename/)
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, 'Spend')
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  await choose(user, 'Spend', /^Add a note/)
  await user.type(await screen.findByLabelText('Note'), 'From **three** accounts')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(blockIn(world, 'Spend')?.metadata.note).toBe('From **three** accounts'))
  await user.click(await screen.findByRole('button', { name: 'Actions for Send to the finance sheet' }))
  expect(screen.getByRole('menuitem', { name: /^Run this block/ }).getAttribute('aria-disabled')).toBe('true')
})

test('a block is run over past days from its menu, and its trigger explained', async () => {
  const { user } = openApp(EDITOR)
  await choose(user, 'Shop orders', /^Run…/)
  const dialog = within(await screen.findByRole('dialog', { name: 'Run Shop orders' }))
  expect(dialog.getByRole('radio', { name: /^Backfill/ })).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Run now' }))
  await screen.findByText('Shop orders is going to run.')
  expect(screen.getByRole('button', { name: 'Watch' })).toBeTruthy()
  await choose(user, 'Shop orders', 'When does it run?')
  expect(await screen.findByRole('heading', { name: 'Next due times' })).toBeTruthy()
})

test('the last block of a group takes the group along when it leaves, and undo brings both back', async () => {
  const { user, world } = openApp(EDITOR)
  const group = { trellis_code: 'g-old', name: 'Shop', color: 'blue' as const, note: '', is_folded: false }
  world.dataflows.groups.push({ ...group, dataflow: 'd-revenue' })
  blockIn(world, 'Shop orders')!.metadata.group_trellis_code = 'g-old'
  await choose(user, 'Shop orders', 'Remove from the group')
  await waitFor(() => expect(world.dataflows.groups).toEqual([]))
  await user.click(await screen.findByRole('button', { name: 'Undo grouping' }))
  await waitFor(() => expect(world.dataflows.groups).toMatchObject([{ name: 'Shop' }]))
  await waitFor(() =>
    expect(blockIn(world, 'Shop orders')?.metadata.group_trellis_code).toBe(world.dataflows.groups[0]?.trellis_code),
  )
})

test('all changed blocks are published at once, and what can not be is named', async () => {
  const { user, world } = openApp(EDITOR)
  await user.click(await screen.findByRole('button', { name: 'Publish 1' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Send to the finance sheet: Choose what to send')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Publish' }))
  await screen.findByText('Published 1 block.')
  expect(blockIn(world, 'Clean orders')?.publish_state).toBe('published')
  await screen.findByRole('button', { name: '1 to complete' })
})

test('who may only look changes nothing', async () => {
  const northwind = account('Northwind', ['Growth'], { role: 'account_view' })
  const accounts = [
    {
      ...northwind,
      workspaces: northwind.workspaces.map((workspace) => ({ ...workspace, role: 'workspace_viewer' as const })),
    },
  ]
  const { user } = openApp(EDITOR, { accounts })
  await user.click(await screen.findByRole('button', { name: 'Actions for Ad spend' }))
  const items = screen.getAllByRole('menuitem').map((item) => item.textContent)
  expect(items).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Add block' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Run all' })).toBeNull()
})
