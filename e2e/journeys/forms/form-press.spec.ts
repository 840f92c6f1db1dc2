import type { Locator, Page } from '@playwright/test'
import { giveDataflow } from '../../harness/given-dataflow.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { answered, expect, test } from '../../harness/test.ts'
import { giveWorkspaceWithTables } from '../../harness/workspace-data.ts'

/** On a phone each message moves the content below it. */
test.use({ viewport: { width: 390, height: 844 }, expectedErrors: answered(404, 409, 422) })

interface Press {
  /** Blurred by the press, which shows a message. */
  field: Locator
  target: Locator
  message: Locator
}

async function pressBelow(page: Page, { field, target, message }: Press): Promise<void> {
  await expect(field).toBeFocused()
  await expect(message).toHaveCount(0)
  await target.scrollIntoViewIfNeeded()
  await target.evaluate((element) => {
    element.addEventListener('click', () => element.setAttribute('data-clicked', 'true'))
  })
  const before = await target.boundingBox()
  if (!before) throw new Error('What is to be pressed is not on the screen.')
  await page.mouse.move(before.x + before.width / 2, before.y + before.height - 4)
  await page.mouse.down()
  await expect(field).not.toBeFocused()
  // React's update after a blur is painted two frames later.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await target.boundingBox()).toEqual(before)
  await page.mouse.up()
  await expect(target).toHaveAttribute('data-clicked', 'true')
  await expect(message).toBeVisible()
}

test('sign up: a message about the field above does not move what is pressed', async ({ page }) => {
  await page.goto('/signup')
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('alllowercase')
  await pressBelow(page, {
    field,
    target: page.getByLabel('Confirm password', { exact: true }),
    message: page.getByRole('alert').getByText('Password must contain at least a capital letter'),
  })
})

test('log in: neither does it there', async ({ page }) => {
  await page.goto('/login')
  const field = page.getByLabel('Email', { exact: true })
  await field.fill('nonsense')
  await pressBelow(page, {
    field,
    target: page.getByLabel('Password', { exact: true }),
    message: page.getByRole('alert').getByText('Email is not valid'),
  })
})

test('a plain form: the profile', async ({ page, person }) => {
  await signIn(page, person, '/profile/settings')
  const field = page.getByLabel('First name', { exact: true })
  await field.fill('A')
  await pressBelow(page, {
    field,
    target: page.getByLabel('Last name', { exact: true }),
    message: page.getByText('First name must be at least 2 characters long', { exact: true }),
  })
})

test('a form the server describes: a connection', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  await page.goto(`/${code}/marketing/integrations/setup/postgresql`)
  const field = page.getByLabel('Port')
  await field.fill('1.5')
  await pressBelow(page, {
    field,
    target: page.getByLabel('Database', { exact: true }),
    message: page.getByText('Enter a whole number.', { exact: true }),
  })
})

test('a block: leaving the SQL editor does not move the checkbox below it', async ({ page, person }) => {
  const { account } = await giveWorkspaceWithTables(page.request, person)
  const flow = await giveDataflow(page.request, person, { account, blocks: { Clean: 'Transformation' } })
  await signIn(page, person)
  await page.goto(flow.toSetupPath('Clean'))
  await page.locator('.monaco-editor').first().click()
  await pressBelow(page, {
    field: page.getByRole('textbox', { name: 'SQL' }),
    target: page.getByRole('checkbox', { name: /Write the rows of the SELECT/ }),
    message: page.getByRole('alert').getByText('Write the SQL.'),
  })
  await expect(page.getByRole('checkbox', { name: /Write the rows of the SELECT/ })).toBeChecked()
})
