import { readFile } from 'node:fs/promises'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('the diagram of a schema shows tables and foreign keys, finds a table, is saved and leads on', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `${explorer}/${database}/schema/shop`)
  await page.getByRole('navigation', { name: 'Schema' }).getByRole('link', { name: 'Diagram' }).click()
  const orders = page.getByRole('region', { name: 'orders' })
  await expect(orders).toContainText('customer_id')
  await expect(orders.getByLabel('Primary key')).toBeVisible()
  await expect(orders.getByLabel('Foreign key')).toBeVisible()
  await expect(page.getByRole('region', { name: 'customers' })).toBeVisible()

  await page.getByLabel('Find a table').fill('cust')
  await expect(page.getByText('1 found')).toBeVisible()
  await expect(page.getByRole('region', { name: 'customers' })).toHaveAttribute('data-found', 'true')
  await page.getByLabel('Columns').selectOption('Names only')
  await expect(orders).not.toContainText('customer_id')
  await page.getByLabel('Columns').selectOption('All columns')

  for (const [format, start] of [
    ['SVG', '<svg'],
    ['PNG', 'PNG'],
  ] as const) {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`shop-diagram.${format.toLowerCase()}`)
    expect((await readFile(await download.path())).subarray(0, 200).toString('latin1')).toContain(start)
  }

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Show the whole diagram' })).toBeVisible()
  await page.getByRole('button', { name: 'Show the whole diagram' }).click()
  await orders.getByRole('link', { name: 'orders' }).click()
  await expect(page).toHaveURL(/\/table\/orders\/details$/)
})
