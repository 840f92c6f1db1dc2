import { readFile } from 'node:fs/promises'
import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from '../../harness/environment.ts'
import { giveAccount, givePerson, post, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { changeTables, giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test('the sandbox is created, broken and reset; its console says when no model is connected', async ({
  page,
  person,
  request,
}) => {
  const givenWorkspace = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `/${givenWorkspace.account}/shop/sandbox`)
  await page.getByRole('button', { name: 'Create the sandbox' }).click()
  const tables = page.getByRole('list', { name: 'Tables of the sandbox' })
  await expect(tables.getByRole('link', { name: 'orders', exact: true })).toBeVisible()
  await changeTables(givenWorkspace, 'drop table sandbox.orders cascade')
  await page.reload()
  await expect(tables.getByRole('link', { name: 'customers', exact: true })).toBeVisible()
  await expect(tables.getByRole('link', { name: 'orders', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Reset the sandbox?' })
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(tables.getByRole('link', { name: 'orders', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Model console' }).click()
  await expect(page.getByRole('heading', { name: 'Model console' })).toBeVisible()
  await expect(page.getByText('No model is connected')).toBeVisible()
})

test('the bell shows an invite until it is read, and keeps the choice of a digest', async ({
  page,
  person,
  request,
}) => {
  await giveAccount(person)
  const inviter = await givePerson()
  const account = await giveAccount(inviter)
  const { email, password } = inviter
  const { access_token } = (await post(request, '/auth/login', { email, password })) as { access_token: string }
  const invited = await request.post(`/api/${account}/invite`, {
    headers: { authorization: `Bearer ${access_token}` },
    data: [{ user_email: person.email, account_role_id: 2, workspace_roles: [] }],
  })
  expect(invited.ok(), await invited.text()).toBe(true)
  await signIn(page, person)
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await page.getByRole('button', { name: 'Notifications, 1 unread', exact: true }).click()
  await expect(panel.getByRole('link', { name: /invited you to/ })).toBeVisible()
  await panel.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(panel.getByText('Unread', { exact: true })).toHaveCount(0)
  const digest = panel.getByLabel('E-mail me a digest of unread notifications', { exact: true })
  const saved = page.waitForResponse(
    (item) => item.request().method() === 'PATCH' && item.url().endsWith('/notifications'),
  )
  await digest.selectOption({ label: 'Every morning' })
  expect((await saved).ok()).toBe(true)
  await page.reload()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expect(panel.getByRole('link', { name: /invited you to/ })).toBeVisible()
  await expect(digest).toHaveValue('daily')
})

test('utilization shows what was measured so far and exports it', async ({ page, person, request }) => {
  const { account } = await giveWorkspaceWithTables(request, person)
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    await control.pool.query(
      `insert into usage_hours (account_id, workspace_id, hour, storage_bytes, rows_moved, run_seconds, queries, credits_spent)
       select w.account_id, w.id, date_trunc('hour', now()) - interval '2 hours', 9000000, 4321, 60, 7, 0
         from workspaces w join accounts a on a.id = w.account_id where a.trellis_code = $1`,
      [account],
    )
  } finally {
    await control.close()
  }
  await signIn(page, person, `/${account}/shop/utilization`)
  await expect(page.getByRole('img', { name: /^Storage\. / })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Rows moved by dataflows\. / })).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('utilization-shop.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('rows_moved,"",4321')
})
