import { giveAccount } from '../harness/people.ts'
import { nameAccount, payForAccount } from '../harness/plans.ts'
import { answered, expect, test } from '../harness/test.ts'
import { enterDark } from './enter.ts'
import { photograph } from './photograph.ts'

test.use({ expectedErrors: answered(402, 404, 503) })

test('the choice of a plan and its activation', async ({ page, person }) => {
  await enterDark(page, person)
  await nameAccount(page, 'Harbour Works')
  await expect(page.getByRole('link', { name: 'Select plan Team' })).toBeVisible()
  await photograph(page, 'plan-select')
  await page.goto('/plan-activation/999999999?status=canceled')
  await photograph(page, 'plan-activation-failed')
  const code = await payForAccount(page, { name: 'Harbour Works', plan: 'Team' })
  await photograph(page, 'plan-activated')
  await page.goto(`/${code}/plan-change`)
  await page.getByRole('button', { name: 'Select plan Basic' }).click()
  await photograph(page, 'plan-downgrade')
})

test('what a plan costs and what is used of it', async ({ page, person }) => {
  await enterDark(page, person)
  const code = await payForAccount(page, { name: 'Harbour Works', plan: 'Team' })
  await page.goto(`/${code}/settings?tab=billing`)
  await expect(page.getByRole('table', { name: 'Invoices' })).toBeVisible()
  await expect(page.getByText('The Team plan is active')).toBeVisible()
  await photograph(page, 'billing', { isWhole: true })
  await page.goto(`/${code}/settings?tab=plan-utilization`)
  await expect(page.getByRole('progressbar').first()).toBeVisible()
  await photograph(page, 'plan-utilization', { isWhole: true })
  await page.getByRole('button', { name: 'Buy credits' }).click()
  await page.getByLabel('Number of credits').fill('150')
  await page.getByLabel('Number of credits').blur()
  await expect(page.getByText('Must be a multiple of 100')).toBeVisible()
  await photograph(page, 'buy-credits')
})

test('a plan that is too small, and how use goes', async ({ page, person }) => {
  const code = await giveAccount(person, ['Marketing', 'Finance'])
  await enterDark(page, person)
  await page.goto(`/${code}/plan-change`)
  await expect(page.getByRole('note')).toBeVisible()
  await photograph(page, 'plan-change-blocked', { isWhole: true })
  await page.goto(`/${code}/marketing/utilization`)
  await expect(page.getByRole('progressbar', { name: 'User seats' })).toBeVisible()
  await photograph(page, 'utilization', { isWhole: true })
  await page.route('**/invoices*', (route) =>
    route.fulfill({
      status: 503,
      json: {
        errors: [
          {
            status: '503',
            code: 'payments_unavailable',
            title: 'Not there',
            detail: 'The payment provider is not available right now.',
            id: 'req-1',
          },
        ],
      },
    }),
  )
  await page.goto(`/${code}/settings?tab=billing`)
  await expect(page.getByText('Could not load invoices.')).toBeVisible()
  await photograph(page, 'billing-problem', { isWhole: true })
})
