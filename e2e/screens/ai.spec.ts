import { signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { giveWorkspaceWithTables } from '../harness/workspace-data.ts'
import { photograph } from './photograph.ts'

test.use({ colorScheme: 'dark' })

test('AI projects, chats and a conversation', async ({ page, person, request }) => {
  test.slow()
  const { account } = await giveWorkspaceWithTables(request, person)
  await signIn(page, person, `/${account}/shop/ai`)
  await expect(page.getByText('No AI projects yet')).toBeVisible()
  await photograph(page, 'ai-empty')
  await page.getByRole('link', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'New AI project' })
  await dialog.getByLabel('Name').fill('Sales')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('button', { name: 'Choose all' }).click()
  await page.getByRole('button', { name: 'Save tables' }).click()
  await expect(page.getByText('Tables saved.')).toBeVisible()
  await photograph(page, 'ai-project')
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(page.getByRole('list', { name: 'Example questions' })).toBeVisible()
  await photograph(page, 'ai-chat-empty')
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('total amount by status')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('article', { name: 'Answer' })
  await expect(answer.getByRole('slider')).toBeVisible()
  await answer.getByRole('button', { name: 'SQL and receipt' }).click()
  await photograph(page, 'ai-answer')
  await page.goto(`/${account}/shop/ai/chats`)
  await expect(page.getByRole('link', { name: 'total amount by status' })).toBeVisible()
  await photograph(page, 'ai-chats')
  await page.goto(`/${account}/shop/ai`)
  await expect(page.getByRole('textbox', { name: 'Question', exact: true })).toBeVisible()
  await photograph(page, 'ai-home')
})
