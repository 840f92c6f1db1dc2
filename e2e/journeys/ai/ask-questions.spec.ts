import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const QUESTION = 'total amount by status'
const answers = (page: Page) => page.getByRole('article', { name: 'Answer' })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill(question)
  await page.keyboard.press('Enter')
}

test('a project is made, a question asked, its reading corrected, the answer rated and kept', async ({
  page,
  person,
  request,
}) => {
  test.slow()
  const { account } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `/${account}/shop/ai`)

  await test.step('a project with tables and other words for a column', async () => {
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await page.getByRole('link', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog', { name: 'New AI project' })
    await dialog.getByLabel('Name').fill('Sales')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await expect(page.getByRole('heading', { name: 'Sales' })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search tables' }).fill('orders')
    await page.getByLabel('shop.orders').check()
    await page.getByRole('button', { name: 'Save tables' }).click()
    await expect(page.getByText('Tables saved.')).toBeVisible()
    const text = Buffer.from('# Returns\n\nGoods can be returned within thirty days.\n')
    await page
      .getByLabel('Choose documents')
      .setInputFiles({ name: 'returns.md', mimeType: 'text/markdown', buffer: text })
    await expect(page.getByRole('list', { name: 'Documents' }).getByText('Completed')).toBeVisible()
    await page.getByRole('button', { name: 'Add context' }).click()
    const context = page.getByRole('dialog', { name: 'Add business context' })
    await context.getByLabel('Synonyms').check()
    await context.getByLabel('Term', { exact: true }).fill('amount')
    await context.getByLabel('Other words, separated by commas').fill('turnover')
    await context.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Business context' }).getByText('turnover')).toBeVisible()
  })

  await test.step('a question is answered with rows, a chart, its query and its sources', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await expect(page.getByRole('button', { name: 'How many orders?' })).toBeVisible()
    await ask(page, QUESTION)
    const answer = answers(page).first()
    await expect(answer.getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
    await expect(answer.getByRole('slider')).toBeVisible()
    await expect(answer.getByRole('link', { name: 'shop.orders' })).toBeVisible()
    await answer.getByRole('button', { name: 'SQL and receipt' }).click()
    await expect(answer.getByText('A database role that can read these tables only')).toBeVisible()
    await expect(page.getByRole('heading', { name: QUESTION })).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
  })

  await test.step('the reading is corrected by a chip, and both answers are there after a reload', async () => {
    await answers(page)
      .first()
      .getByRole('button', { name: /^Measure/ })
      .click()
    await page.getByRole('menuitemradio', { name: /average/ }).click()
    await expect(answers(page)).toHaveCount(2)
    await expect(
      answers(page)
        .last()
        .getByRole('button', { name: /^Measure average/ }),
    ).toBeVisible()
    await page.reload()
    await expect(answers(page)).toHaveCount(2)
    await expect(answers(page).last().getByRole('grid', { name: 'Answer' })).toBeVisible()
  })

  await test.step('an answer goes on after a reload in the middle and is the same in a second tab', async () => {
    await ask(page, 'number of orders by status')
    await expect(answers(page)).toHaveCount(3)
    await page.reload()
    await expect(answers(page).nth(2).getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
    const second = await page.context().newPage()
    await second.goto(page.url())
    await expect(answers(second).nth(2).getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
    await second.close()
  })

  await test.step('a file is attached, read, quoted and removed', async () => {
    const text = Buffer.from('# Shipping\n\nParcels leave the warehouse every weekday at noon.\n')
    const file = { name: 'shipping.md', mimeType: 'text/markdown', buffer: text }
    await page.getByLabel('Choose files to attach').setInputFiles(file)
    const files = page.getByRole('list', { name: 'Attached files' })
    await expect(files.getByText('Ready')).toBeVisible()
    await ask(page, 'when do parcels leave the warehouse')
    await expect(answers(page).nth(3).getByText('every weekday at noon').first()).toBeVisible()
    await expect(answers(page).nth(3).getByText('shipping.md').first()).toBeVisible()
    await files.getByRole('button', { name: 'Remove shipping.md' }).click()
    await expect(files).toHaveCount(0)
  })

  await test.step('an action is suggested, proposed, accepted and played', async () => {
    await page.getByRole('textbox', { name: 'Question', exact: true }).pressSequentially('/sn')
    await expect(page.getByRole('option', { name: /^\/snake/ })).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const card = page.getByRole('group', { name: 'Action: Snake' })
    await card.getByRole('button', { name: 'Accept' }).click()
    const game = page.getByRole('dialog', { name: 'Snake' })
    await expect(game.getByRole('button', { name: 'Snake field' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(game.getByText('Game over')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(game.getByText('Paused')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(game).toBeHidden()
    await expect(card.getByText('Accepted')).toBeVisible()
  })

  await test.step('a value is searched for in every table of the project', async () => {
    await ask(page, 'where does "shipped" occur?')
    const found = answers(page).last().getByRole('grid', { name: 'Answer' })
    await expect(found.getByText('shop.orders')).toBeVisible()
    await expect(found.getByText('status')).toBeVisible()
  })

  await test.step('it is rated with a reason and kept as a verified question', async () => {
    const answer = answers(page).nth(1)
    await answer.getByRole('button', { name: 'Bad answer' }).click()
    const reasons = answer.getByRole('form', { name: 'What was wrong?' })
    await reasons.getByLabel('Misread the question').check()
    await reasons.getByRole('button', { name: 'Send' }).click()
    await expect(reasons).toBeHidden()
    await answer.getByRole('button', { name: 'Save as verified' }).click()
    await expect(page.getByText('Saved as a verified question.')).toBeVisible()
    await ask(page, QUESTION)
    await expect(answers(page).last().getByText('Answered with a verified question.')).toBeVisible()
  })

  await test.step('it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(answers(page).last().getByRole('grid', { name: 'Answer' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('its query opens as a worksheet', async () => {
    await answers(page).last().getByRole('button', { name: 'Open as worksheet' }).click()
    await page.waitForURL(/\/code-editor$/)
    await expect(page.locator('.monaco-editor').first()).toContainText('status')
  })

  await test.step('the chat is found by a word, renamed and deleted', async () => {
    await page.goto(`/${account}/shop/ai/chats`)
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('status')
    await page.getByRole('button', { name: `Actions for ${QUESTION}` }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename chat' }).getByLabel('Name').fill('Status report')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Actions for Status report' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete Status report?' }).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Chat deleted.')).toBeVisible()
  })
})

test.describe('metrics', () => {
  test.use({ expectedErrors: answered(400) })

  test('a metric is defined, refused while it is wrong, and used by a question that names it', async ({
    page,
    person,
    request,
  }) => {
    test.slow()
    const { account } = await giveWorkspaceWithTables(request, person)
    await signIn(page, person, `/${account}/shop/ai`)
    await page.getByRole('link', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog', { name: 'New AI project' })
    await dialog.getByLabel('Name').fill('Figures')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('searchbox', { name: 'Search tables' }).fill('orders')
    await page.getByLabel('shop.orders').check()
    await page.getByRole('button', { name: 'Save tables' }).click()
    await expect(page.getByText('Tables saved.')).toBeVisible()

    await page.getByRole('button', { name: 'Add context' }).click()
    const context = page.getByRole('dialog', { name: 'Add business context' })
    await context.getByRole('radio', { name: 'Metric' }).check()
    await context.getByLabel('Name', { exact: true }).fill('Basket size')
    await context.getByLabel('SQL expression').fill('avg(orders.missing)')
    await context.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(context.getByText('There is no column orders.missing in this project.')).toBeVisible()
    await context.getByLabel('SQL expression').fill('avg(orders.amount)')
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
    await context.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Business context' }).getByText('Basket size')).toBeVisible()

    await page.getByRole('button', { name: 'New chat' }).click()
    await ask(page, 'basket size by status')
    const answer = answers(page).first()
    await expect(answer.getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
    await answer.getByRole('button', { name: 'SQL and receipt' }).click()
    await expect(answer.getByText('avg(o.amount)').first()).toBeVisible()
  })
})
