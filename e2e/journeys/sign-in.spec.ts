import { seen } from '../harness/notices.ts'
import { newPerson } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test('sign up, read the code, activate, change name, password and theme, sign out, forgot, reset, sign in', async ({
  page,
  context,
  mailbox,
}) => {
  const person = newPerson()

  await page.goto('/')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { name: 'Create account' })).toBeVisible()
  await page.getByLabel('First name', { exact: true }).fill(person.firstName)
  await page.getByLabel('Last name', { exact: true }).fill(person.surname)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Account confirmation' })).toBeVisible()

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'built-in mailbox' }).click()
  const letters = await opened
  await letters.getByRole('link', { name: person.email }).click()
  const code = await letters.getByRole('article').locator('strong').textContent()
  expect(code).toMatch(/^\d{6}$/)
  await letters.close()

  await page.getByLabel('Code', { exact: true }).fill(code ?? '')
  const submit = page.getByRole('button', { name: 'Submit' })
  await Promise.all([seen(page, 'Account activated successfully.'), submit.click()])
  await expect(page).toHaveURL('/workspaces')
  await expect(page.getByText('Your profile is activated')).toBeVisible()
  await expect(page.getByText('No accounts')).toBeVisible()

  await page.goto('/profile/settings')
  await page.getByLabel('First name', { exact: true }).fill('Augusta')
  await page.getByLabel('Theme', { exact: true }).selectOption('dark')
  await Promise.all([
    seen(page, 'Changes successfully saved.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByLabel('First name', { exact: true })).toHaveValue('Augusta')

  const second = 'Another-Horse-8'
  await page.getByRole('link', { name: 'Password' }).click()
  await page.getByLabel('Current password', { exact: true }).fill(person.password)
  await page.getByLabel('New password', { exact: true }).fill(second)
  await page.getByLabel('Confirm new password', { exact: true }).fill(second)
  await Promise.all([
    seen(page, 'Changes successfully saved.'),
    page.getByRole('button', { name: 'Change password' }).click(),
  ])

  await page.getByRole('button', { name: 'Profile menu of Augusta Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => /token|profile|accounts|workspaces/.test(key))),
  ).toEqual([])

  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await submit.click()
  await expect(page.getByText('Reset code sent', { exact: true })).toBeVisible()
  const reset = await mailbox.read(person.email, /reset code/)
  const third = 'Third-Horse-9'
  await page.getByLabel('Reset code', { exact: true }).fill(reset.code)
  await page.getByLabel('New password', { exact: true }).fill(third)
  await page.getByLabel('Confirm password', { exact: true }).fill(third)
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Sign in to your workspace' })).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(person.email)
  await page.getByLabel('Password', { exact: true }).fill(third)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/workspaces')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
