import type { Page } from '@playwright/test'
import { seen } from '../../harness/notices.ts'
import { giveAccount, newPerson, type Person, post, signIn, signUp } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'

async function openWizard(page: Page, code: string, emails: string) {
  await page.goto(`/${code}/settings?tab=members`)
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await dialog.getByLabel('Email addresses').fill(`${emails} `)
  await dialog.getByRole('button', { name: 'Next' }).click()
  return dialog
}

async function invitePartly(page: Page, code: string, person: Person) {
  const dialog = await openWizard(page, code, person.email)
  await dialog.getByRole('radio', { name: 'Partial access' }).check()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Read tables' })).toBeDisabled()
  await dialog.getByLabel('Role in all workspaces').selectOption('Viewer')
  await dialog.getByLabel('Role in Finance').selectOption('No access')
  await Promise.all([
    seen(page, 'Members successfully added. Confirmation emails sent.'),
    dialog.getByRole('button', { name: 'Add members' }).click(),
  ])
  await expect(dialog.getByText('Invite Sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}

test('an invited newcomer signs up, accepts and holds exactly the role given', async ({
  page,
  visitor,
  person,
  mailbox,
  request,
}) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  const guest = newPerson()
  await invitePartly(page, code, guest)
  await expect(page.getByRole('row', { name: guest.email })).toContainText('Pending')
  expect((await mailbox.read(guest.email, /invites you/)).text).toContain('Acme Analytics')

  await post(request, '/auth/signup', guest)
  const { code: activation } = await mailbox.read(guest.email, /activation/)
  await post(request, '/auth/signup/confirm', { email: guest.email, code: activation })
  await signIn(visitor, guest)
  await expect(visitor.getByRole('heading', { name: 'Pending invite' })).toBeVisible()
  await Promise.all([seen(visitor, 'Invite accepted'), visitor.getByRole('button', { name: 'Accept invite' }).click()])
  await expect(visitor.getByRole('link', { name: 'Marketing' })).toBeVisible()
  await expect(visitor.getByText('Finance')).toHaveCount(0)
  await visitor.getByRole('link', { name: 'Marketing' }).click()
  await expect(visitor.getByRole('list', { name: 'People' })).toContainText('Viewer')
  await visitor.goto(`/${code}/settings?tab=audit`)
  await expect(visitor.getByRole('tab')).toHaveText(['Details', 'Members', 'Plan & Utilization', 'AI model'])

  await page.reload()
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await expect(page.getByRole('menuitem', { name: 'Manage' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await Promise.all([
    seen(page, 'Member successfully removed.'),
    page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click(),
  ])
  await visitor.goto('/workspaces')
  await expect(visitor.getByRole('heading', { name: 'No accounts' })).toBeVisible()
})

test('full control skips the third step; who is a member already is told as such', async ({
  page,
  person,
  request,
  mailbox,
}) => {
  const code = await giveAccount(person)
  const friend = await signUp(request, mailbox)
  await signIn(page, person)
  const dialog = await openWizard(page, code, `${friend.email}, ${person.email}`)
  await dialog.getByRole('radio', { name: 'Full control' }).check()
  await dialog.getByRole('button', { name: 'Add members' }).click()
  await expect(dialog.getByText('Invites Errors')).toBeVisible()
  await expect(
    dialog.getByText('Some email were not able to be invited. Click the button below to retry sending the emails.'),
  ).toBeVisible()
  await expect(dialog.getByRole('row', { name: friend.email })).toContainText('Invite Sent')
  await expect(dialog.getByRole('row', { name: person.email })).toContainText('This person is a member already.')
  await expect(dialog.getByRole('button', { name: 'Resend 1 invite' })).toBeVisible()
})

test('a wrong address is marked and nothing can be sent', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person, `/${code}/settings?tab=members`)
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await dialog.getByLabel('Email addresses').fill('nonsense ')
  await expect(dialog.getByText('Invalid email address')).toBeVisible()
  await expect(dialog.getByText('Please add a valid email address.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Next' })).toBeDisabled()
})

test('a declined invite joins nobody, and can be cleared away', async ({ page, visitor, person, request, mailbox }) => {
  const code = await giveAccount(person)
  const guest = await signUp(request, mailbox)
  await signIn(page, person)
  await invitePartly(page, code, guest)
  const row = page.getByRole('row', { name: guest.email })
  await row.getByRole('button').click()
  await Promise.all([
    seen(page, 'Invite successfully sent.'),
    page.getByRole('menuitem', { name: 'Resend invite' }).click(),
  ])

  await signIn(visitor, guest, '/profile/invites')
  await visitor.getByRole('button', { name: 'Decline invite' }).click()
  await expect(visitor).toHaveURL('/account/invite-declined')
  await expect(visitor.getByRole('link', { name: 'Create workspace' })).toBeVisible()

  await page.reload()
  await expect(row).toContainText('Declined')
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(row).toHaveCount(0)
})

test.describe('when the server fails', () => {
  test.use({ expectedErrors: answered(500) })
  const broken = { errors: [{ status: '500', code: 'internal', title: 'Something went wrong', detail: 'It broke.' }] }

  test('inviting, sending again and removing say so', async ({ page, person, request, mailbox }) => {
    const code = await giveAccount(person)
    const guest = await signUp(request, mailbox)
    await signIn(page, person)
    await invitePartly(page, code, guest)
    await page.route(/\/(invite|resend_invite)(\/\d+)?$/, (route) => route.fulfill({ status: 500, json: broken }))
    const row = page.getByRole('row', { name: guest.email })
    await row.getByRole('button').click()
    await Promise.all([
      seen(page, 'Failed to send invite. Please try again.'),
      page.getByRole('menuitem', { name: 'Resend invite' }).click(),
    ])
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Failed to remove member. Please try again.')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const dialog = await openWizard(page, code, 'someone@example.com')
    await dialog.getByRole('radio', { name: 'Full control' }).check()
    await dialog.getByRole('button', { name: 'Add members' }).click()
    await expect(dialog.getByText('Something went wrong, try again!')).toBeVisible()
  })
})
