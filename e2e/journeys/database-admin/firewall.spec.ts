import { seen } from '../../harness/notices.ts'
import { signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

test.use({ expectedErrors: answered(409) })

test('a firewall rule is edited: left as it was, changed, opened to everybody only when that is confirmed', async ({
  page,
  person,
  request,
}) => {
  const { explorer, database } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person)
  await page.goto(`${explorer}/${database}/connection`)
  const rules = page.getByRole('region', { name: 'Firewall rules' })
  const dialog = page.getByRole('dialog', { name: 'Edit the rule Office' })
  const address = dialog.getByLabel('Address or range')
  const save = dialog.getByRole('button', { name: 'Save rule' })

  await test.step('a rule', async () => {
    await page.getByRole('button', { name: 'Add a rule' }).click()
    await page.getByLabel('Rule name').fill('Office')
    await page.getByLabel('Address or range').fill('203.0.113.0/24')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('203.0.113.0/24')
  })

  await test.step('cancelled, nothing changes', async () => {
    await rules.getByRole('button', { name: 'Edit Office' }).click()
    await address.fill('198.51.100.7')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('203.0.113.0/24')
  })

  await test.step('saved, it takes the place of the old one', async () => {
    await rules.getByRole('button', { name: 'Edit Office' }).click()
    await expect(address).toHaveValue('203.0.113.0/24')
    await address.fill('198.51.100.7')
    await Promise.all([seen(page, 'Rule saved.'), save.click()])
    await expect(rules.getByRole('row')).toHaveCount(2)
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('198.51.100.7/32')
  })

  await test.step('every address: asked first, given up, then confirmed and marked', async () => {
    await rules.getByRole('button', { name: 'Edit Office' }).click()
    await address.fill('0.0.0.0/0')
    await expect(dialog.getByText('That is the whole internet')).toBeVisible()
    await save.click()
    await expect(dialog.getByRole('button', { name: 'Let every address in' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('198.51.100.7/32')

    await rules.getByRole('button', { name: 'Edit Office' }).click()
    await address.fill('0.0.0.0/0')
    await save.click()
    await dialog.getByRole('button', { name: 'Let every address in' }).click()
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('Any address')
    await page.reload()
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('Any address')
    await expect(rules.getByRole('row', { name: /Office/ })).toContainText('0.0.0.0/0')
  })
})
