import AxeBuilder from '@axe-core/playwright'
import { signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'
import { changeTables, giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

const QUESTION = 'number of orders by status'

test('a question is scheduled, its answer is mailed with table and chart, and only again when it changed', async ({
  page,
  person,
  request,
  mailbox,
}) => {
  test.slow()
  const workspace = await giveWorkspaceWithTables(request, person)
  const ai = `/${workspace.account}/shop/ai`
  await signIn(page, person, `${ai}/projects`)

  await test.step('a project with a table', async () => {
    await page.getByRole('button', { name: 'New project' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New AI project' })
    await dialog.getByLabel('Name').fill('Sales')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await page.getByLabel('shop.orders').check()
    await page.getByRole('button', { name: 'Save tables' }).click()
    await expect(page.getByText('Tables saved.')).toBeVisible()
  })

  await test.step('the question is scheduled from its answer, for Monday at 8', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill(QUESTION)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Schedule this question…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule this question' })
    await expect(dialog.getByLabel('Question to ask')).toHaveValue(QUESTION)
    await dialog.getByLabel('Schedule', { exact: true }).selectOption('Every week')
    await dialog.getByLabel('Day', { exact: true }).selectOption('Monday')
    await dialog.getByLabel('Run at').selectOption('08:00')
    await dialog.getByLabel('Timezone').selectOption('UTC')
    await dialog.getByLabel('Only mail when the answer changed').check()
    await dialog.getByRole('button', { name: 'Schedule question' }).click()
    await expect(page.getByText('Question scheduled. The answers come by mail.')).toBeVisible()
  })

  const list = page.getByRole('list', { name: 'Scheduled questions' })
  const pick = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${QUESTION}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  await test.step('the jobs show its next run', async () => {
    await page.goto(`${ai}/jobs`)
    await expect(list).toContainText('Every Monday at 08:00 (UTC) · only when the answer changed · next run')
    await expect(list.getByText('Not asked yet')).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations).toEqual([])
  })

  await test.step('it is run now, and its mail leads to the answer', async () => {
    await pick('Run now')
    const mail = await mailbox.read(person.email, new RegExp(QUESTION))
    expect(mail.html).toContain('>shipped</td>')
    expect(mail.html).toContain('role="img"')
    expect(mail.text).toMatch(/shipped #+ 834/)
    await expect(list.getByText('Mailed')).toBeVisible()
    const link = /Show answer and chart: (\S+)/.exec(mail.text ?? '')?.[1] ?? ''
    expect(new URL(link).pathname).toMatch(new RegExp(`^${ai}/chats/[a-z0-9]+$`))
    await page.goto(link)
    const answer = page.getByRole('article', { name: 'Answer' })
    await expect(answer.getByRole('grid', { name: 'Answer' }).getByText('shipped')).toBeVisible()
    await expect(answer.getByRole('slider')).toBeVisible()
    await expect(page.getByRole('heading', { name: `Scheduled: ${QUESTION}` })).toBeVisible()
  })

  await test.step('the same rows are not mailed again, others are', async () => {
    await page.goto(`${ai}/jobs`)
    await pick('Run now')
    await expect(list.getByText('Unchanged, no mail')).toBeVisible()
    await changeTables(workspace, "update shop.orders set status = 'returned' where id <= 30")
    await pick('Run now')
    await expect(list.getByText('Mailed')).toBeVisible()
    await expect.poll(async () => (await mailbox.read(person.email, new RegExp(QUESTION))).text).toContain('returned')
    await list.getByRole('link', { name: 'Show answers' }).click()
    await expect(page.getByRole('article', { name: 'Answer' })).toHaveCount(3)
  })

  await test.step('it is paused, resumed and deleted', async () => {
    await page.goto(`${ai}/jobs`)
    await pick('Pause')
    await expect(list).toContainText('paused')
    await pick('Resume')
    await expect(list).toContainText('next run')
    await pick('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'No jobs yet' })).toBeVisible()
  })
})
