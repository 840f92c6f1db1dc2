import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { enterDark } from './enter.ts'
import { photograph } from './photograph.ts'

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a file from the drop zone to its table', async ({ page, person, request }) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const schema = `${explorer}/${database}/schema/shop`
  await enterDark(page, person)
  await page.goto(`${schema}/files`)
  await expect(page.getByRole('heading', { name: 'No files yet' })).toBeVisible()
  await photograph(page, 'uploads-files-none')
  await page.goto(`${schema}/files/new`)
  await expect(page.getByRole('heading', { name: 'Drop a file here' })).toBeVisible()
  await photograph(page, 'uploads-drop')
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles(csv('visits.csv', 'id,page,seconds\n1,/home,12\n2,/pricing,soon\n3,/home,8\n'))
  await expect(page.getByLabel('Name of the new table')).toHaveValue('visits')
  await page.getByLabel('Type of seconds').selectOption('Whole number')
  await page.getByRole('button', { name: 'How it is read' }).click()
  await photograph(page, 'uploads-model', { isWhole: true })
  await page.getByRole('button', { name: 'Check all rows' }).click()
  await expect(page.getByRole('heading', { name: '1 row does not fit' })).toBeVisible()
  await photograph(page, 'uploads-check')
  await page.getByLabel(/^Put them in quarantine/).check()
  await page.getByRole('button', { name: 'Make the table with 2 rows' }).click()
  await expect(page.getByText('in quarantine')).toBeVisible()
  await photograph(page, 'uploads-success')
  await page.goto(`${schema}/files`)
  await expect(page.getByRole('table', { name: 'Files' })).toBeVisible()
  await photograph(page, 'uploads-files')
  await page.goto(`${schema}/table/customers/upload`)
  await expect(page.getByText('No file has gone into this table yet.')).toBeVisible()
  await photograph(page, 'uploads-choice')
  await page.goto(`${schema}/table/customers/append`)
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles(csv('more.csv', 'id,full name,joined\n401,Ada,2026-02-01\n1,Bob,2026-02-02\n'))
  await expect(page.getByLabel('Column for full name')).toBeVisible()
  await photograph(page, 'uploads-mapping', { isWhole: true })
})
