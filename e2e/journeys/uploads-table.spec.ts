import { seen } from '../harness/notices.ts'
import { signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'

const csv = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})

function messyOrders(): string[] {
  const rows = Array.from({ length: 500 }, (_, at) => {
    const day = String(1 + (at % 28)).padStart(2, '0')
    return [at + 1, `Customer ${at % 40}`, (at * 1.5).toFixed(2).replace('.', ','), `${day}.03.2024`]
  })
  rows[2]?.splice(2, 1, 'ten')
  rows[9]?.splice(3, 1, '30.02.2024')
  rows[76]?.splice(2, 1, 'twelve')
  return ['Order ID;Customer;Amount;Placed', ...rows.map((row) => row.join(';'))]
}

test('a messy file becomes a table, is appended to, replaced and upserted, and each is undone', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const path = `${explorer}/${database}`
  await signIn(page, person)
  const schema = `${path}/schema/data`
  const table = `${schema}/table/orders_2024`
  const file = page.getByLabel('File', { exact: true })
  const check = page.getByRole('button', { name: 'Check all rows' })

  await test.step('dates and types are put right, three bad rows go to quarantine', async () => {
    await page.goto(`${schema}/files`)
    await page.getByRole('link', { name: 'Upload a file' }).click()
    await file.setInputFiles(csv('Orders 2024.csv', messyOrders()))
    await expect(page.getByLabel('Name of the new table')).toHaveValue('orders_2024')
    await page.getByRole('button', { name: 'How it is read' }).click()
    await expect(page.getByLabel('Delimiter', { exact: true })).toHaveValue(';')
    await expect(page.getByLabel('Order of dates')).toHaveValue('dmy')
    await page.getByLabel('Type of Amount').selectOption('Decimal number')
    await page.getByLabel('Type of Placed').selectOption('Date')
    await expect(page.getByText('Some values do not fit', { exact: true })).toHaveCount(2)
    await page.getByLabel('Order ID is part of the key').check()
    await check.click()
    await expect(page.getByRole('heading', { name: '3 rows do not fit' })).toBeVisible()
    const bad = page.getByRole('region', { name: 'Rows that do not fit' }).getByRole('row')
    await expect(bad).toHaveCount(4)
    await expect(bad.nth(2)).toContainText('30.02.2024')
    await page.getByLabel(/^Put them in quarantine/).check()
    await page.getByRole('button', { name: 'Make the table with 497 rows' }).click()
    await expect(page.getByRole('heading', { name: 'orders_2024 is there' })).toBeVisible()
    await expect(page.getByText('in quarantine')).toBeVisible()
    await page.getByRole('link', { name: 'Look at the rows' }).click()
    await expect(page.getByRole('gridcell', { name: 'Customer 0' }).first()).toBeVisible()
  })

  await test.step('a file with other names is mapped and appended', async () => {
    await page.goto(`${table}/upload`)
    await page.getByRole('link', { name: /^Append/ }).click()
    await file.setInputFiles(csv('second.csv', ['Customer name,order-id,Total', 'Ada,1001,12.5', 'Bob,1002,13.5']))
    await expect(page.getByLabel('Column for order-id')).toHaveValue('order_id')
    await page.getByRole('button', { name: 'Use Customer?' }).click()
    await page.getByLabel('Column for Total').selectOption('Amount')
    await check.click()
    await expect(page.getByLabel('Rows against the table')).toContainText('New')
    await page.getByRole('button', { name: 'Append 2 rows' }).click()
    await expect(page.getByRole('heading', { name: 'The rows were added to orders_2024' })).toBeVisible()
  })

  await test.step('the append is undone: its two rows are gone, the others stay', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await Promise.all([
      seen(page, 'orders_2024 is what it was before.'),
      page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click(),
    ])
    await expect(page.getByRole('gridcell', { name: 'Customer 0' }).first()).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'This load was undone' })).toBeVisible()
    await expect(page.getByText('The rows of second.csv were removed from orders_2024.')).toBeVisible()
  })

  await test.step('a replace shows what goes, and is undone', async () => {
    await page.goto(`${table}/replace`)
    await file.setInputFiles(csv('third.csv', ['order_id,customer,amount,placed', '1,New,1.5,2024-03-01']))
    await check.click()
    await expect(page.getByLabel('Rows against the table')).toContainText('Not in the file, will be gone496')
    await page.getByRole('button', { name: 'Replace by 1 row' }).click()
    await expect(page.getByRole('heading', { name: 'The rows of orders_2024 were replaced' })).toBeVisible()
    await page.getByRole('link', { name: 'Look at the rows' }).click()
    await expect(page.getByRole('gridcell', { name: 'New', exact: true })).toBeVisible()
    await page.goto(`${table}/upload`)
    await expect(page.getByRole('button', { name: /^Undo / })).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo third.csv' }).click()
    await Promise.all([
      seen(page, 'orders_2024 is what it was before.'),
      page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click(),
    ])
    await page.goto(`${table}/preview`)
    await expect(page.getByRole('gridcell', { name: 'Customer 0' }).first()).toBeVisible()
  })

  await test.step('an upsert changes one row and adds another, and is undone', async () => {
    await page.goto(`${table}/upload`)
    await page.getByRole('link', { name: /^Upsert/ }).click()
    await file.setInputFiles(csv('fourth.csv', ['order_id,customer', '1,Changed', '2001,Added']))
    await check.click()
    await expect(page.getByLabel('Rows against the table')).toContainText('Not in the file, stay496')
    await page.getByRole('button', { name: 'Upsert 2 rows' }).click()
    await expect(page.getByRole('heading', { name: 'The rows of the file are in orders_2024' })).toBeVisible()
    await page.getByRole('link', { name: 'Look at the rows' }).click()
    await expect(page.getByRole('gridcell', { name: 'Changed', exact: true })).toBeVisible()
    // Columns missing in the file are unchanged.
    await expect(page.getByRole('row', { name: /Changed/ })).toContainText('2024-03-01')
    await page.goto(`${table}/upload`)
    await page.getByRole('button', { name: 'Undo fourth.csv' }).click()
    await Promise.all([
      seen(page, 'orders_2024 is what it was before.'),
      page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click(),
    ])
    await page.goto(`${table}/preview`)
    await expect(page.getByRole('gridcell', { name: 'Customer 0' }).first()).toBeVisible()
    await expect(page.getByRole('gridcell', { name: 'Changed', exact: true })).toHaveCount(0)
  })

  await test.step('all files are listed, and one can be deleted', async () => {
    await page.goto(`${schema}/files`)
    await expect(page.getByRole('table', { name: 'Files' }).getByText('Delivered')).toHaveCount(1)
    await expect(page.getByRole('table', { name: 'Files' }).getByText('Undone')).toHaveCount(3)
    await page.getByRole('button', { name: 'Actions for second.csv' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await Promise.all([
      seen(page, 'File deleted.'),
      page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(),
    ])
    await expect(page.getByRole('table', { name: 'Files' }).getByText('Undone')).toHaveCount(2)
  })
})

test('a file left half way is found again under Files', async ({ page, person, request }) => {
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const path = `${explorer}/${database}`
  await signIn(page, person)
  await page.goto(`${path}/schema/data/files/new`)
  await page.getByLabel('File', { exact: true }).setInputFiles(csv('small.csv', ['id,name', '1,Ada']))
  await page.getByLabel('Column name for name').fill('first_name')
  await page.reload()
  await expect(page.getByLabel('Column name for name')).toHaveValue('first_name')
  await page.getByRole('button', { name: 'Leave it for later' }).click()
  await page.getByRole('table', { name: 'Files' }).getByText('small.csv').click()
  await expect(page.getByLabel('Column name for name')).toHaveValue('first_name')
})

test('a file that could not be read shows its rows as the choices change, and becomes a table', async ({
  page,
  person,
  request,
}) => {
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person)
  await page.goto(`${explorer}/${database}/schema/data/files/new`)
  const lines = ['Export of May', 'order;customer;amount', '1;Ada;2,50', '2;Bob;1.000,00', '3;Eve;7,25']
  await page.getByLabel('File', { exact: true }).setInputFiles(csv('orders.json', lines))
  await expect(page.getByRole('heading', { name: 'orders.json could not be read' })).toBeVisible()
  await expect(page.getByText('It can’t be read with these settings')).toBeVisible()
  await expect(page.getByRole('region', { name: 'First lines of the file' })).toContainText('1;Ada;2,50')

  const preview = page.getByRole('region', { name: 'Preview of the rows' })
  await page.getByLabel('Format').selectOption('Delimited text')
  await expect(preview.getByRole('columnheader')).toHaveText(['order', 'customer', 'amount'])
  await expect(preview.getByRole('row')).toHaveCount(4)
  await page.getByLabel('Other delimiter').fill(',')
  await expect(preview.getByRole('columnheader')).not.toHaveText(['order', 'customer', 'amount'])
  await page.getByLabel('Delimiter', { exact: true }).selectOption('Semicolon  ;')
  await page.getByLabel('Lines to skip at the top').fill('2')
  await page.getByLabel('Header').selectOption('No header')
  await expect(preview.getByRole('columnheader')).toHaveText(['column_1', 'column_2', 'column_3'])
  await page.getByLabel('Encoding').selectOption('UTF-16, big endian')
  await expect(page.getByText('It can’t be read with these settings')).toBeVisible()
  await page.getByLabel('Encoding').selectOption('UTF-8')
  await page.getByLabel('Lines to skip at the top').fill('1')
  await page.getByLabel('Header').selectOption('The first row holds the names')
  await expect(preview.getByRole('cell', { name: '1.000,00' })).toBeVisible()

  await page.getByRole('button', { name: 'Read it again' }).click()
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await page.getByRole('button', { name: 'Make the table with 3 rows' }).click()
  await page.getByRole('link', { name: 'Look at the rows' }).click()
  await expect(page.getByRole('gridcell', { name: '1000.00' })).toBeVisible()
})
