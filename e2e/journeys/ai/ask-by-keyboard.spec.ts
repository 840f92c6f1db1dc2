import type { Locator, Page } from '@playwright/test'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'
import { tabTo } from '../keyboard.ts'

const answers = (page: Page) => page.getByRole('article', { name: 'Answer' })

/** An outline or shadow of the element or its wrapper. */
const hasVisibleFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const isMarked = (item: Element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(item)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    }
    const frames = [element, element.parentElement, element.parentElement?.parentElement ?? null]
    return frames.some((frame) => frame !== null && isMarked(frame))
  })

async function reach(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await expect.poll(() => hasVisibleFocus(target), { message: `No visible focus on ${String(target)}` }).toBe(true)
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target)
  await page.keyboard.press(key)
}

test('with keys alone a project is made, a question asked, its reading changed, the answer rated and opened as a worksheet', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { account } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `/${account}/shop/ai`)

  await test.step('a project with a table', async () => {
    await press(page, page.getByRole('link', { name: 'Create project' }))
    const dialog = page.getByRole('dialog', { name: 'New AI project' })
    await reach(page, dialog.getByLabel('Name'))
    await page.keyboard.type('Sales')
    await press(page, dialog.getByRole('button', { name: 'Create project' }))
    await expect(page.getByRole('heading', { name: 'Sales' })).toBeVisible()
    await reach(page, page.getByRole('searchbox', { name: 'Search tables' }))
    await page.keyboard.type('orders')
    await press(page, page.getByLabel('shop.orders'), 'Space')
    await expect(page.getByLabel('shop.orders')).toBeChecked()
    await press(page, page.getByRole('button', { name: 'Save tables' }))
    await expect(page.getByText('Tables saved.')).toBeVisible()
  })

  await test.step('a question is asked', async () => {
    await press(page, page.getByRole('button', { name: 'New chat' }))
    await reach(page, page.getByRole('textbox', { name: 'Question', exact: true }))
    await page.keyboard.type('total amount by status')
    await page.keyboard.press('Enter')
    await expect(answers(page).first().getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
  })

  await test.step('a chip changes its reading', async () => {
    await press(
      page,
      answers(page)
        .first()
        .getByRole('button', { name: /^Measure/ }),
    )
    const wanted = page.getByRole('menuitemradio', { name: /average/ })
    await wanted.waitFor()
    const options = await page.getByRole('menuitemradio').count()
    for (let at = 0; at < options; at += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('ArrowDown')
    }
    await expect(wanted).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(answers(page)).toHaveCount(2)
    await expect(
      answers(page)
        .last()
        .getByRole('button', { name: /^Measure average/ }),
    ).toBeVisible()
  })

  await test.step('the answer is rated with a reason', async () => {
    const answer = answers(page).last()
    await press(page, answer.getByRole('button', { name: 'Bad answer' }))
    const reasons = answer.getByRole('form', { name: 'What was wrong?' })
    await press(page, reasons.getByLabel('Misread the question'), 'Space')
    await press(page, reasons.getByRole('button', { name: 'Send' }))
    await expect(reasons).toBeHidden()
  })

  await test.step('its query is read and opened as a worksheet', async () => {
    const answer = answers(page).last()
    await press(page, answer.getByRole('button', { name: 'SQL and receipt' }))
    await expect(answer.getByText('A database role that can read these tables only')).toBeVisible()
    await press(page, answer.getByRole('button', { name: 'Open as worksheet' }))
    await page.waitForURL(/\/code-editor$/)
    await expect(page.locator('.monaco-editor').first()).toContainText('status')
  })
})
