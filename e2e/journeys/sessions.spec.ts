import type { Page } from '@playwright/test'
import { seen } from '../harness/notices.ts'
import { leaveApp, signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'

const ISSUE = 'Authentication Issue. Please login again.'

test.use({ expectedErrors: answered(401, 422) })

async function expectSignedOut(page: Page): Promise<void> {
  await Promise.all([seen(page, ISSUE), page.goto('/profile/security')])
  await expect(page).toHaveURL('/')
}

test('one session is signed out from another', async ({ page, visitor, person }) => {
  await signIn(visitor, person)
  await leaveApp(visitor)
  await signIn(page, person, '/profile/security')
  const rows = page.getByRole('listitem').filter({ hasText: 'last used' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1)
  await Promise.all([seen(page, 'Session signed out.'), rows.getByRole('button', { name: /^Sign out/ }).click()])
  await expect(rows).toHaveCount(1)

  await expectSignedOut(visitor)
  await page.reload()
  await expect(rows).toHaveCount(1)
})

test('sign out everywhere ends this session and every other', async ({ page, visitor, person }) => {
  await signIn(visitor, person)
  await leaveApp(visitor)
  await signIn(page, person, '/profile/security')
  await page.getByRole('button', { name: 'Sign out everywhere…' }).click()
  await Promise.all([
    seen(page, 'You are signed out everywhere.'),
    page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click(),
  ])
  await expect(page).toHaveURL('/')
  await expectSignedOut(visitor)
})

test('a changed password signs the other sessions out and keeps this one', async ({
  page,
  visitor,
  person,
  mailbox,
}) => {
  await signIn(visitor, person)
  await leaveApp(visitor)
  await signIn(page, person, '/profile/password')
  await page.getByLabel('Current password', { exact: true }).fill('Not-The-Right-1')
  await page.getByLabel('New password', { exact: true }).fill('Changed-Horse-8')
  await page.getByLabel('Confirm new password', { exact: true }).fill('Changed-Horse-8')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert').getByText(/is not right/)).toBeVisible()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await Promise.all([
    seen(page, 'Changes successfully saved.'),
    page.getByRole('button', { name: 'Change password' }).click(),
  ])
  await mailbox.read(person.email, /password/i)
  await expectSignedOut(visitor)
  await page.goto('/profile/security')
  await expect(page.getByText('This session')).toBeVisible()
})
