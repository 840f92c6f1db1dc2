import { readFile } from 'node:fs/promises'
import { startOutsideServer } from '../harness/outside.ts'
import { post, signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'

// The administration page is forbidden.
test.use({ expectedErrors: answered(403) })

test('a connected database is looked into and exported, and nothing offers to change it', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const outside = await startOutsideServer()
  const { account, explorer } = await giveWorkspaceWithTables(request, person)
  const { email, password } = person
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const made = await request.post(`/api/${account}/shop/integrations`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: { platform_trellis_code: 'postgresql', name: 'Warehouse', values: outside.values },
  })
  expect(made.ok(), await made.text()).toBe(true)
  const { integration_trellis_code: code } = ((await made.json()) as { data: { integration_trellis_code: string } })
    .data
  await signIn(page, person, `${explorer}/home`)
  const tree = page.getByRole('tree')

  await test.step('it stands beside the database of the workspace', async () => {
    await expect(page.getByRole('link', { name: /^Harbour shop/ }).first()).toBeVisible()
    await page.getByRole('link', { name: /^Warehouse connected/ }).click()
    await expect(page).toHaveURL(`${explorer}/${code}`)
    await expect(page.getByText(/Connected database · PostgreSQL \d+/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'New schema' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
  })

  await test.step('the tree leads to a table, whose rows come page by page', async () => {
    await page.getByRole('table', { name: 'Schemas' }).getByRole('link', { name: 'public' }).click()
    await expect(page.getByRole('link', { name: 'Upload file' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Files' })).toHaveCount(0)
    await tree.getByRole('treeitem', { name: 'parcels' }).click()
    await expect(page).toHaveURL(`${explorer}/${code}/schema/public/table/parcels/preview`)
    await expect(page.getByText('about 900 rows, 100 loaded')).toBeVisible()
    const grid = page.getByRole('grid', { name: 'Rows of parcels' })
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect(page.getByText('about 900 rows, 200 loaded')).toBeVisible()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const cell = page.getByRole('dialog', { name: 'note' })
    await expect(cell.getByLabel('Value')).toContainText('careful careful')
    await page.keyboard.press('Escape')
  })

  await test.step('what would change it is not offered', async () => {
    await expect(page.getByRole('link', { name: 'Upload', exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Actions for parcels' }).first().click()
    await expect(page.getByRole('menuitem', { name: 'Labels…' })).toBeVisible()
    for (const name of ['Rename…', 'Delete…', 'Append a file…', 'Replace by a file…', 'Upsert a file…']) {
      await expect(page.getByRole('menuitem', { name })).toHaveCount(0)
    }
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Description' }).click()
    await expect(page.getByText('What left the warehouse.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save description' })).toHaveCount(0)
    await page.goto(`${explorer}/${code}/roles`)
    await expect(page.getByText('This is a connected database').first()).toBeVisible()
  })

  await test.step('its rows are exported', async () => {
    await page.goto(`${explorer}/${code}/schema/public/table/heavy/preview`)
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Export/ })
    await dialog.getByRole('button', { name: 'Start export' }).click()
    const button = dialog.getByRole('button', { name: /^Download / })
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    expect([lines[0], lines.length]).toEqual(['id,city,weight,note', 101])
  })
  await outside.stop()
})
