import { signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'

const ISSUE = 'Authentication Issue. Please login again.'

test.use({ expectedErrors: [answered(401, 422)] })

test('one session is signed out from another', async ({ page, visitor, person }) => {
  await signIn(visitor, person)
  await signIn(page, person, '/profile/security')
  const rows = page.getByRole('listitem').filter({ hasText: 'last used' })
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1)
  await rows.getByRole('button', { name: /^Sign out/ }).click()
  await expect(page.getByText('Session signed out.')).toBeVisible()
  await expect(rows).toHaveCount(1)

  await visitor.goto('/profile/security')
  await expect(visitor).toHaveURL('/')
  await expect(visitor.getByText(ISSUE, { exact: true })).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(1)
})

test('sign out everywhere ends this session and every other', async ({ page, visitor, person }) => {
  await signIn(visitor, person)
  await signIn(page, person, '/profile/security')
  await page.getByRole('button', { name: 'Sign out everywhere…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('You are signed out everywhere.')).toBeVisible()
  await visitor.goto('/profile/security')
  await expect(visitor).toHaveURL('/')
  await expect(visitor.getByText(ISSUE, { exact: true })).toBeVisible()
})

test('a changed password signs the other sessions out and keeps this one', async ({ page, visitor, person, mailbox }) => {
  await signIn(visitor, person)
  await signIn(page, person, '/profile/password')
  await page.getByLabel('Current password', { exact: true }).fill('Not-The-Right-1')
  await page.getByLabel('New password', { exact: true }).fill('Changed-Horse-8')
  await page.getByLabel('Confirm new password', { exact: true }).fill('Changed-Horse-8')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert').getByText(/is not right/)).toBeVisible()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Changes successfully saved.', { exact: true })).toBeVisible()
  await mailbox.read(person.email, /password/i)
  await visitor.goto('/profile/security')
  await expect(visitor).toHaveURL('/')
  await page.goto('/profile/security')
  await expect(page.getByText('This session')).toBeVisible()
})
