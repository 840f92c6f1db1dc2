import type { Page } from '@playwright/test'
import { seen } from '../../harness/notices.ts'
import { test } from '../../harness/own-product.ts'
import { newPerson, type Person, signIn, signUp } from '../../harness/people.ts'
import { inProviderTab, payForAccount, payThere } from '../../harness/plans.ts'
import { lastTick, makeScheduledBlock } from '../../harness/schedules.ts'
import { answered, expect } from '../../harness/test.ts'

// Forbidden by roles and by an ended plan.
test.use({ expectedErrors: answered(402, 403, 404) })

async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name', { exact: true }).fill(person.firstName)
  await page.getByLabel('Last name', { exact: true }).fill(person.surname)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Account confirmation' })).toBeVisible()
}

async function inviteTo(page: Page, code: string, email: string) {
  await page.goto(`/${code}/settings?tab=members`)
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await dialog.getByLabel('Email addresses').fill(`${email} `)
  await dialog.getByRole('button', { name: 'Next' }).click()
  return dialog
}

async function readAuthHeaders(page: Page): Promise<{ authorization: string }> {
  const stored = await page.evaluate(() => localStorage.getItem('trellis.token'))
  return { authorization: `Bearer ${(JSON.parse(stored ?? '{}') as { access_token: string }).access_token}` }
}

test('an account from nothing to its end and back', async ({
  page,
  visitor,
  browser,
  baseURL,
  mailbox,
  request,
  ownProduct,
}) => {
  test.setTimeout(540_000)
  const [owner, admin, viewer] = [newPerson(), newPerson(), await signUp(request, mailbox)]
  const other = await browser.newContext({ baseURL: baseURL ?? '' })
  const second = await other.newPage()
  let code = ''
  let scheduled = ''
  const asking = () => ({ page, place: `${code}/marketing`, headers: () => readAuthHeaders(page) })

  await test.step('sign up, read the code, activate', async () => {
    await page.goto('/signup')
    await page.getByLabel('Email', { exact: true }).fill(owner.email)
    await fillSignUp(page, owner)
    await page.getByLabel('Code', { exact: true }).fill((await mailbox.read(owner.email, /activation/)).code)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Your profile is activated')).toBeVisible()
    await expect(page.getByText('No accounts')).toBeVisible()
    await expect(page.getByText('Find out how Trellis can help you.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Join our community' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Schedule a call' })).toBeVisible()
  })

  await test.step('create the account, pay for Basic, see the plan activated', async () => {
    code = await payForAccount(page, { name: 'Harbour Works', plan: 'Basic' })
  })

  await test.step('create the first workspace', async () => {
    await page.getByRole('link', { name: 'Create workspace' }).click()
    await expect(page.getByText('Create the initial workspace for this account.')).toBeVisible()
    await page.getByLabel('Workspace name').fill('Marketing')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await expect(page).toHaveURL(`/${code}/marketing/dashboard`, { timeout: 60_000 })
    await expect(page.getByText('Online', { exact: true })).toBeVisible()
  })

  await test.step('invite one with full control and one with partial access', async () => {
    const full = await inviteTo(page, code, admin.email)
    await full.getByRole('radio', { name: 'Full control' }).check()
    await full.getByRole('button', { name: 'Add members' }).click()
    await expect(full.getByText('Invite Sent')).toBeVisible()
    const partial = await inviteTo(page, code, viewer.email)
    await partial.getByRole('radio', { name: 'Partial access' }).check()
    await partial.getByRole('button', { name: 'Next' }).click()
    await partial.getByLabel('Role in Marketing').selectOption('Viewer')
    await Promise.all([
      seen(page, 'Members successfully added. Confirmation emails sent.'),
      partial.getByRole('button', { name: 'Add members' }).click(),
    ])
  })

  await test.step('the first signs up from the mail and accepts', async () => {
    await visitor.goto('/mailbox')
    await visitor.getByLabel('Search messages').fill(admin.email)
    await visitor.getByRole('link', { name: admin.email }).click()
    const link = visitor.locator('iframe').contentFrame().getByRole('link', { name: 'Create your profile' })
    await visitor.goto((await link.getAttribute('href')) ?? '')
    await expect(visitor.getByLabel('Email', { exact: true })).toHaveValue(admin.email)
    await fillSignUp(visitor, admin)
    await visitor.getByLabel('Code', { exact: true }).fill((await mailbox.read(admin.email, /activation/)).code)
    await visitor.getByRole('button', { name: 'Submit' }).click()
    await expect(visitor.getByRole('heading', { name: 'Pending invite' })).toBeVisible()
    await visitor.getByRole('button', { name: 'Accept invite' }).click()
    await expect(visitor.getByRole('link', { name: 'Marketing' })).toBeVisible()
  })

  await test.step('the second has a profile, reads the mail, signs in and accepts', async () => {
    expect((await mailbox.read(viewer.email, /invites you/)).text).toContain('Harbour Works')
    await signIn(second, viewer)
    await expect(second.getByRole('heading', { name: 'Pending invite' })).toBeVisible()
    await second.getByRole('button', { name: 'Accept invite' }).click()
    await expect(second.getByRole('link', { name: 'Marketing' })).toBeVisible()
  })

  await test.step('the roles hold, on the screen and on the server', async () => {
    await visitor.goto(`/${code}/settings?tab=billing`)
    await expect(visitor.getByRole('heading', { name: 'Current plan' })).toBeVisible()
    await second.goto(`/${code}/settings?tab=billing`)
    await expect(second.getByRole('tab')).toHaveText(['Details', 'Members', 'Plan & Utilization', 'AI model'])
    const ask = async (who: Page) =>
      (await who.request.get(`/api/account/${code}/payment-details`, { headers: await readAuthHeaders(who) })).status()
    expect([await ask(visitor), await ask(second)]).toEqual([200, 403])
    await second.goto(`/${code}/marketing/dashboard`)
    await expect(second.getByRole('list', { name: 'People' })).toContainText('Viewer')
  })

  await test.step('buy 300 credits and see the invoice', async () => {
    await page.goto(`/${code}/settings?tab=plan-utilization`)
    await page.getByRole('button', { name: 'Buy credits' }).click()
    const dialog = page.getByRole('dialog', { name: 'Buy credits' })
    await dialog.getByLabel('Number of credits').fill('300')
    await dialog.getByRole('button', { name: 'Go to checkout' }).click()
    await payThere(page)
    await expect(page.getByText('0 of 300')).toBeVisible()
    await page.getByRole('tab', { name: 'Billing' }).click()
    const row = page.getByRole('row').filter({ hasText: '$7.50' })
    await expect(row.getByText('Paid', { exact: true })).toBeVisible()
  })

  await test.step('upgrade to Team', async () => {
    await page.getByRole('link', { name: 'Change plan' }).click()
    await inProviderTab(
      page,
      () => page.getByRole('button', { name: 'Select plan Team' }).click(),
      async (tab) => {
        await tab.getByRole('button', { name: 'Confirm change' }).click()
        await tab.waitForURL(`/${code}/plan-change`)
      },
    )
    await expect(page.getByRole('region', { name: 'Team' }).getByRole('button', { name: 'Current plan' })).toBeVisible()
  })

  await test.step('over every limit of Basic, the way down is blocked with its three lines', async () => {
    const headers = await readAuthHeaders(page)
    const made = await page.request.post(`/api/${code}/workspace`, {
      headers,
      data: { name: 'Finance', workspace_address: 'finance' },
    })
    expect(made.ok(), await made.text()).toBe(true)
    const guests = ['x', 'y', 'z'].map((name) => ({
      user_email: `${name}-${owner.email}`,
      account_role_id: 2,
      workspace_roles: [],
    }))
    const invited = await page.request.post(`/api/${code}/invite`, { headers, data: guests })
    expect(invited.ok(), await invited.text()).toBe(true)
    await ownProduct.fillDatabases(code, 30 * 2 ** 30)
    await page.goto(`/${code}/plan-change`)
    const note = page.getByRole('note')
    await expect(note.getByText('This plan can’t be selected')).toBeVisible()
    await expect(note.getByText('Your current usage exceeds the limits of this plan:')).toBeVisible()
    await expect(note.getByText('User seats: 6 in use (Limit: 5)')).toBeVisible()
    await expect(note.getByText('Workspaces: 2 created (Limit: 1)')).toBeVisible()
    await expect(note.getByText('DB storage: 60.00 GB in use (Limit: 50.00 GB)')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Select plan Basic' })).toBeDisabled()
  })

  await test.step('something that runs by the clock', async () => {
    scheduled = await makeScheduledBlock(asking())
    await ownProduct.comeDue(scheduled)
    await expect.poll(() => lastTick(asking(), scheduled), { timeout: 60_000 }).toBe('SUCCESS')
  })

  await test.step('cancel at the provider', async () => {
    await page.goto(`/${code}/settings?tab=billing`)
    await inProviderTab(
      page,
      () => page.getByRole('button', { name: 'Cancel plan' }).click(),
      async (tab) => {
        await tab.getByRole('button', { name: 'Cancel plan' }).click()
        await tab.waitForURL(`/${code}/settings?tab=billing`)
      },
    )
    await expect(page.getByRole('heading', { name: 'Latest plan' })).toBeVisible()
    await expect(page.getByText(/\d+ days left until plan expires/)).toBeVisible()
  })

  await test.step('past the end the account is deactivated for everybody, and no work is taken', async () => {
    await page.goto('/sandbox-pay/clock')
    await page.locator('button[value=renewal]').click()
    await expect(page.getByText('Plan ended')).toBeVisible()
    // The provider's webhook arrives a moment later, and the list is fetched once.
    await expect(async () => {
      await page.goto('/workspaces')
      await expect(page.getByText('Plan expired')).toBeVisible({ timeout: 20_000 })
    }).toPass()
    await expect(page.getByText('Unavailable')).toHaveCount(2)
    for (const who of [page, visitor, second]) {
      await who.goto(`/${code}/marketing/dashboard`)
      await expect(who.getByRole('heading', { name: 'Account deactivated' })).toBeVisible()
    }
    const renamed = await page.request.patch(`/api/${code}/marketing`, {
      headers: await readAuthHeaders(page),
      data: { name: 'Too late', workspace_address: 'marketing' },
    })
    expect(renamed.status()).toBe(402)
    await ownProduct.comeDue(scheduled)
    await expect.poll(() => lastTick(asking(), scheduled), { timeout: 60_000 }).toContain('its plan has ended')
  })

  await test.step('reactivate: pay again, and everything is as it was', async () => {
    await page.getByRole('button', { name: 'Reactivate plan' }).click()
    await page.getByRole('link', { name: 'Select plan Team' }).click()
    await payThere(page)
    await expect(page.getByRole('heading', { name: 'Plan activated' })).toBeVisible()
    await page.getByRole('link', { name: 'View billing' }).click()
    await expect(page.getByText('The Team plan is active')).toBeVisible()
    await second.goto(`/${code}/marketing/dashboard`)
    await expect(second.getByRole('heading', { name: 'Marketing' })).toBeVisible()
    await page.getByRole('tab', { name: 'Plan & Utilization' }).click()
    await expect(page.getByText('0 of 300')).toBeVisible()
    await ownProduct.comeDue(scheduled)
    await expect.poll(() => lastTick(asking(), scheduled), { timeout: 60_000 }).toBe('SUCCESS')
  })
  await other.close()
})
