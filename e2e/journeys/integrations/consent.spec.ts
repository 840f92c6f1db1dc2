import type { Page } from '@playwright/test'
import { getEnvironment } from '../../harness/environment.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { CLIENT } from '../../harness/platforms/local-platforms.ts'
import { answered, expect, test } from '../../harness/test.ts'

test.use({
  otherHosts: async ({ connected }, use) => use(connected ? [] : [new URL(getEnvironment().platformsUrl).host]),
  expectedErrors: answered(401, 422),
})

/** Connection tests are background jobs. */
const CHECKED = { timeout: 60_000 }

async function fillInApp(page: Page): Promise<void> {
  await page.getByLabel('Sign in with').selectOption('OAuth')
  await page.getByLabel('Client ID').fill(CLIENT.client_id)
  await page.getByLabel('Client secret', { exact: true }).fill(CLIENT.client_secret)
}

async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByText('The connection works')).toBeVisible(CHECKED)
  await expect(page.getByText('Works', { exact: true })).toBeVisible()
  await expect(page.getByText('Consent given')).toBeVisible()
}

test('HubSpot by OAuth: refused, then allowed, and an answer that is sent twice', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person, `/${code}/marketing/integrations/setup/hubspot`)

  await test.step('who refuses comes back to a page that leads to the connection', async () => {
    await page.getByLabel('Name', { exact: true }).fill('Our CRM')
    await fillInApp(page)
    await page.getByRole('button', { name: 'Continue to HubSpot' }).click()
    await page.getByRole('link', { name: 'Refuse' }).click()
    await expect(page.getByText('HubSpot did not give its consent. Start again, and agree there.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the connection' }).click()
    await expect(page.getByRole('heading', { name: 'Our CRM' })).toBeVisible()
    await expect(page.getByText('Consent at HubSpot is missing')).toBeVisible()
  })

  await test.step('who allows it is connected', async () => {
    await page.getByRole('button', { name: 'Give consent at HubSpot' }).click()
    await expect(page.getByRole('link', { name: 'Allow access' })).toBeVisible()
    const consent = page.url()
    await page.getByRole('link', { name: 'Allow access' }).click()
    await expectConnected(page)
    await page.goto(consent)
  })

  await test.step('the same consent a second time changes nothing and says why', async () => {
    await page.getByRole('link', { name: 'Allow access' }).click()
    await expect(page.getByRole('heading', { name: 'The connection got no consent' })).toBeVisible()
    await expect(page.getByText('This consent took too long or was used already. Start again.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the connection' }).click()
    await expectConnected(page)
  })
})

test('Shopify by OAuth: an answer that Shopify did not sign is refused, its own connects', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person, `/${code}/marketing/integrations/setup/shopify`)
  await page.getByLabel('Name', { exact: true }).fill('Our shop')
  await page.getByLabel('Shop name').fill('my-shop')
  await fillInApp(page)
  await page.getByRole('button', { name: 'Continue to Shopify' }).click()

  await test.step('forged', async () => {
    await expect(page.getByRole('link', { name: 'Allow access' })).toBeVisible()
    const requestedSearchParam = new URL(page.url()).searchParams
    const forged = {
      state: requestedSearchParam.get('state') ?? '',
      code: 'forged',
      shop: 'my-shop.myshopify.com',
      hmac: '00',
    }
    await page.goto(`/sso/callback?${new URLSearchParams(forged).toString()}`)
    await expect(page.getByText(/^This answer was not signed by Shopify for this connection\./)).toBeVisible()
    await page.getByRole('link', { name: 'Back to the connection' }).click()
    await expect(page.getByText('Consent at Shopify is missing')).toBeVisible()
  })

  await test.step('allowed', async () => {
    await page.getByRole('button', { name: 'Give consent at Shopify' }).click()
    await page.getByRole('link', { name: 'Allow access' }).click()
    await expectConnected(page)
    await expect(page.getByText('my-shop').first()).toBeVisible()
  })
})
