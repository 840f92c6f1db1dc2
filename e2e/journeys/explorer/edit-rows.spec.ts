import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('rows are changed, added and deleted, a conflict is decided, and the change is undone', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const table = `${explorer}/${database}/schema/shop/table/orders/preview?sort=id`
  await signIn(page, person, table)
  const grid = page.getByRole('grid', { name: 'Rows of orders' })
  const cell = (text: string) => grid.getByRole('gridcell', { name: text, exact: true })
  const status = page.getByRole('group', { name: 'Edit rows' }).getByRole('status')
  const write = async (text: string, column: string, value: string) => {
    await cell(text).dblclick()
    const panel = page.getByRole('dialog', { name: column })
    await panel.getByLabel('Value', { exact: true }).fill(value)
    await panel.getByRole('button', { name: 'Change cell' }).click()
    await expect(panel).toBeHidden()
  }

  await test.step('changes wait, and are there after a reload', async () => {
    await write('1.50', 'amount', '1000.00')
    await expect(cell('1000.00')).toHaveAttribute('data-tone', 'changed')
    await cell('2.50').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete row' }).click()
    await expect(status).toHaveText('2 rows: 1 changed, 1 deleted')
    await page.reload()
    await expect(cell('1000.00')).toHaveAttribute('data-tone', 'changed')
    await expect(status).toHaveText('2 rows: 1 changed, 1 deleted')
  })

  await test.step('a row is duplicated; a value that can’t be is told', async () => {
    await cell('3.50').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Duplicate row' }).click()
    await cell('3').first().dblclick()
    const panel = page.getByRole('dialog', { name: 'id' })
    await panel.getByLabel('Value', { exact: true }).fill('one')
    await expect(panel).toContainText('Enter a whole number.')
    await panel.getByLabel('Value', { exact: true }).fill('9001')
    await page.keyboard.press('Enter')
    await expect(panel).toBeHidden()
    await expect(status).toHaveText('3 rows: 1 new, 1 changed, 1 deleted')
  })

  await test.step('the SQL is shown, and somebody else was faster', async () => {
    await page.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review 3 changes' })
    await expect(review.getByLabel('SQL')).toContainText('update shop.orders set amount = 1000.00 where id = 1')
    await expect(review.getByLabel('SQL')).toContainText('delete from shop.orders where id = 2')
    const other = await page.context().newPage()
    await other.goto(table)
    const others = other.getByRole('grid', { name: 'Rows of orders' })
    await others.getByRole('gridcell', { name: '1.50', exact: true }).dblclick()
    await other.getByRole('dialog', { name: 'amount' }).getByLabel('Value', { exact: true }).fill('77.00')
    await other.getByRole('button', { name: 'Change cell' }).click()
    await other.getByRole('button', { name: 'Review' }).click()
    await other.getByRole('button', { name: 'Apply' }).click()
    await expect(other.getByText('One row changed.')).toBeVisible()
    await other.close()
    await review.getByRole('button', { name: 'Apply' }).click()
    const conflicts = page.getByRole('list', { name: 'Conflicts' })
    await expect(conflicts).toContainText('77.00')
    await expect(conflicts).toContainText('1000.00')
    await conflicts.getByRole('button', { name: 'Use mine' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('3 rows changed.')).toBeVisible()
    await expect(cell('1000.00')).toBeVisible()
    await expect(cell('2.50')).toBeHidden()
  })

  await test.step('all of it is undone', async () => {
    await page.getByRole('button', { name: 'Undo last change' }).click()
    await expect(page.getByText('3 rows set back.')).toBeVisible()
    await expect(cell('77.00')).toBeVisible()
    await expect(cell('2.50')).toBeVisible()
  })

  await test.step('a view says why its rows are only read', async () => {
    await page.goto(`${explorer}/${database}/schema/shop/table/daily_revenue/preview`)
    await page.getByText('Read-only').hover()
    await expect(page.getByRole('tooltip')).toContainText('The rows of a view come from other tables')
    await expect(page.getByRole('button', { name: 'Add row' })).toBeHidden()
  })
})
