import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { enterDark } from './enter.ts'
import { photograph } from './photograph.ts'

test('users, groups, roles, external profiles, rights and the connection', async ({ page, person, request }) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const path = `${explorer}/${database}`
  await enterDark(page, person)
  for (const [name, none] of [
    ['groups', 'No groups yet'],
    ['external-profiles', 'No external profiles yet'],
  ] as const) {
    await page.goto(`${path}/${name}`)
    await expect(page.getByRole('heading', { name: none })).toBeVisible()
    await photograph(page, `admin-${name}-none`)
  }
  await page.goto(`${path}/roles/new`)
  await page.getByLabel('Role name').fill('Dashboards')
  await page.getByLabel('Writer on shop').check()
  await page.getByText('SQL that will run').click()
  await expect(page.getByLabel('SQL', { exact: true })).toBeVisible()
  await photograph(page, 'admin-role', { isWhole: true })
  await page.getByRole('button', { name: 'Create role' }).click()
  await expect(page.getByText('Writer on shop')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Roles', exact: true })).toBeVisible()
  await photograph(page, 'admin-roles')
  await page.goto(`${path}/external-profiles/new`)
  await page.getByLabel('Profile name').fill('BI tool')
  await page.getByRole('checkbox', { name: /^Dashboards/ }).check()
  await photograph(page, 'admin-external-new', { isWhole: true })
  await page.getByRole('button', { name: 'Create login' }).click()
  await expect(page.getByRole('dialog', { name: 'The new login' })).toBeVisible()
  await photograph(page, 'admin-secret')
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('table', { name: 'External profiles' })).toBeVisible()
  await photograph(page, 'admin-external-profiles')
  await page.goto(`${path}/users/new`)
  await expect(page.getByLabel('Member of the workspace')).toBeVisible()
  await photograph(page, 'admin-user-new')
  await page.goto(`${path}/users`)
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible()
  await photograph(page, 'admin-users')
  await page.goto(`${path}/rights`)
  await expect(page.getByRole('button', { name: /^BI tool on shop/ })).toBeVisible()
  await photograph(page, 'admin-rights')
  await page.goto(`${path}/connection`)
  await expect(page.getByText('Connected now')).toBeVisible()
  await photograph(page, 'admin-connection', { isWhole: true })
  await page.getByRole('button', { name: 'Add my IP' }).click()
  await photograph(page, 'admin-firewall-rule')
})
