import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('a published worksheet becomes a block; a push says so and changes it; it is unlinked', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/worksheets`)
  const editor = page.locator('.monaco-editor').first()
  const write = async (sql: string) => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(sql)
    await expect(page.getByRole('status').filter({ hasText: 'Draft saved' })).toBeVisible()
  }
  const openPush = async () => {
    await page.getByRole('button', { name: 'Push', exact: true }).click()
    return page.getByRole('dialog', { name: 'Publish changes' })
  }
  const push = async (message: string) => {
    const dialog = await openPush()
    await dialog.getByLabel('Message').fill(message)
    await dialog.getByRole('button', { name: 'Push to live' }).click()
    await expect(dialog).toBeHidden()
  }
  const openRunAs = async () => {
    await page.getByRole('button', { name: 'Editor', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Run this as a dataflow' }).click()
    return page.getByRole('dialog', { name: 'Run this as a dataflow' })
  }

  await test.step('a worksheet is written; before it is published it can not be run as a dataflow', async () => {
    await page.getByRole('button', { name: 'New worksheet' }).click()
    const dialog = page.getByRole('dialog', { name: 'New worksheet' })
    await dialog.getByLabel('Name').fill('Orders by status')
    await dialog.getByRole('button', { name: 'Create worksheet' }).click()
    await expect(page.getByRole('heading', { name: 'Orders by status.sql' })).toBeVisible()
    await write('select status, count(*) as orders from shop.orders group by 1')
    const runAs = await openRunAs()
    await expect(runAs).toContainText('This worksheet is not published yet')
    await expect(runAs.getByRole('button', { name: 'Create block' })).toBeDisabled()
    await runAs.getByRole('button', { name: 'Cancel' }).click()
    await push('Count orders')
  })

  const worksheet = page.url()
  await test.step('it becomes a block of a new dataflow', async () => {
    const runAs = await openRunAs()
    await expect(runAs.getByLabel('Table', { exact: true })).toHaveValue('orders_by_status')
    await runAs.getByLabel('Name of the dataflow').fill('Nightly counts')
    await runAs.getByRole('button', { name: 'Create block' }).click()
    await expect(page).toHaveURL(/\/dataflow\/[\w-]+\/editor\/task\/[\w-]+\/setup$/)
    await expect(page.getByText(/^From worksheet Orders by status\.sql/)).toBeVisible()
    await expect(page.getByText('A push of the worksheet updates this block.')).toBeVisible()
  })

  const block = page.url()
  await test.step('a push shows that the block changes, and changes it', async () => {
    await page.getByRole('link', { name: 'Open in worksheet' }).click()
    await expect(page).toHaveURL(worksheet)
    await write('select status, count(*) as orders, sum(amount) as amount from shop.orders group by 1')
    const dialog = await openPush()
    const dataflows = dialog.getByRole('region', { name: 'Dataflows that run these worksheets' })
    await expect(dataflows).toContainText('Orders by status (Nightly counts)')
    await expect(dataflows).toContainText('The block was never published.')
    await dialog.getByLabel('Message').fill('Sum the amounts')
    await dialog.getByRole('button', { name: 'Push to live' }).click()
    await expect(dialog).toBeHidden()
    await page.goto(block)
    await expect(page.locator('.monaco-editor').first()).toContainText('sum(amount)')
  })

  await test.step('it is unlinked and keeps its SQL', async () => {
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('dialog', { name: 'Unlink the worksheet?' }).getByRole('button', { name: 'Unlink' }).click()
    await expect(page.getByText(/^From worksheet/)).toBeHidden()
    await expect(page.locator('.monaco-editor').first()).toContainText('sum(amount)')
  })
})
