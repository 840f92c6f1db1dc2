import { getEnvironment } from '../harness/environment.ts'
import { signIn } from '../harness/people.ts'
import type { Report } from '../harness/reports.ts'
import { expect, test } from '../harness/test.ts'

const SECRET = 'Zanzibar-Typed-Here'

test.describe('with a reporting address', () => {
  test.use({ connected: true, expectedErrors: /A planted fault/ })

  test('faults and a masked recording arrive through our own address, what was typed does not', async ({
    page,
    person,
  }) => {
    const reported = page.waitForResponse((response) => new URL(response.url()).pathname === '/report')
    await signIn(page, person, '/profile/settings')
    await page.getByLabel('First name', { exact: true }).fill(SECRET)
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('A planted fault')
      })
    })
    expect((await reported).status()).toBe(200)

    const received = async () => (await (await fetch(getEnvironment().reportsUrl)).json()) as Report[]
    await expect(async () => {
      const reports = await received()
      expect(reports.some((report) => report.type === 'event' && report.text.includes('A planted fault'))).toBe(true)
      expect(reports.some((report) => report.type === 'replay_recording' && report.text.length > 1000)).toBe(true)
    }).toPass({ timeout: 60_000 })
    await page.getByLabel('First name', { exact: true }).fill(`${SECRET} twice`)
    await page.goto('/workspaces')
    const everything = (await received()).map((report) => report.text).join('\n')
    expect(everything).not.toContain(SECRET)
    expect(everything).not.toContain(person.email)
    expect(everything).not.toContain('access_token')
  })
})

test('without one, nothing of it is loaded', async ({ page, person }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await signIn(page, person)
  expect(scripts.filter((path) => /sentry|replay|\/report$/i.test(path))).toEqual([])
})
