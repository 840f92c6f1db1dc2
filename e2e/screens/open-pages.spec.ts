import { newPerson, post } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'
import { photograph } from './photograph.ts'

test.use({ colorScheme: 'dark' })

test('the mailbox', async ({ page, mailbox }) => {
  const person = newPerson()
  await post(page.request, '/auth/signup', person)
  await mailbox.read(person.email)
  await page.goto('/mailbox')
  await expect(page.getByRole('link', { name: person.email })).toBeVisible()
  await photograph(page, 'mailbox')
  await page.getByRole('link', { name: person.email }).click()
  await expect(page.getByRole('article')).toBeVisible()
  await photograph(page, 'mailbox-message')
  await page.goto('/mailbox?q=nothing-like-this')
  await expect(page.getByText('No message matches these words.')).toBeVisible()
  await photograph(page, 'mailbox-nothing')
})

test('the API reference', async ({ page }) => {
  await page.goto('/docs')
  await expect(page.getByRole('navigation', { name: 'Calls' }).getByRole('link').first()).toBeVisible()
  await photograph(page, 'docs')
  await page.goto('/docs?call=signup')
  await expect(page.getByText('/auth/signup').first()).toBeVisible()
  await photograph(page, 'docs-call')
})

test('the design gallery', async ({ page }) => {
  await page.goto('/design')
  await expect(page.getByRole('heading', { name: 'Design system' })).toBeVisible()
  await photograph(page, 'design', { isWhole: true })
})
