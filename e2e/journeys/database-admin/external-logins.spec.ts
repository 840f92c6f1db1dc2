import { runPgDump } from '@trellis/workspace-db/move/run-pg-dump'
import { seen } from '../../harness/notices.ts'
import { restoreDump } from '../../harness/outside.ts'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const dump = (url: URL, args: readonly string[]) =>
  runPgDump({ connectionString: Object.assign(new URL(url), { search: '' }).href }, args)

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

/** psql writes a random key into every dump. */
const withoutKeys = (dump: string) => dump.split('\n').filter((line) => !/^\\(?:un)?restrict/.test(line))

test('a BI login: made, let in, tried, rotated and revoked', async ({ page, person, request }) => {
  test.slow()
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  const path = `${explorer}/${database}`
  await signIn(page, person)

  await test.step('a role from templates, with its SQL seen before', async () => {
    await page.goto(`${path}/roles/new`)
    await page.getByLabel('Role name').fill('Dashboards')
    await page.getByLabel('Reader on data').check()
    await page.getByLabel('Reader on shop').check()
    await page.getByText('SQL that will run').click()
    await expect(page.getByLabel('SQL', { exact: true })).toContainText('grant ')
    await Promise.all([seen(page, 'Role created.'), page.getByRole('button', { name: 'Create role' }).click()])
    await expect(page.getByText('Reader on data')).toBeVisible()
  })

  const password = await test.step('a login with that role; its password is shown once', async () => {
    await page.goto(`${path}/external-profiles`)
    await page.getByRole('link', { name: 'New external profile' }).first().click()
    await page.getByLabel('Profile name').fill('BI tool')
    await page.getByRole('checkbox', { name: /^Dashboards/ }).check()
    await page.getByRole('button', { name: 'Create login' }).click()
    const dialog = page.getByRole('dialog', { name: 'The new login' })
    const shown = (await dialog.getByLabel('Password', { exact: true }).textContent()) ?? ''
    expect(shown.length).toBeGreaterThan(15)
    await expect(dialog.getByLabel('Connection string', { exact: true })).toContainText('••••')
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await expect(page.getByText(shown)).toHaveCount(0)
    return shown
  })

  const uri = await test.step('the address is let in and the login works', async () => {
    await page.goto(`${path}/connection`)
    await page.getByRole('button', { name: 'Add my IP' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click()
    await expect(page.getByRole('region', { name: 'Firewall rules' }).getByText(/\/(32|128)$/)).toBeVisible()
    // The dialog closes after a refetch; typing before would go into it.
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.getByLabel('Tool').selectOption('URI (libpq)')
    await page.getByRole('textbox', { name: /^Password/ }).fill(password)
    const text = page.getByLabel('URI (libpq)')
    await expect(text).toContainText('••••')
    await page.getByRole('button', { name: 'Test from here' }).click()
    await expect(page.getByText('It works', { exact: true })).toBeVisible()
    await text.locator('..').getByRole('button', { name: 'Copy' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(decodeURIComponent(new URL(copied).password)).toBe(password)
    return new URL(copied)
  })

  await test.step('pg_dump writes what it may read, and that is restored elsewhere', async () => {
    const args = ['--schema=shop', '--no-owner', '--no-privileges', '--inserts']
    const text = await dump(uri, args)
    expect(text).toContain('CREATE TABLE shop.orders (')
    expect(text).toContain('CREATE VIEW shop.daily_revenue AS')
    const restored = await restoreDump(text)
    expect(withoutKeys(await dump(restored, args))).toEqual(withoutKeys(text))
    await expect(dump(uri, ['--schema=trellis_loads'])).rejects.toThrow(/permission denied/)
  })

  await test.step('it can read and not make tables', async () => {
    await page.getByLabel('Do what').selectOption('read')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await expect(page.getByText('Yes, they could')).toBeVisible()
    await page.getByLabel('Do what').selectOption('make tables')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await expect(page.getByText('No, they could not')).toBeVisible()
    await page.goto(`${path}/rights`)
    await page.getByRole('button', { name: /^BI tool on data: *read/ }).click()
    await expect(page.getByRole('dialog')).toContainText('Dashboards')
    await page.keyboard.press('Escape')
  })

  await test.step('rotated, the old login works on for a while; revoked, nothing does', async () => {
    await page.goto(`${path}/external-profiles`)
    await page.getByRole('row', { name: /BI tool/ }).click()
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await expect(page.getByText('Older')).toBeVisible()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type revoke to confirm').fill('revoke')
    await Promise.all([
      seen(page, 'Profile revoked.'),
      dialog.getByRole('button', { name: 'Revoke', exact: true }).click(),
    ])
    await expect(page.getByRole('heading', { name: 'No external profiles yet' })).toBeVisible()
  })
})
