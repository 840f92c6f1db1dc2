import { seen } from '../../harness/notices.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'

test('a token calls the API in its owner’s name until it is revoked', async ({ page, person, playwright, baseURL }) => {
  const code = await giveAccount(person)
  await signIn(page, person, '/profile/tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Nightly export')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const secret = (await dialog.getByLabel('Token', { exact: true }).textContent()) ?? ''
  expect(secret).toMatch(/^trl_pat_/)
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  await expect(page.getByText(/never used/)).toBeVisible()

  const program = await playwright.request.newContext({
    baseURL: baseURL ?? '',
    extraHTTPHeaders: { authorization: `Bearer ${secret}` },
  })
  const answer = await program.get('/api/account')
  expect(((await answer.json()) as { data: { trellis_code: string }[] }).data.map((item) => item.trellis_code)).toEqual(
    [code],
  )
  await page.reload()
  await expect(page.getByText(/last used just now/)).toBeVisible()
  await page.getByRole('button', { name: 'Revoke Nightly export' }).click()
  await Promise.all([
    seen(page, 'Token revoked.'),
    page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click(),
  ])
  await expect(page.getByRole('heading', { name: 'No tokens' })).toBeVisible()
  expect((await program.get('/api/account')).status()).toBe(401)
  await program.dispose()
})

test('what is done in an account stands in its audit log', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person, `/${code}/settings`)
  await page.getByLabel('Account name').fill('Audited')
  await Promise.all([
    seen(page, 'Account configuration successfully saved.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await page.getByRole('tab', { name: 'Audit log' }).click()
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Account renamed')
  await rows.nth(1).click()
  const panel = page.getByRole('dialog', { name: 'Account renamed' })
  await expect(panel).toContainText(person.email)
  await panel.getByRole('button', { name: 'Close' }).click()
  await page.getByLabel('Outcome').selectOption('Failed')
  await expect(page.getByText('No entry matches these filters.')).toBeVisible()
  await expect(page).toHaveURL(`/${code}/settings?tab=audit&outcome=failed`)
})
