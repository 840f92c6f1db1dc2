import type { Locator, Page } from '@playwright/test'
import { startScriptedModel } from '../../harness/model.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject, type GivenProject } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'
import { getEditor, getResults } from '../../harness/worksheet.ts'
import { createHands, type Hands, tabTo } from '../keyboard.ts'

const QUESTION = 'number of orders by status'
const RESULT = 'Revenue by status'
const PROMPT = 'Orders by status'
const SQL = 'select status, sum(amount) as revenue from shop.orders group by 1 order by 1'

const PLACES = [
  { place: 'on a dark phone', isPhone: true },
  { place: 'with keys alone, in the dark', isPhone: false },
] as const

interface Walk {
  page: Page
  hands: Hands
  given: GivenProject
  isPhone: boolean
}

async function expectSpark({ page }: Walk, name: string, inside: (frame: Locator) => Locator): Promise<void> {
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  const frame = page.frameLocator(`iframe[title="${name}"]`).locator('html')
  await expect(inside(frame)).toBeVisible()
  await expect(frame).toHaveAttribute('data-theme', 'dark')
  for (const html of [page.locator('html'), frame])
    expect(await html.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
}

async function makeFromAnswer(walk: Walk): Promise<void> {
  const { page, hands } = walk
  await hands.press(page.getByRole('button', { name: 'New chat' }))
  await hands.write(page.getByRole('textbox', { name: 'Question', exact: true }), QUESTION)
  await page.keyboard.press('Enter')
  await hands.press(page.getByRole('article', { name: 'Answer' }).getByRole('button', { name: 'Create a spark' }))
  await expectSpark(walk, QUESTION, (frame) => frame.getByRole('slider'))
}

async function makeFromWorksheet(walk: Walk): Promise<void> {
  const { page, hands, given, isPhone } = walk
  await page.goto(`/${given.account}/shop/explorer/worksheets`)
  await hands.press(page.getByRole('button', { name: 'New worksheet' }))
  await hands.write(page.getByRole('dialog', { name: 'New worksheet' }).getByLabel('Name'), 'revenue')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'revenue.sql' })).toBeVisible()
  const chart = getResults(page).getByRole('button', { name: 'Chart', exact: true })
  if (isPhone) {
    await page.getByLabel('SQL of revenue.sql').fill(SQL)
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await chart.click()
  } else {
    await expect(getEditor(page)).toHaveClass(/focused/)
    await page.keyboard.insertText(SQL)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(getResults(page).getByRole('gridcell', { name: 'shipped' })).toBeVisible()
    await page.keyboard.press('F6')
    await tabTo(page, chart, 'Shift+Tab')
    await page.keyboard.press('Enter')
  }
  const settings = page.getByRole('complementary', { name: 'Chart settings' })
  await hands.press(settings.getByRole('button', { name: 'Create a spark' }))
  await hands.write(page.getByRole('dialog', { name: 'Create a spark' }).getByLabel('Name'), RESULT)
  await page.keyboard.press('Enter')
  await expectSpark(walk, RESULT, (frame) => frame.getByRole('slider'))
}

async function makeFromPrompt(walk: Walk): Promise<void> {
  const { page, hands, given } = walk
  const content = {
    sources: [{ key: 'revenue', name: 'Revenue', integration_trellis_code: given.database, sql: SQL }],
    parameters: [],
    body: { kind: 'blocks', blocks: [{ kind: 'table', source: 'revenue', title: 'Rows' }] },
  }
  const model = await startScriptedModel(({ messages }) => ({
    text: JSON.stringify(messages).includes(PROMPT) ? JSON.stringify(content) : 'ok',
  }))
  try {
    const connected = await page.request.put(`/api/account/${given.account}/ai-model`, {
      headers: given.headers,
      data: { protocol: 'openai', base_url: model.baseUrl, model: 'scripted' },
    })
    expect(connected.ok(), await connected.text()).toBe(true)
    await page.goto(`${given.sparks}/new?from=prompt`)
    await hands.write(page.getByLabel('Name', { exact: true }), PROMPT)
    await hands.write(page.getByLabel('What should it show?'), PROMPT)
    await hands.press(page.getByRole('button', { name: 'Create spark' }))
    await expectSpark(walk, PROMPT, (frame) => frame.getByRole('cell', { name: 'shipped' }))
  } finally {
    await model.stop()
  }
}

for (const { place, isPhone } of PLACES)
  test.describe(place, () => {
    test.use({ colorScheme: 'dark', viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 } })

    test('sparks are made from an answer, from the result of a worksheet and from a prompt', async ({
      page,
      person,
      request,
    }) => {
      test.slow()
      const givenProject = await giveProject(request, person)
      const walk = { page, given: givenProject, isPhone, hands: createHands(page, !isPhone) }
      await signIn(page, person, `/${givenProject.account}/shop/ai/projects/${givenProject.project}`)
      await test.step('answer', () => makeFromAnswer(walk))
      await test.step('worksheet', () => makeFromWorksheet(walk))
      await test.step('prompt', () => makeFromPrompt(walk))
    })
  })
