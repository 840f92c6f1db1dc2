import { holdClock, seen, seenInSteps } from '../harness/notices.ts'
import { leaveApp } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'

const REFUSED = 'An error occurred during login. The e-mail or password is not right.'

test.describe('a refused sign-in', () => {
  test.use({ expectedErrors: answered(401) })

  test('says the same for a wrong password and for nobody, and the toast is gone after three seconds', async ({
    page,
    person,
  }) => {
    await page.clock.install()
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
    await holdClock(page)
    for (const email of [person.email, 'nobody@example.com']) {
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByLabel('Password', { exact: true }).fill('Wrong-Horse-1')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await seenInSteps(page, REFUSED)
      await page.clock.runFor(2_900)
      await expect(page.getByText(REFUSED, { exact: true })).toBeVisible()
      await page.clock.runFor(100)
      await expect(page.getByText(REFUSED, { exact: true })).toHaveCount(0)
    }
    expect(await page.evaluate(() => localStorage.getItem('trellis.token'))).toBeNull()
  })
})

test.describe('with rate limits', () => {
  test.use({ connected: true, expectedErrors: answered(401, 429) })

  test('too many tries are told how long to wait', async ({ page }) => {
    const guess = { email: `guess-${Date.now()}@example.com`, password: 'Wrong-Horse-1' }
    // Until limited: attempts before and after a window's boundary count separately.
    while ((await page.request.post('/auth/login', { data: guess })).status() !== 429);
    await page.goto('/login')
    await page.getByLabel('Email', { exact: true }).fill(guess.email)
    await page.getByLabel('Password', { exact: true }).fill(guess.password)
    await Promise.all([
      seen(page, /^An error occurred during login\. Too many tries\. Wait \d+ (seconds|minutes) and try again\.$/),
      page.getByRole('button', { name: 'Sign in' }).click(),
    ])
  })
})

test('the address asked for is kept, another site is not', async ({ page, person }) => {
  const signIn = async (next: string) => {
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
  }
  await signIn('/profile/security')
  await expect(page).toHaveURL('/profile/security')
  await leaveApp(page)
  await page.evaluate(() => localStorage.clear())
  await signIn('//other.example/steal')
  await expect(page).toHaveURL('/workspaces')
})

test('the sign-in page has its links, and forwards who is signed in already', async ({ page, person }) => {
  await page.goto('/login')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgot-password')
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveAttribute('href', '/signup')
  await expect(page.getByRole('link', { name: 'Activate your account' })).toHaveAttribute('href', '/activate')
  await expect(page.getByText('you agree to the terms of service and the privacy policy')).toBeVisible()
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/workspaces')
  for (const path of ['/', '/login']) {
    await page.goto(path)
    await expect(page).toHaveURL('/workspaces')
  }
})

test('Tab goes from the e-mail to the password; the link for a forgotten one comes after', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeFocused()
})
