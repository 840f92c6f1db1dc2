import { seen } from '../harness/notices.ts'
import { signIn, signUp } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

const ISSUE = 'Authentication Issue. Please login again.'
const MINUTES = 60_000

test('90 minutes without a sign of life end the session', async ({ page, person }) => {
  await page.clock.install()
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible()
  await page.clock.fastForward(80 * MINUTES)
  await page.mouse.move(200, 200)
  await page.mouse.move(220, 240)
  await page.clock.fastForward(89 * MINUTES)
  await expect(page).toHaveURL('/workspaces')
  await page.clock.fastForward(2 * MINUTES)
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.getItem('trellis.profile'))).toBeNull()
})

test('signing out in one tab signs the other out', async ({ page, context, person }) => {
  await signIn(page, person)
  const other = await context.newPage()
  await other.goto('/profile/settings')
  await expect(other.getByRole('heading', { name: 'Profile settings' })).toBeVisible()
  await page.getByRole('button', { name: /^Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(other).toHaveURL('/')
  await expect(other.getByText(ISSUE)).toHaveCount(0)
})

test('another person signing in in another tab ends this tab’s session', async ({
  page,
  context,
  person,
  request,
  mailbox,
}) => {
  const someoneElse = await signUp(request, mailbox)
  await signIn(page, person)
  const other = await context.newPage()
  await other.goto('/workspaces')
  await expect(other.getByRole('heading', { name: 'Workspaces' })).toBeVisible()
  await Promise.all([seen(page, ISSUE), signIn(other, someoneElse)])
  await expect(page).toHaveURL('/')
  await expect(other.getByRole('heading', { name: 'Workspaces' })).toBeVisible()
  await other.reload()
  await expect(other).toHaveURL('/workspaces')
})
