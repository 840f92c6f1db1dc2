import { seen } from '../harness/notices.ts'
import { giveAccount, leaveApp, signIn } from '../harness/people.ts'
import { answered, expect, test } from '../harness/test.ts'

test.use({ expectedErrors: answered(401) })

const stale = { access_token: 'stale.stale.stale' }

test('eight calls refused at once, in four tabs, cause one refresh and are all replayed', async ({
  page,
  context,
  person,
}) => {
  await giveAccount(person)
  await signIn(page, person)
  await leaveApp(page)
  await page.evaluate((token) => localStorage.setItem('trellis.token', JSON.stringify(token)), {
    ...stale,
    email: person.email,
  })

  let refused = 0
  let release: () => void = () => undefined
  const allRefused = new Promise<void>((resolve) => (release = resolve))
  const refreshes: string[] = []
  const replayed: string[] = []
  await context.route(/\/api\/(profile-token|account)$/, async (route) => {
    const isStale = route.request().headers()['authorization'] === `Bearer ${stale.access_token}`
    if (!isStale) {
      replayed.push(route.request().url())
      return await route.continue()
    }
    const response = await route.fetch()
    refused += 1
    if (refused === 8) release()
    await allRefused
    return await route.fulfill({ response })
  })
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/token/refresh')) refreshes.push(request.url())
  })

  const tabs = [page, ...(await Promise.all([context.newPage(), context.newPage(), context.newPage()]))]
  await Promise.all(tabs.map((tab) => tab.goto('/initialize-profile')))
  await Promise.all(tabs.map((tab) => expect(tab.getByText('Marketing', { exact: true })).toBeVisible()))
  expect(refused).toBe(8)
  expect(refreshes).toHaveLength(1)
  expect(replayed.length).toBeGreaterThanOrEqual(8)
})

test('a refused refresh ends the session and says so', async ({ page, context, person }) => {
  await signIn(page, person)
  await context.clearCookies()
  await leaveApp(page)
  await page.evaluate((token) => localStorage.setItem('trellis.token', JSON.stringify(token)), {
    ...stale,
    email: person.email,
  })
  await Promise.all([seen(page, 'Authentication Issue. Please login again.'), page.goto('/profile/security')])
  await expect(page).toHaveURL('/')
})
