import { pathToFileURL } from 'node:url'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { type Person, signIn } from '../../harness/people.ts'
import { giveProject } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'

const NAME = 'Orders of the shop'
const getFrame = (page: Page) => page.frameLocator(`iframe[title="${NAME}"]`)

async function openVersions(page: Page) {
  await page.getByRole('button', { name: 'Versions', exact: true }).click()
  return page.getByRole('dialog', { name: 'Versions' })
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const PLACES = [
  { place: 'at a desk', isPhone: false },
  { place: 'on a dark phone', isPhone: true },
] as const

for (const { place, isPhone } of PLACES)
  test.describe(place, () => {
    if (isPhone) test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })

    test('a spark is built from a template, filtered, pinned, changed, compared, restored, exported and put on the dashboard', async ({
      page,
      person,
      request,
      browser,
    }) => {
      test.slow()
      await walk({ page, person, request, browser }, isPhone)
    })
  })

interface Walk {
  page: Page
  person: Person
  request: APIRequestContext
  browser: Browser
}

async function walk({ page, person, request, browser }: Walk, isPhone: boolean): Promise<void> {
  const givenProject = await giveProject(request, person)
  await signIn(page, person, givenProject.sparks)

  await test.step('from the empty gallery by a template', async () => {
    await page.getByRole('link', { name: 'Use a template' }).click()
    await page.getByRole('button', { name: /^Table with filters/ }).click()
    await page.getByLabel('Table', { exact: true }).selectOption({ label: 'shop.orders' })
    await expect(page.getByRole('group', { name: 'Filters' }).getByLabel('status', { exact: true })).toBeChecked()
    await page.getByLabel('Name', { exact: true }).fill(NAME)
    const preview = page.frameLocator(`iframe[title="Preview of ${NAME}"]`)
    await expect(preview.getByRole('cell', { name: 'shipped' }).first()).toBeVisible()
    if (isPhone) await page.getByLabel('Name', { exact: true }).press('Enter')
    else await page.getByRole('button', { name: 'Create spark' }).click()
    await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await expect(getFrame(page).locator('html')).toHaveAttribute('data-theme', isPhone ? 'dark' : 'light')
    const sideways = () => document.documentElement.scrollWidth > document.documentElement.clientWidth
    expect(await page.evaluate(sideways)).toBe(false)
    expect(await getFrame(page).locator('html').evaluate(sideways)).toBe(false)
  })

  await test.step('a filter is in the address and survives a reload', async () => {
    await getFrame(page).getByLabel('status', { exact: true }).selectOption('shipped')
    await expect(page).toHaveURL(/p\.filter_1=shipped/)
    await expect(getFrame(page).getByRole('cell', { name: 'shipped' }).first()).toBeVisible()
    await expect(getFrame(page).getByRole('cell', { name: 'paid' })).toHaveCount(0)
    await page.reload()
    await expect(getFrame(page).getByRole('cell', { name: 'shipped' }).first()).toBeVisible()
    await expect(getFrame(page).getByLabel('status', { exact: true })).toHaveValue('shipped')
  })

  await test.step('one file with these rows opens without a network', async () => {
    const saved = page.waitForEvent('download')
    await choose(page, 'Export as HTML')
    const path = test.info().outputPath('spark.html')
    await (await saved).saveAs(path)
    const away = await browser.newContext({ offline: true })
    const file = await away.newPage()
    const asked: string[] = []
    file.on('request', (item) => /^https?:/.test(item.url()) && asked.push(item.url()))
    await file.goto(pathToFileURL(path).href)
    await expect(getFrame(file).getByRole('cell', { name: 'shipped' }).first()).toBeVisible()
    await expect(getFrame(file).getByText('shipped', { exact: true }).first()).toBeVisible()
    await expect(getFrame(file).getByLabel('status', { exact: true })).toHaveCount(0)
    expect(asked).toEqual([])
    await away.close()
  })

  await test.step('a pinned version stays shown while the next one is made', async () => {
    const panel = await openVersions(page)
    await panel.getByRole('button', { name: 'Pin', exact: true }).click()
    await expect(panel.getByText('Pinned', { exact: true })).toBeVisible()
    await panel.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('menuitem', { name: 'Heading', exact: true }).click()
    await page.getByLabel('Heading', { exact: true }).fill('What was ordered')
    await expect(
      page.frameLocator(`iframe[title="Preview of ${NAME}"]`).getByRole('heading', { name: 'What was ordered' }),
    ).toBeVisible()
    await page.getByLabel(/Note for this version/).fill('A heading')
    await page.getByRole('button', { name: 'Save version' }).click()
    await expect(page.getByRole('heading', { name: NAME, exact: true })).toBeVisible()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await expect(getFrame(page).getByRole('heading', { name: 'What was ordered' })).toHaveCount(0)
  })

  await test.step('two versions are compared, the pin is removed, the first is restored', async () => {
    const panel = await openVersions(page)
    await panel.getByRole('button', { name: 'Compare with latest' }).click()
    const compare = page.getByRole('dialog', { name: 'Version 1 and version 2' })
    await expect(compare.getByRole('tabpanel')).toContainText('What was ordered')
    await compare.getByRole('tab', { name: 'Side by side' }).click()
    await expect(
      page.frameLocator(`iframe[title="${NAME}, version 2"]`).getByRole('heading', { name: 'What was ordered' }),
    ).toBeVisible()
    await compare.getByRole('button', { name: 'Close' }).click()
    await panel.getByRole('button', { name: 'Unpin' }).click()
    await expect(panel.getByText('Pinned', { exact: true })).toHaveCount(0)
    await panel.getByRole('listitem', { name: 'Version 1' }).getByRole('button', { name: 'Restore' }).click()
    await expect(panel.getByRole('listitem', { name: 'Version 3' }).getByText('Shown', { exact: true })).toBeVisible()
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect(getFrame(page).getByRole('heading', { name: 'What was ordered' })).toHaveCount(0)
  })

  await test.step('it is a live tile of the dashboard', async () => {
    await choose(page, 'Put on dashboard')
    await expect(page.getByText('The spark is on the dashboard.')).toBeVisible()
    await page.goto(`/${givenProject.account}/shop/dashboard`)
    const tile = page.getByRole('article', { name: NAME })
    await tile.scrollIntoViewIfNeeded()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await tile.getByRole('button', { name: `Make ${NAME} wide` }).click()
    await expect(tile.getByRole('button', { name: `Make ${NAME} narrow` })).toBeVisible()
  })
}
