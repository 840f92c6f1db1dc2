import { giveDataflow } from '../harness/given-dataflow.ts'
import { seen } from '../harness/notices.ts'
import { post, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'

test('a table that much uses is deleted, undone, deleted again and restored', async ({ page, person, request }) => {
  test.slow()
  const { account, explorer, database } = await giveWorkspaceWithTables(request, person)
  const { blocks } = await giveDataflow(request, person, { account, blocks: { Sum: 'Transformation' } })
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const update = await request.patch(`/api/${account}/shop/dataflows/canvas/task-block/transformation_task_block`, {
    headers,
    data: {
      task_block_trellis_code: blocks['Sum'],
      version: 1,
      settings: { code: 'with o as (select amount from shop.orders) select sum(amount) from o' },
    },
  })
  expect(update.ok(), await update.text()).toBe(true)
  await signIn(page, person)

  await test.step('a role and a login may read it', async () => {
    await page.goto(`${explorer}/${database}/roles/new`)
    await page.getByLabel('Role name').fill('Dashboards')
    await page.getByLabel('Reader on shop').check()
    await Promise.all([seen(page, 'Role created.'), page.getByRole('button', { name: 'Create role' }).click()])
    await page.goto(`${explorer}/${database}/external-profiles`)
    await page.getByRole('link', { name: 'New external profile' }).first().click()
    await page.getByLabel('Profile name').fill('BI tool')
    await page.getByRole('checkbox', { name: /^Dashboards/ }).check()
    await page.getByRole('button', { name: 'Create login' }).click()
    await page.getByRole('dialog', { name: 'The new login' }).getByRole('button', { name: 'I have copied it' }).click()
  })

  const tables = page.getByRole('table', { name: 'Tables' })
  const remove = async (isUndone: boolean) => {
    await page.goto(`${explorer}/${database}/schema/shop/tables`)
    await tables.getByRole('button', { name: 'Actions for orders' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('1 table and 1 view, about 2,500 rows', { exact: false })).toBeVisible()
    for (const name of [
      'View shop.daily_revenue',
      'Dataflow block Sum (Daily revenue)',
      'Database role Dashboards',
      'External login BI tool',
    ]) {
      await expect(dialog.getByText(name)).toBeVisible()
    }
    await dialog.getByLabel('Delete it all the same').check()
    await dialog.getByLabel('Type delete to confirm').fill('delete')
    const undo = page.getByRole('button', { name: 'Undo' })
    await Promise.all([
      isUndone ? undo.click() : undo.waitFor(),
      dialog.getByRole('button', { name: 'Delete', exact: true }).click(),
    ])
  }

  await test.step('deleted and undone', async () => {
    await remove(true)
    await expect(tables.getByRole('row', { name: /orders/ })).toBeVisible()
    await expect(tables.getByRole('row', { name: /daily_revenue/ })).toBeVisible()
  })

  await test.step('deleted again and restored from the list', async () => {
    await remove(false)
    await expect(tables.getByRole('row', { name: /orders/ })).toHaveCount(0)
    await page.goto(`${explorer}/home`)
    await page.getByRole('link', { name: 'Recently deleted' }).click()
    const row = page.getByRole('table', { name: 'Recently deleted' }).getByRole('row', { name: /orders/ })
    await expect(row).toContainText('7')
    await row.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await expect(page).toHaveURL(`${explorer}/${database}/schema/shop/table/orders/preview`)
    await expect(page.getByRole('grid', { name: 'Rows of orders' })).toBeVisible()
  })
})
