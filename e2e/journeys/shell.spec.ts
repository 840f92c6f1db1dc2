import { giveAccount, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveEmptyWorkspace } from '../harness/workspace-data.ts'

test('the profile menu opens the settings only with a workspace', async ({ page, person }) => {
  await signIn(page, person)
  const menu = page.getByRole('button', { name: 'Profile menu of Ada Lovelace' })
  const settings = page.getByRole('menuitem', { name: 'Profile settings' })
  await menu.click()
  await expect(settings).toHaveAttribute('aria-disabled', 'true')
  await settings.click({ force: true })
  await expect(page).toHaveURL('/workspaces')

  await giveAccount(person)
  await page.reload()
  await expect(page.getByText('Marketing', { exact: true })).toBeVisible()
  await menu.click()
  await expect(settings).not.toHaveAttribute('aria-disabled')
  await settings.click()
  await expect(page).toHaveURL('/profile/settings')
})

test('back goes to the latest earlier page of the product, or to the fallback', async ({ page, person }) => {
  await giveAccount(person)
  await signIn(page, person)
  await page.getByRole('button', { name: /^Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Profile settings' }).click()
  await expect(page.getByRole('heading', { name: 'Profile settings' })).toBeVisible()
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page).toHaveURL('/profile/security')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL('/workspaces')

  const fresh = await page.context().newPage()
  await fresh.goto('/profile/password')
  await fresh.getByRole('button', { name: 'Back' }).click()
  await expect(fresh).toHaveURL('/workspaces')
})

test('the account is in reach of every workspace, and the workspace stays in view', async ({ page, person }) => {
  const code = await giveAccount(person, [])
  await giveEmptyWorkspace(page.request, person, { account: code, name: 'Marketing', workspace_address: 'marketing' })
  await signIn(page, person)
  await page.goto(`/${code}/marketing/dataflows`)
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  for (const [line, tab] of [
    ['Members', 'members'],
    ['Billing', 'billing'],
    ['Plan & Utilization', 'plan-utilization'],
    ['AI model', 'model'],
    ['Audit log', 'audit'],
    ['Account settings', 'details'],
  ] as const) {
    await sidebar.getByRole('link', { name: line }).click()
    await expect(page).toHaveURL(`/${code}/settings?tab=${tab}`)
    await expect(sidebar.getByRole('link', { name: line })).toHaveAttribute('aria-current', 'page')
    await expect(sidebar.getByRole('link', { name: 'Dataflows' })).toHaveAttribute(
      'href',
      `/${code}/marketing/dataflows`,
    )
  }
  await page.reload()
  await expect(sidebar.getByRole('button', { name: /^Marketing/ })).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(`/${code}/marketing/dataflows`)

  await sidebar.getByRole('button', { name: /^Marketing/ }).click()
  await page.getByRole('menuitem', { name: /^Members/ }).click()
  await expect(page).toHaveURL(`/${code}/settings?tab=members`)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused()
  await page.keyboard.type('invoice')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/${code}/settings?tab=billing`)
})

test.describe('where the system is dark', () => {
  test.use({ colorScheme: 'dark' })

  test('so is Trellis, until a theme is chosen', async ({ page, person }) => {
    await signIn(page, person)
    const root = page.locator('html')
    await expect(root).toHaveAttribute('data-theme', 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(root).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Switch to the light theme' }).click()
    await saved
    await page.reload()
    await expect(page.getByRole('button', { name: 'Switch to the dark theme' })).toBeVisible()
    await expect(root).toHaveAttribute('data-theme', 'light')
  })
})

test('the theme button changes the theme everywhere and keeps it', async ({ page, visitor, person }) => {
  await signIn(page, person)
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  expect((await saved).status()).toBe(200)
  await signIn(visitor, person)
  await expect(visitor.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an address that leads nowhere says so', async ({ page, person }) => {
  await signIn(page, person)
  await page.goto('/no-such-page')
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to workspaces' }).click()
  await expect(page).toHaveURL('/workspaces')
  await expect(page).toHaveTitle('Workspaces · Trellis')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the sidebar is a drawer', async ({ page, person }) => {
    await signIn(page, person, '/profile/settings')
    await expect(page.getByRole('link', { name: 'Workspaces' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Open navigation' }).click()
    await page
      .getByRole('dialog', { name: 'Navigation' })
      .getByRole('link', { name: 'Workspaces', exact: true })
      .click()
    await expect(page).toHaveURL('/workspaces')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
