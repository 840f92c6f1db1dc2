import type { Page } from '@playwright/test'
import { seen } from '../harness/notices.ts'
import { leaveApp, type Person, signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'
import { totp } from '../harness/totp.ts'

test.use({ expectedErrors: answered(401, 422) })

async function typePassword(page: Page, person: Person): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible()
}

test('set up with a secret, sign in with a code and with a recovery code, turn off', async ({
  page,
  visitor,
  person,
  mailbox,
}) => {
  await signIn(page, person, '/profile/security')
  await page.getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor sign-in' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = ((await dialog.locator('pre').first().textContent()) ?? '').trim()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)

  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByLabel('Code from the app', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(
    dialog.getByText('The authenticator code is not right. Check the clock of your phone and try again.'),
  ).toBeVisible()
  await dialog.getByLabel('Code from the app', { exact: true }).fill(totp(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(dialog.getByText('Two-factor sign-in is on')).toBeVisible()
  const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('trellis-recovery-codes.txt')
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()
  await mailbox.read(person.email, /two-factor/i)

  await typePassword(visitor, person)
  await visitor.getByLabel('Authenticator code', { exact: true }).fill('000000')
  await visitor.getByRole('button', { name: 'Verify' }).click()
  await expect(
    visitor
      .getByRole('alert')
      .getByText(/The authenticator code is not right/)
      .first(),
  ).toBeVisible()
  await visitor.getByLabel('Authenticator code', { exact: true }).fill(totp(secret, 1))
  await visitor.getByRole('button', { name: 'Verify' }).click()
  await expect(visitor).toHaveURL('/workspaces')

  await leaveApp(visitor)
  await visitor.evaluate(() => localStorage.clear())
  await typePassword(visitor, person)
  await visitor.getByRole('button', { name: 'Use a recovery code' }).click()
  await visitor.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '')
  await visitor.getByRole('button', { name: 'Verify' }).click()
  await expect(visitor).toHaveURL('/workspaces')
  await visitor.goto('/profile/security')
  await expect(visitor.getByText('9 recovery codes left.')).toBeVisible()

  await visitor.getByRole('button', { name: 'Turn off…' }).click()
  const off = visitor.getByRole('dialog', { name: 'Turn two-factor sign-in off' })
  await off.getByLabel('Password', { exact: true }).fill(person.password)
  await off.getByLabel('Code from the app, or a recovery code').fill(codes[1] ?? '')
  await Promise.all([
    seen(visitor, 'Two-factor sign-in is off.'),
    off.getByRole('button', { name: 'Turn off' }).click(),
  ])
  await expect(visitor.getByRole('button', { name: 'Set up…' })).toBeVisible()
})
