import { seen } from '../harness/notices.ts'
import { signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test.use({ expectedErrors: /ERR_FAILED/ })

test('the generic error page has its words, a support link and a Retry that works', async ({ page, person }) => {
  await signIn(page, person)
  await page.route('**/api/profile-token', (route) => route.abort())
  await page.goto('/initialize-profile')
  await expect(page.getByRole('heading', { name: 'Oops! Something went wrong', exact: true })).toBeVisible()
  await expect(
    page.getByText(
      "We're sorry, but the action you requested couldn't be completed at this time. Please try again later.",
      { exact: true },
    ),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', /^mailto:/)
  await page.unroute('**/api/profile-token')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page).toHaveURL('/workspaces')
})

test('a list that cannot be loaded says so in its place and can be tried again', async ({ page, person }) => {
  await signIn(page, person)
  await page.route('**/auth/sessions', (route) => route.abort())
  await page.goto('/profile/security')
  await expect(page.getByRole('heading', { name: 'Your sessions could not be loaded' })).toBeVisible()
  await page.unroute('**/auth/sessions')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText('This session')).toBeVisible()
})

test('a change that cannot be saved says so, and the form keeps it', async ({ page, person }) => {
  await signIn(page, person, '/profile/settings')
  await page.route('**/api/profile-token', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByLabel('First name', { exact: true }).fill('Augusta')
  await Promise.all([
    seen(page, 'Your changes could not be saved.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await expect(page.getByLabel('First name', { exact: true })).toHaveValue('Augusta')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeEnabled()
})
