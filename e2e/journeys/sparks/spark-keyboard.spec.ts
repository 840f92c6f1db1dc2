import type { Page } from '@playwright/test'
import { pressOn, tabTo } from '../keyboard.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject, giveSpark } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'

const NAME = 'Orders by hand'
const OTHER = 'Statuses'

test.use({ colorScheme: 'dark' })

const getFrame = (page: Page, name = NAME) => page.frameLocator(`iframe[title="${name}"]`)

async function choose(page: Page, action: string): Promise<void> {
  await pressOn(page, page.getByRole('button', { name: 'More', exact: true }))
  await pick(page, action)
}

async function pick(page: Page, name: string): Promise<void> {
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeFocused()
  const names = await items.allTextContents()
  for (let at = 0; at < names.indexOf(name); at += 1) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name, exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
}

async function openVersions(page: Page) {
  await pressOn(page, page.getByRole('button', { name: 'Versions', exact: true }))
  const panel = page.getByRole('dialog', { name: 'Versions' })
  await expect(panel.locator(':focus')).toHaveCount(1)
  return panel
}

test('with keys alone a spark is built, filtered, pinned, changed, compared, restored, exported and arranged', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const givenProject = await giveProject(request, person)
  const other = await giveSpark(request, givenProject, {
    name: OTHER,
    content: {
      sources: [
        {
          key: 'statuses',
          name: 'Statuses',
          integration_trellis_code: givenProject.database,
          sql: 'select status, count(*) as orders from shop.orders group by 1 order by 1',
        },
      ],
      parameters: [],
      body: { kind: 'blocks', blocks: [{ kind: 'table', source: 'statuses', title: 'Rows' }] },
    },
  })
  const shown = await request.put(`/api/${givenProject.account}/shop/sparks/${other}`, {
    headers: givenProject.headers,
    data: { is_on_dashboard: true },
  })
  expect(shown.ok(), await shown.text()).toBe(true)
  await signIn(page, person, givenProject.sparks)

  await test.step('from a template', async () => {
    await pressOn(page, page.getByRole('link', { name: 'New spark' }))
    await pressOn(page, page.getByRole('button', { name: /^Table with filters/ }))
    await tabTo(page, page.getByLabel('Table', { exact: true }))
    await page.keyboard.type('shop.orders')
    await expect(page.getByRole('group', { name: 'Filters' }).getByLabel('status', { exact: true })).toBeChecked()
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(NAME)
    await pressOn(page, page.getByRole('button', { name: 'Create spark' }))
    await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
  })

  await test.step('a filter inside of the frame', async () => {
    const status = getFrame(page).getByLabel('status', { exact: true })
    // Typing selects among options, which load with their rows.
    await expect(status.getByRole('option', { name: 'shipped' })).toBeAttached()
    await tabTo(page, status)
    await page.keyboard.type('shipped')
    await expect(page).toHaveURL(/p\.filter_1=shipped/)
    await expect(getFrame(page).getByRole('cell', { name: 'paid' })).toHaveCount(0)
  })

  await test.step('pinned; the panel gives the focus back', async () => {
    const panel = await openVersions(page)
    await pressOn(page, panel.getByRole('button', { name: 'Pin', exact: true }))
    await expect(panel.getByText('Pinned', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Versions', exact: true })).toBeFocused()
  })

  await test.step('changed', async () => {
    await pressOn(page, page.getByRole('link', { name: 'Edit', exact: true }))
    await pressOn(page, page.getByRole('button', { name: 'Add a block' }))
    await pick(page, 'Heading')
    await tabTo(page, page.getByLabel('Heading', { exact: true }))
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('What was ordered')
    await pressOn(page, page.getByRole('button', { name: 'Save version' }))
    await expect(page.getByRole('heading', { name: NAME, exact: true })).toBeVisible()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
  })

  await test.step('compared and restored', async () => {
    const panel = await openVersions(page)
    await pressOn(page, panel.getByRole('button', { name: 'Compare with latest' }))
    const compare = page.getByRole('dialog', { name: 'Version 1 and version 2' })
    await tabTo(page, compare.getByRole('tab', { name: 'Changes' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(
      page.frameLocator(`iframe[title="${NAME}, version 2"]`).getByRole('heading', { name: 'What was ordered' }),
    ).toBeVisible()
    await tabTo(page, compare.getByRole('button', { name: 'Close' }))
    await page.keyboard.press('Enter')
    await pressOn(page, panel.getByRole('button', { name: 'Unpin' }))
    await expect(panel.getByText('Pinned', { exact: true })).toHaveCount(0)
    const first = panel.getByRole('listitem', { name: 'Version 1' })
    await pressOn(page, first.getByRole('button', { name: 'Restore' }))
    await expect(panel.getByRole('listitem', { name: 'Version 3' }).getByText('Shown', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  })

  await test.step('exported and put on the dashboard', async () => {
    const saved = page.waitForEvent('download')
    await choose(page, 'Export as HTML')
    expect((await saved).suggestedFilename()).toMatch(/\.html$/)
    await choose(page, 'Put on dashboard')
    await expect(page.getByText('The spark is on the dashboard.')).toBeVisible()
  })

  await test.step('two tiles change places, keep the focus and go on showing rows', async () => {
    await page.goto(`/${givenProject.account}/shop/dashboard`)
    const tiles = page.getByRole('region', { name: 'Sparks on the dashboard' })
    const names = tiles.getByRole('article')
    await expect(names).toHaveCount(2)
    const before = await names.evaluateAll((all) => all.map((item) => item.getAttribute('aria-label')))
    const [first = '', last = ''] = before.map((name) => name ?? '')
    await tiles.scrollIntoViewIfNeeded()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await expect(getFrame(page, OTHER).getByRole('cell', { name: 'shipped' })).toBeVisible()
    const forward = tiles.getByRole('button', { name: `Move ${first} forward` })
    await pressOn(page, forward)
    await expect(tiles.getByText(`${first} is now tile 2 of 2.`)).toBeAttached()
    await expect(forward).toBeDisabled()
    await expect(tiles.getByRole('button', { name: `Move ${first} back` })).toBeFocused()
    expect(await names.evaluateAll((all) => all.map((item) => item.getAttribute('aria-label')))).toEqual([last, first])
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await expect(getFrame(page, OTHER).getByRole('cell', { name: 'shipped' })).toBeVisible()
    await expect(tiles.getByText('This spark was stopped')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(forward).toBeFocused()
    await expect(getFrame(page).getByText('500 rows')).toBeVisible()
    await expect(tiles.getByText('This spark was stopped')).toHaveCount(0)
  })
})
