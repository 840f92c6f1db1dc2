import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { toLaunchOptions } from '../../harness/chromium.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'
import { buildHostileCode, LOUD_PROBES, QUIET_PROBES } from './probes.ts'

// Every probe logs an error to the console.
test.use({
  expectedErrors: /./,
  // Headless Chromium keeps sandboxed frames in the page's process; desktop browsers isolate them.
  launchOptions: toLaunchOptions('--site-per-process'),
})

const reached: string[] = []
let canary: Server
let address: string

test.beforeAll(async () => {
  canary = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*').end('reached')
  })
  canary.on('upgrade', (request, socket) => {
    reached.push(`upgrade ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
})
test.afterAll(() => canary.close())

async function expectResponsive(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Versions' })
  await expect(panel.getByText('Version 1', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
}

test('a hostile spark reaches nothing outside of its frame, and its page goes on working', async ({
  page,
  person,
  request,
}) => {
  test.setTimeout(900_000)
  const givenProject = await giveProject(request, person)
  const code = await giveSpark(request, givenProject, {
    name: 'Hostile',
    content: {
      sources: [
        {
          key: 'secret',
          name: 'Secret',
          integration_trellis_code: givenProject.database,
          sql: 'select id, status, amount from shop.orders order by id limit 5',
        },
      ],
      parameters: [{ key: 'probe', label: 'Probe', type: 'text', initial: 'none' }],
      body: { kind: 'code', code: buildHostileCode(address) },
    },
  })
  await signIn(page, person, givenProject.sparks)
  const frame = page.frameLocator('iframe[title="Hostile"]')

  await test.step('what leaves the frame as it is', async () => {
    await page.goto(`${givenProject.sparks}/${code}?p.probe=quiet`)
    for (const name of [...Object.keys(QUIET_PROBES), 'huge_height']) {
      await expect(frame.getByText(`done ${name}`, { exact: true })).toBeAttached()
    }
    await expect(frame.getByText(/OPEN/)).toHaveCount(0)
    const height = await page.locator('iframe[title="Hostile"]').evaluate((element) => element.clientHeight)
    expect(height).toBeLessThanOrEqual(50_000)
    await expectResponsive(page)
  })

  const ends: Record<string, RegExp> = { busy_loop: /This spark is not responding/ }
  for (const name of Object.keys(LOUD_PROBES)) {
    await test.step(name, async () => {
      await page.goto(`${givenProject.sparks}/${code}?p.probe=${name}`)
      if (name === 'busy_loop') {
        await expect(page.locator('iframe[title="Hostile"][data-ready="true"]')).toBeVisible()
        await expectResponsive(page)
      }
      await expect(page.getByText(ends[name] ?? /This spark was stopped/)).toBeVisible()
      await expectResponsive(page)
    })
  }

  expect(page.url()).toContain(givenProject.sparks)
  expect(reached).toEqual([])
})
