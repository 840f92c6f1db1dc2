import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('statements of a worksheet run in one transaction until they are committed or rolled back', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  await page.getByRole('button', { name: 'New worksheet' }).click()
  const dialog = page.getByRole('dialog', { name: 'New worksheet' })
  await dialog.getByLabel('Name').fill('By hand')
  await dialog.getByRole('button', { name: 'Create worksheet' }).click()
  const editor = page.locator('.monaco-editor').first()
  const bar = page.getByRole('group', { name: 'Transaction' })
  const results = page.getByRole('region', { name: 'Results' })
  const run = async (sql: string) => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(sql)
    await page.keyboard.press('ControlOrMeta+Enter')
  }

  await test.step('manual commit is chosen for this worksheet', async () => {
    await page.getByRole('button', { name: 'Editor', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Switch to manual commit' }).click()
    await expect(bar).toContainText('The first statement begins a transaction.')
  })

  await test.step('a statement opens a transaction with a clock, which a reload does not end', async () => {
    await run('create table notes as select 1 as id')
    await expect(bar).toContainText('Transaction open.')
    await expect(bar.getByRole('timer')).toContainText(/Rolled back in [34]:\d\d/)
    await expect(page.getByLabel('Row limit')).toBeDisabled()
    await page.reload()
    await expect(bar).toContainText('Transaction open.')
  })

  await test.step('it is rolled back', async () => {
    await bar.getByRole('button', { name: 'Roll back' }).click()
    await expect(bar).toContainText('Rolled back.')
    await run('select * from notes')
    await expect(results).toContainText('does not exist')
    await expect(bar).toContainText('A statement failed. Roll back to go on.')
    await expect(bar.getByRole('button', { name: 'Commit' })).toBeDisabled()
    await bar.getByRole('button', { name: 'Roll back' }).click()
    await expect(bar).toContainText('Rolled back.')
  })

  await test.step('a statement that is cancelled rolls back all of it', async () => {
    await run('create table notes as select 1 as id')
    await expect(bar).toContainText('Transaction open.')
    await run('select count(*) from generate_series(1, 2000000000)')
    await expect(bar).toContainText('A statement of the transaction is running.')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(results).toContainText('Cancelled')
    await expect(bar).toContainText('Rolled back: a statement was cancelled.')
  })

  await test.step('or committed', async () => {
    await run('create table notes as select 1 as id')
    await expect(bar).toContainText('Transaction open.')
    await bar.getByRole('button', { name: 'Commit' }).click()
    await expect(bar).toContainText('Committed.')
    await bar.getByRole('button', { name: 'Use autocommit' }).click()
    await expect(bar).toBeHidden()
    await run('select id as kept from notes')
    await expect(results).toContainText('kept')
  })

  await test.step('its result is named in another query', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await results.getByRole('button', { name: 'Use in another query' }).click()
    await expect(page.getByText('Name of the result copied.')).toBeVisible()
    const name = await page.evaluate(() => navigator.clipboard.readText())
    expect(name).toMatch(/^@result\.[0-9a-f-]{36}$/)
    await run(`select kept + 41 as sum from ${name}`)
    await expect(results).toContainText('42')
  })
})
