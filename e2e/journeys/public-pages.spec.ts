import { newPerson, post } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test('the mailbox shows a message without running anything in it', async ({ page }) => {
  const person = newPerson()
  await post(page.request, '/auth/signup', { ...person, firstName: '<img src=x onerror=alert(1)>' })
  await page.goto('/mailbox')
  await page.getByLabel('Search messages').fill(person.email)
  await page.getByRole('link', { name: person.email }).click()
  const frame = page.locator('iframe')
  await expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
  await expect(page.getByRole('article').locator('strong')).toHaveText(/^\d{6}$/)
  await expect(frame.contentFrame().getByText('Enter this code to activate your account.')).toBeVisible()
  const opened = page.waitForEvent('popup')
  await frame.contentFrame().getByRole('link', { name: 'Open the activation page' }).click()
  await expect(await opened).toHaveURL(/\/activate/)
})

test('the API reference lists every call and finds one by its words', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const calls = page.getByRole('navigation', { name: 'Calls' })
  const login = calls.getByRole('link', { name: 'Sign in with e-mail and password' })
  await expect(login.first()).toBeVisible()
  await page.getByLabel('Search calls').fill('recovery')
  await expect(login).toHaveCount(0)
  await calls.getByRole('link', { name: /shows the recovery codes once/ }).click()
  await expect(page.getByText('/auth/second-factor/confirm').first()).toBeVisible()
})

test('pages are sent with a policy that names no other host', async ({ request }) => {
  for (const path of ['/login', '/workspaces', '/docs']) {
    const policy = (await request.get(path)).headers()['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
  }
})
