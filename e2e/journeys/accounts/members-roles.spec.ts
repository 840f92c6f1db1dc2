import type { Page } from '@playwright/test'
import { seen } from '../../harness/notices.ts'
import { giveAccount, givePerson, giveView, signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'

const openActionsMenu = (page: Page, name: string) => page.getByRole('button', { name: `Actions for ${name}` }).click()

test('a role is changed and another workspace added; the open tab of the person follows', async ({
  page,
  visitor,
  person,
}) => {
  const code = await giveAccount(person)
  const guest = await givePerson()
  await giveView(guest, code, 'marketing')
  await signIn(visitor, guest)
  await expect(visitor.getByText('Finance')).toHaveCount(0)

  await signIn(page, person, `/${code}/settings?tab=members`)
  await openActionsMenu(page, 'Ada Lovelace')
  await expect(page.getByRole('menuitem', { name: 'Manage' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change role of Ada Lovelace' })
  await expect(dialog.getByLabel('Role in Marketing')).toHaveValue(/\d/)
  await dialog.getByLabel('Role in Marketing').selectOption('Editor')
  await dialog.getByLabel('Role in Finance').selectOption('Viewer')
  await dialog.getByRole('button', { name: 'Review changes' }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Marketing' })).toContainText('Viewer → Editor')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Finance' })).toContainText('No access → Viewer')
  await expect(dialog.getByRole('listitem').first()).toContainText('No database login.')
  await Promise.all([
    seen(page, 'Role successfully changed.'),
    dialog.getByRole('button', { name: 'Change role' }).click(),
  ])

  await visitor.reload()
  await visitor.getByRole('link', { name: 'Finance' }).click()
  await expect(visitor.getByRole('list', { name: 'People' })).toContainText('Viewer')

  await page.goto(`/${code}/settings?tab=audit`)
  await expect(page.getByRole('row', { name: /Role changed/ }).first()).toContainText('Marketing: viewer → editor')
})

test('a person with partial access leaves; the owner is told what to do first', async ({ page, visitor, person }) => {
  const code = await giveAccount(person)
  const guest = await givePerson()
  await giveView(guest, code, 'marketing')
  await signIn(visitor, guest, `/${code}/settings`)
  await visitor.getByRole('button', { name: 'Account actions' }).click()
  await visitor.getByRole('menuitem', { name: 'Leave account' }).click()
  await Promise.all([
    seen(visitor, 'You left Acme Analytics.'),
    visitor.getByRole('dialog').getByRole('button', { name: 'Leave account' }).click(),
  ])
  await expect(visitor.getByRole('heading', { name: 'No accounts' })).toBeVisible()

  await signIn(page, person, `/${code}/settings?tab=members`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Account actions' }).click()
  await page.getByRole('menuitem', { name: 'Leave account' }).click()
  await expect(page.getByText('You own this account. Hand the ownership on first, then leave.')).toBeVisible()
})

test('an invited person who has a profile signs in and answers on the invites page', async ({
  page,
  visitor,
  person,
  mailbox,
}) => {
  const code = await giveAccount(person)
  const guest = await givePerson()
  await signIn(page, person, `/${code}/settings?tab=members`)
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await dialog.getByLabel('Email addresses').fill(`${guest.email} `)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('radio', { name: 'Full control' }).check()
  await dialog.getByRole('button', { name: 'Add members' }).click()
  const { text } = await mailbox.read(guest.email, /invites you/)
  const link = new URL(/https?:\S+\/login\?\S+/.exec(text ?? '')?.[0] ?? '')

  await visitor.goto(link.pathname + link.search)
  await expect(visitor.getByLabel('Email')).toHaveValue(guest.email)
  await visitor.getByLabel('Password', { exact: true }).fill(guest.password)
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await expect(visitor).toHaveURL('/profile/invites')
  await visitor.getByRole('button', { name: 'Accept invite' }).click()
  await expect(visitor.getByRole('link', { name: 'Marketing' })).toBeVisible()
  for (const path of ['/signup', '/activate']) {
    await visitor.goto(path)
    await expect(visitor).toHaveURL('/workspaces')
  }
})

test.describe('a removed member', () => {
  test.use({ expectedErrors: answered(404) })

  test('reads in the open tab that access has ended', async ({ page, visitor, person }) => {
    const code = await giveAccount(person)
    const guest = await givePerson()
    await giveView(guest, code, 'marketing')
    await signIn(visitor, guest, `/${code}/settings`)
    await signIn(page, person, `/${code}/settings?tab=members`)
    await openActionsMenu(page, 'Ada Lovelace')
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await Promise.all([
      seen(page, 'Member successfully removed.'),
      page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click(),
    ])
    await visitor.getByRole('tab', { name: 'Members' }).click()
    await expect(visitor.getByRole('heading', { name: 'Your access has ended' })).toBeVisible()
    await visitor.getByRole('link', { name: 'Go to workspaces' }).click()
    await expect(visitor.getByRole('heading', { name: 'No accounts' })).toBeVisible()
  })
})
