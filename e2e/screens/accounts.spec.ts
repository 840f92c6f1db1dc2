import type { Page } from '@playwright/test'
import { endPlan } from '../harness/accounts.ts'
import { giveAccount, type Person, signIn, signUp } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { photograph, type Theme, THEMES } from './photograph.ts'

const DAY = 86_400_000

async function enter(page: Page, { person, theme }: { person: Person; theme: Theme }): Promise<void> {
  await signIn(page, person)
  if (theme === 'light') return
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  await saved
}

for (const theme of THEMES) {
  test.describe(theme, () => {
    test('workspaces, their dashboard and settings', async ({ page, person }) => {
      const code = await giveAccount(person)
      await endPlan(code, new Date(Date.now() + 9 * DAY))
      await enter(page, { person, theme })
      await page.getByRole('button', { name: 'New workspace' }).click()
      await photograph(page, 'workspace-new', { theme })
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Actions for Finance' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await photograph(page, 'workspace-delete', { theme })
      await page.keyboard.press('Escape')
      await page.goto(`/${code}/marketing/dashboard`)
      await expect(page.getByRole('list', { name: 'People' })).toBeVisible()
      await photograph(page, 'dashboard', { theme })
      await page.goto(`/${code}/marketing/settings`)
      await expect(page.getByLabel('Workspace name')).toBeVisible()
      await photograph(page, 'workspace-settings', { theme })
      await page.goto(`/${code}/create-workspace`)
      await expect(page.getByLabel('Workspace name')).toBeVisible()
      await photograph(page, 'workspace-create', { theme })
    })

    test('account settings, members and the audit log', async ({ page, person }) => {
      test.slow()
      const code = await giveAccount(person)
      await enter(page, { person, theme })
      await page.goto(`/${code}/settings`)
      await expect(page.getByText('You are the only member')).toBeVisible()
      await photograph(page, 'account-details', { theme })
      await page.getByRole('button', { name: 'Account actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await photograph(page, 'account-delete', { theme })
      await page.keyboard.press('Escape')
      await page.getByRole('tab', { name: 'Members' }).click()
      await page.getByRole('button', { name: 'Add members' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add members' })
      await dialog.getByLabel('Email addresses').fill('nonsense kurt@example.com ')
      await photograph(page, 'members-emails', { theme })
      await dialog.getByRole('button', { name: 'Take nonsense out' }).click()
      await dialog.getByRole('button', { name: 'Next' }).click()
      await photograph(page, 'members-access', { theme })
      await dialog.getByRole('radio', { name: 'Partial access' }).check()
      await dialog.getByRole('button', { name: 'Next' }).click()
      await dialog.getByLabel('Role in all workspaces').selectOption('Editor')
      await photograph(page, 'members-roles', { theme })
      await dialog.getByRole('button', { name: 'Add members' }).click()
      await expect(dialog.getByText('Invite Sent')).toBeVisible()
      await photograph(page, 'members-results', { theme })
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(page.getByRole('row', { name: 'kurt@example.com' })).toBeVisible()
      await photograph(page, 'members', { theme })
      await page.getByRole('tab', { name: 'Audit log' }).click()
      await page.getByRole('row', { name: 'Members invited' }).click()
      await photograph(page, 'audit-line', { theme })
      await page.keyboard.press('Escape')
      await photograph(page, 'audit', { theme })
    })

    test('invites, tokens, a new account and one that is over', async ({ page, person }) => {
      test.slow()
      const code = await giveAccount(person)
      await enter(page, { person, theme })
      await page.goto('/profile/invites')
      await expect(page.getByRole('heading', { name: 'No invites' })).toBeVisible()
      await photograph(page, 'invites-none', { theme })
      await page.goto('/profile/tokens')
      await page.getByRole('button', { name: 'Create token' }).click()
      await photograph(page, 'token-new', { theme })
      await page.getByRole('dialog').getByLabel('Name').fill('Nightly export')
      await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
      await expect(page.getByRole('button', { name: 'I have copied it' })).toBeVisible()
      await photograph(page, 'token-secret', { theme })
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await photograph(page, 'tokens', { theme })
      await page.goto('/account/invite-declined')
      await expect(page.getByRole('heading', { name: 'Invite declined' })).toBeVisible()
      await photograph(page, 'invite-declined', { theme })
      await page.goto('/create-account')
      await expect(page.getByLabel('Account name')).toBeVisible()
      await photograph(page, 'account-create', { theme })
      await endPlan(code, new Date(Date.now() - DAY))
      await page.goto(`/${code}/settings`)
      await expect(page.getByRole('heading', { name: 'Account deactivated' })).toBeVisible()
      await photograph(page, 'account-deactivated', { theme })
      await page.getByRole('link', { name: 'Back to workspace selection' }).click()
      await expect(page.getByText('Plan expired')).toBeVisible()
      await photograph(page, 'workspaces-expired', { theme })
    })

    test('an invite that waits, alone on the page and above a list', async ({
      page,
      person,
      visitor,
      request,
      mailbox,
    }) => {
      const [owner, guest] = [person, await signUp(request, mailbox)]
      const code = await giveAccount(owner)
      await signIn(visitor, owner, `/${code}/settings?tab=members`)
      await visitor.getByRole('button', { name: 'Add members' }).click()
      const dialog = visitor.getByRole('dialog', { name: 'Add members' })
      await dialog.getByLabel('Email addresses').fill(`${guest.email} `)
      await dialog.getByRole('button', { name: 'Next' }).click()
      await dialog.getByRole('radio', { name: 'Full control' }).check()
      await dialog.getByRole('button', { name: 'Add members' }).click()
      await expect(dialog.getByText('Invite Sent')).toBeVisible()
      await enter(page, { person: guest, theme })
      await expect(page.getByRole('heading', { name: 'Pending invite' })).toBeVisible()
      await photograph(page, 'invite-pending', { theme })
      await giveAccount(guest)
      await page.reload()
      await expect(page.getByRole('link', { name: 'Marketing' })).toBeVisible()
      await photograph(page, 'invites-banner', { theme })
    })
  })
}
