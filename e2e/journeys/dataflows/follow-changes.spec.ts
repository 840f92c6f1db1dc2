import type { Page } from '@playwright/test'
import { giveDataflow } from '../../harness/given-dataflow.ts'
import { startOutsideServer } from '../../harness/outside.ts'
import { post, signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'
import { findFaults } from '../../screens/axe.ts'

/** A preview of a missing table is refused. */
test.use({ expectedErrors: answered(404, 409, 422) })

/** Replication slots are checked once a minute. */
const WATCHED = { timeout: 150_000 }

const logLine = (page: Page, text: string | RegExp) => page.getByText(text).first()

test('changes of a table outside are followed: as they are made, past a lost slot, until the block is deleted', async ({
  page,
  person,
}) => {
  test.slow()
  const outside = await startOutsideServer({ wal_level: 'logical' })
  await outside.sql(
    'alter role reader replication',
    'grant create on database warehouse to reader',
    'create table public.visits (id int primary key, city text)',
    `insert into public.visits values (1, 'Oslo'), (2, 'Lima'), (3, 'Kyoto')`,
    'create table public.notes (note text)',
    'alter table public.visits owner to reader',
    'alter table public.notes owner to reader',
  )
  const slots = () => outside.sql('select slot_name from pg_replication_slots')
  const { account, explorer, database } = await giveWorkspaceWithTables(page.request, person)
  const { email, password } = person
  const { access_token } = (await post(page.request, '/auth/login', { email, password })) as { access_token: string }
  const connected = await page.request.post(`/api/${account}/shop/integrations`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: { platform_trellis_code: 'postgresql', name: 'Warehouse', values: outside.values },
  })
  expect(connected.ok(), await connected.text()).toBe(true)
  const flow = await giveDataflow(page.request, person, { account, blocks: { Visits: 'Source' } })
  await signIn(page, person, flow.toSetupPath('Visits'))
  const arrived = async (rows: readonly string[]) => {
    await expect(async () => {
      await page.goto(`${explorer}/${database}/schema/data/table/visits/preview`)
      const grid = page.getByRole('grid', { name: 'Rows of visits' })
      await expect(grid.getByRole('row')).toHaveCount(rows.length + 1, { timeout: 3_000 })
      for (const row of rows) await expect(grid.getByRole('gridcell', { name: row })).toBeVisible({ timeout: 1_000 })
    }).toPass()
  }
  const openRun = async () => {
    await page.goto(flow.toSetupPath('Visits').replace(/\/task\/.*/, '/logs'))
    await page
      .getByText(/ran “Visits”/)
      .first()
      .click()
    await page.getByRole('table', { name: 'Block runs' }).getByRole('link', { name: 'Visits' }).click()
    // Until this page is there, "Cancel" is that of the whole run.
    await expect(page.getByRole('heading', { name: 'Visits', level: 1 })).toBeVisible()
  }
  const cancel = async () => {
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Stop the run' }).click()
    await expect(page.locator('header').getByText('Cancelled')).toBeVisible()
  }

  await test.step('the form says what is needed, and offers only what can be done with changes', async () => {
    const input = page.getByRole('region', { name: 'Input', exact: true })
    await page.getByLabel('Platform').selectOption('PostgreSQL')
    await page.getByLabel('Connection', { exact: true }).selectOption('Warehouse')
    await page.getByLabel('What to read').selectOption('Changes of a table from the log (CDC)')
    await expect(page.getByText('Needs wal_level = logical')).toBeVisible()
    await page.getByRole('radio', { name: /^notes/ }).click()
    await expect(input).toContainText('public.notes has no primary key that the log could name its rows by.')
    await page.getByRole('radio', { name: /^visits/ }).click()
    await input.getByRole('button', { name: 'Read again' }).click()
    await expect(input).toContainText('What changes is read from the log.')
    const deletes = page.getByLabel('When a row is deleted in the source')
    await deletes.selectOption('Keep it and mark when it was deleted (soft delete)')
    await input.getByRole('button', { name: 'Read again' }).click()
    await expect(input.getByRole('columnheader', { name: /^source_deleted_at/ })).toBeVisible()
    await deletes.selectOption('Delete it here (hard delete)')
    await input.getByRole('button', { name: 'Read again' }).click()
    await expect(input.getByRole('columnheader', { name: /^source_deleted_at/ })).toBeHidden()
    await expect(page.getByRole('radio', { name: /^Append/ })).toBeDisabled()
    await page.getByRole('radio', { name: /^Replace/ }).click()
    await page.getByRole('region', { name: 'Write into' }).getByLabel('Table', { exact: true }).fill('visits')
    await page.getByRole('switch', { name: 'Stay and apply changes as they come' }).click()
    await expect(page.getByText('nothing starts the next one')).toBeVisible()
    expect(await findFaults(page)).toEqual([])
  })

  await test.step('it is published, and its run stays', async () => {
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^Publish/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Visits' })
    await dialog.getByLabel('Message').fill('Follow the visits')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByRole('button', { name: 'Nothing to publish' })).toBeDisabled()
    await page.getByRole('button', { name: 'Run version 1' }).click()
    await arrived(['Oslo', 'Lima', 'Kyoto'])
  })

  await test.step('what is inserted, updated and deleted at the source is here', async () => {
    await outside.sql(
      `insert into public.visits values (4, 'Accra')`,
      `update public.visits set city = 'Cusco' where id = 2`,
      'delete from public.visits where id = 3',
    )
    await arrived(['Oslo', 'Cusco', 'Accra'])
    expect(await slots()).toHaveLength(1)
  })

  await test.step('the block shows how much of its log the source keeps', async () => {
    await page.goto(flow.toSetupPath('Visits'))
    await expect(page.getByText(/^The source keeps [\d.]+ (B|KB|MB) of its log/)).toBeVisible(WATCHED)
  })

  await test.step('it is stopped, and the slot waits for the next run', async () => {
    await openRun()
    await cancel()
    expect(await slots()).toHaveLength(1)
  })

  await test.step('a slot that somebody dropped is noticed: the whole table is read again', async () => {
    await outside.sql(
      'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
      'delete from public.visits where id = 1',
    )
    await page.goto(flow.toSetupPath('Visits'))
    await page.getByRole('button', { name: 'Run version 1' }).click()
    await arrived(['Cusco', 'Accra'])
    await openRun()
    await expect(logLine(page, 'The whole table is read again, because the replication slot')).toBeVisible()
    await outside.sql(`insert into public.visits values (5, 'Quito')`)
    await arrived(['Cusco', 'Accra', 'Quito'])
  })

  await test.step('the block is deleted, and nothing of it is left at the source', async () => {
    await openRun()
    await cancel()
    await page.goto(flow.toSetupPath('Visits').replace(/\/task\/.*/, ''))
    await page.getByRole('group', { name: /^Source Visits/ }).focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('group', { name: /^Source Visits/ })).toBeHidden()
    await expect.poll(slots, WATCHED).toEqual([])
    expect(await outside.sql('select pubname from pg_publication')).toEqual([])
  })
  await outside.stop()
})
