import { holdClock, seenInSteps } from '../harness/notices.ts'
import { signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

const SAVED = 'Changes successfully saved.'

test('a toast is gone after three seconds, and waits while it is read', async ({ page, person }) => {
  await page.clock.install()
  await signIn(page, person, '/profile/settings')
  const toast = page.getByText(SAVED, { exact: true })
  const save = async (name: string) => {
    await page.getByLabel('First name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await seenInSteps(page, SAVED)
  }
  await holdClock(page)
  await save('Augusta')
  await page.clock.runFor(2_900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(100)
  await expect(toast).toHaveCount(0)

  await save('Ada')
  await toast.hover()
  await page.clock.runFor(10_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(3_000)
  await expect(toast).toHaveCount(0)
})
