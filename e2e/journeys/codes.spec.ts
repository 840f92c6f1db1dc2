import { seen } from '../harness/notices.ts'
import { newPerson, PASSWORD, post } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'

test.describe('a wrong code', () => {
  test.use({ expectedErrors: answered(422) })

  test('activation says so and keeps the form', async ({ page }) => {
    const person = newPerson()
    await post(page.request, '/auth/signup', person)
    await page.goto('/activate')
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('An error occurred during login. Please try again.', { exact: true })).toBeVisible()
    await expect(page.getByText('The code is not right or has expired.')).toHaveCount(1)
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
    await expect(page.getByLabel('Code', { exact: true })).toHaveValue('000000')
  })

  test('reset says so', async ({ page, person }) => {
    await page.goto('/forgot-password')
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Reset code', { exact: true }).fill('000000')
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Oops! Something went wrong, try again.', { exact: true })).toBeVisible()
  })
})

test.describe('no answer', () => {
  test.use({ expectedErrors: /ERR_FAILED|ERR_CONNECTION/ })

  test('forgot password says so', async ({ page }) => {
    await page.route('**/auth/forgot-password', (route) => route.abort())
    await page.goto('/forgot-password')
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Oops! Something went wrong, try again.', { exact: true })).toBeVisible()
    await expect(page.getByText('Trellis cannot be reached. Check your connection and try again.')).toBeVisible()
  })
})

test('without a password passed on, activation leads to the sign-in page', async ({ page, mailbox }) => {
  const person = newPerson()
  await post(page.request, '/auth/signup', person)
  const { code } = await mailbox.read(person.email, /activation/)
  await page.goto('/activate')
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your account is active. Sign in.')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(person.email)
})

test.describe('in another browser', () => {
  test.use({ expectedErrors: answered(422) })

  test('activation asks for the password chosen at sign-up, then signs in', async ({
    page,
    mailbox,
    browser,
    baseURL,
  }) => {
    const person = newPerson()
    const elsewhere = await browser.newContext(baseURL === undefined ? {} : { baseURL })
    await post(elsewhere.request, '/auth/signup', person)
    await elsewhere.close()
    const { code } = await mailbox.read(person.email, /activation/)
    await page.goto('/activate')
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('You signed up in another browser. Enter the password you chose there.')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page).toHaveURL('/workspaces')
  })
})

test('reset without an e-mail in its history goes to forgot password', async ({ page }) => {
  await page.goto('/reset')
  await expect(page).toHaveURL('/forgot-password')
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
})

test('a new code can be asked for after a while', async ({ page, mailbox }) => {
  await page.clock.install()
  const person = newPerson()
  await page.goto('/signup')
  await page.getByLabel('First name', { exact: true }).fill(person.firstName)
  await page.getByLabel('Last name', { exact: true }).fill(person.surname)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Register' }).click()
  const first = await mailbox.read(person.email, /activation/)
  const again = page.getByRole('button', { name: /^Send a new code/ })
  await expect(again).toBeDisabled()
  await expect(async () => {
    await page.clock.runFor(1_000)
    expect(await again.isEnabled()).toBe(true)
  }).toPass({ intervals: [50] })
  await Promise.all([seen(page, 'A new code is on its way.'), again.click()])
  await expect(async () => {
    const second = await mailbox.read(person.email, /activation/)
    expect(second.id).toBeGreaterThan(first.id)
  }).toPass()
  const second = await mailbox.read(person.email, /activation/)
  await page.getByLabel('Code', { exact: true }).fill(second.code)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL('/workspaces')
})
