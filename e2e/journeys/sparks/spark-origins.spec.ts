import type { Page } from '@playwright/test'
import { openControlDb } from '@trellis/control-db/database'
import { getEnvironment } from '../../harness/environment.ts'
import { signIn } from '../../harness/people.ts'
import { giveProject } from '../../harness/sparks.ts'
import { expect, test } from '../../harness/test.ts'
import { createWorksheet, getEditor, getResults, writeSql } from '../../harness/worksheet.ts'

const QUESTION = 'number of orders by status'
const RESULT = 'Revenue by status'
const SQL = 'select status, sum(amount) as revenue from shop.orders group by 1 order by 1'
const CODE = `const { objects } = await spark.rows(spark.sources[0])
const line = document.createElement('p')
line.textContent = objects.length + ' kinds of orders'
spark.root.append(line)`

const getFrame = (page: Page, name: string) => page.frameLocator(`iframe[title="${name}"]`)

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function comeDue(sparkCode: string): Promise<void> {
  const control = openControlDb({ url: getEnvironment().databaseUrl, max: 1 })
  try {
    const { rowCount } = await control.pool.query(
      `update spark_schedules s set next_at = now() - interval '1 minute' from sparks
        where sparks.id = s.spark_id and sparks.trellis_code = $1`,
      [sparkCode],
    )
    expect(rowCount).toBe(1)
  } finally {
    await control.close()
  }
}

test('sparks are made from an answer and from a result; one is mailed by the clock, one printed and turned into code', async ({
  page,
  person,
  request,
  mailbox,
}) => {
  test.slow()
  const givenProject = await giveProject(request, person)
  await signIn(page, person, `/${givenProject.account}/shop/ai/projects/${givenProject.project}`)

  await test.step('the answer of a question becomes a spark', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill(QUESTION)
    await page.keyboard.press('Enter')
    const answer = page.getByRole('article', { name: 'Answer' })
    await answer.getByRole('button', { name: 'Create a spark' }).click()
    await expect(page.getByRole('heading', { name: QUESTION, exact: true })).toBeVisible()
    await expect(getFrame(page, QUESTION).getByRole('slider')).toBeVisible()
    await expect(getFrame(page, QUESTION).getByText('shipped').first()).toBeAttached()
  })

  await test.step('it is to be mailed each day, and comes due', async () => {
    await choose(page, 'Mail to me')
    const dialog = page.getByRole('dialog', { name: 'Mail this spark to me' })
    await dialog.getByLabel('How often').selectOption('Every day')
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await expect(page.getByText('The mail is scheduled.')).toBeVisible()
    await comeDue(new URL(page.url()).pathname.split('/').at(-1) ?? '')
  })

  await test.step('the result of a worksheet with its chart becomes a spark', async () => {
    await page.goto(`/${givenProject.account}/shop/explorer/worksheets`)
    await createWorksheet(page, 'revenue')
    await writeSql(page, SQL)
    await page.keyboard.press('ControlOrMeta+Enter')
    await getResults(page).getByRole('button', { name: 'Chart', exact: true }).click()
    const settings = page.getByRole('complementary', { name: 'Chart settings' })
    await settings.getByRole('button', { name: 'Create a spark' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a spark' })
    await dialog.getByLabel('Name').fill(RESULT)
    await dialog.getByLabel('Project', { exact: true }).selectOption('Sales')
    await dialog.getByRole('button', { name: 'Create spark' }).click()
    await expect(page.getByRole('heading', { name: RESULT, exact: true })).toBeVisible()
    await expect(getFrame(page, RESULT).getByRole('slider')).toHaveAccessibleName(/revenue by status/)
  })

  await test.step('on paper there is the spark alone, under its name', async () => {
    await page.evaluate(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '1')
    })
    await choose(page, 'Print')
    await expect(page.locator('html')).toHaveAttribute('data-printed', '1')
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('[data-print-sheet]').getByRole('heading', { name: RESULT })).toBeVisible()
    await expect(getFrame(page, RESULT).getByRole('slider')).toBeVisible()
    await expect(page.getByRole('button', { name: 'More', exact: true })).toBeHidden()
    await expect(page.getByRole('navigation').first()).toBeHidden()
    expect((await page.pdf({ printBackground: true })).length).toBeGreaterThan(5_000)
    await page.emulateMedia({ media: null })
  })

  await test.step('its blocks are replaced by code, which draws the same rows', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('radio', { name: 'Code', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Change to code?' })
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await expect(getEditor(page)).toBeVisible()
    await writeSql(page, CODE)
    const preview = getFrame(page, `Preview of ${RESULT}`)
    await expect(preview.getByText('3 kinds of orders')).toBeVisible()
    await page.getByRole('button', { name: 'Save version' }).click()
    await expect(getFrame(page, RESULT).getByText('3 kinds of orders')).toBeVisible()
    await expect(page.getByText('Version 2', { exact: true })).toBeVisible()
  })

  await test.step('the mail has come, with its bars and a link that opens the spark', async () => {
    const mail = await mailbox.read(person.email, new RegExp(QUESTION))
    expect(mail.html).toMatch(/<table role="img".+>shipped<\/td>.*>834<\/td>/)
    const link = /Open spark: (\S+)/.exec(mail.text ?? '')?.[1] ?? ''
    await page.goto(new URL(link).pathname)
    await expect(page.getByRole('heading', { name: QUESTION, exact: true })).toBeVisible()
    await choose(page, 'Mail to me')
    await expect(page.getByRole('dialog').getByText('A mail is scheduled')).toBeVisible()
  })
})
