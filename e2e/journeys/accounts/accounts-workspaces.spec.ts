import { seen } from '../../harness/notices.ts'
import { giveAccount, signIn } from '../../harness/people.ts'
import { expect, test } from '../../harness/test.ts'

test('a workspace is created with a real database, renamed, deleted and brought back', async ({ page, person }) => {
  test.slow()
  const code = await giveAccount(person, ['Marketing'])
  await signIn(page, person)
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workspace' })
  await dialog.getByLabel('Workspace name').fill('Field sales')
  await expect(dialog.getByLabel('Workspace URL')).toHaveValue('fieldsales')
  await Promise.all([
    seen(page, 'Preparing integrations...'),
    seen(page, 'Spinning up your database...'),
    seen(page, 'Creating your data canvas...'),
    dialog.getByRole('button', { name: 'Create workspace' }).click(),
  ])
  await expect(dialog.getByText('Workspace successfully set up!')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Back to overview' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Enter workspace' }).click()
  await expect(page).toHaveURL(`/${code}/fieldsales/dashboard`)
  // The list of workspaces, which has the same texts, stays until the dashboard has loaded.
  await expect(page.getByRole('list', { name: 'People' }).getByText(person.email)).toBeVisible()
  await expect(page.getByText('Online', { exact: true })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Workspace settings' }).click()
  await page.getByLabel('Workspace name').fill('Field work')
  await Promise.all([
    seen(page, 'Changes successfully saved.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await expect(page.getByLabel('Workspace URL', { exact: true })).not.toBeEditable()

  await page.getByRole('button', { name: 'Delete workspace…' }).click()
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
  await expect(confirm).toBeDisabled()
  await page.getByLabel('I understand this action will result in permanent loss of data.').check()
  await Promise.all([seen(page, 'Workspace successfully deleted.'), confirm.click()])
  await expect(page).toHaveURL('/workspaces')
  await expect(page.getByRole('heading', { name: 'Recently deleted' })).toBeVisible()
  await page.goto(`/${code}/fieldsales/dashboard`)
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
  await page.goto('/workspaces')
  await page.getByRole('button', { name: 'Restore Field work' }).click()
  await page.getByRole('link', { name: 'Field work' }).click()
  await expect(page).toHaveURL(`/${code}/fieldsales/dashboard`)
})

test('the first workspace is made on its own page', async ({ page, person }) => {
  const code = await giveAccount(person, [])
  await signIn(page, person)
  await page.getByRole('link', { name: 'Create the first one' }).click()
  await expect(page.getByText('Create the initial workspace for this account.')).toBeVisible()
  await page.getByLabel('Workspace name').fill('First')
  await Promise.all([
    seen(page, 'Workspace successfully created.'),
    page.getByRole('button', { name: 'Create workspace' }).click(),
  ])
  await expect(page).toHaveURL(`/${code}/first/dashboard`)
})

test('an account is renamed, deleted by typing the word, and brought back', async ({ page, person }) => {
  const code = await giveAccount(person)
  await signIn(page, person)
  await page.getByRole('link', { name: 'Settings of Acme Analytics' }).click()
  await expect(page).toHaveURL(`/${code}/settings`)
  await page.getByLabel('Account name').fill('Acme Works')
  await Promise.all([
    seen(page, 'Account configuration successfully saved.'),
    page.getByRole('button', { name: 'Save changes' }).click(),
  ])
  await page.getByRole('button', { name: 'Account actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Acme Works?' })
  await expect(dialog.getByText('The subscription stays active')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await dialog.getByLabel('Type delete to confirm').fill('Delete')
  await Promise.all([
    seen(page, 'Account successfully deleted.'),
    dialog.getByRole('button', { name: 'Delete' }).click(),
  ])
  await expect(page.getByRole('heading', { name: 'No accounts' })).toBeVisible()
  await page.getByRole('button', { name: 'Restore Acme Works' }).click()
  await expect(page.getByRole('link', { name: 'Marketing' })).toBeVisible()
})

test('a new account is named and then its plan chosen', async ({ page, person }) => {
  await signIn(page, person)
  await expect(page.getByRole('button', { name: 'New workspace' })).toBeDisabled()
  await page.getByRole('link', { name: 'New account' }).click()
  await expect(page.getByText('Start by naming your account.')).toBeVisible()
  await expect(page.getByText("You'll choose a plan next.")).toBeVisible()
  await page.getByLabel('Account name').fill('Harbour works')
  await page.getByRole('button', { name: 'Plan selection' }).click()
  await expect(page).toHaveURL('/plan-select')
  await expect(page.getByRole('heading', { name: 'Select a plan for account: Harbour works' })).toBeVisible()
})
