import { seen } from '../harness/notices.ts'
import { giveAccount, leaveApp, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test('without a stored profile: said, and sent to sign in', async ({ page }) => {
  await Promise.all([seen(page, 'No stored profile found'), page.goto('/workspaces?q=sales')])
  await expect(page).toHaveURL('/login?next=%2Fworkspaces%3Fq%3Dsales')
})

test('with a damaged profile: said, and sent to sign in', async ({ page, person }) => {
  await signIn(page, person)
  await leaveApp(page)
  await page.evaluate(() => localStorage.setItem('trellis.profile', '{"id":"x"}'))
  await Promise.all([seen(page, 'Invalid stored profile data'), page.goto('/workspaces')])
  await expect(page).toHaveURL('/login?next=%2Fworkspaces')
})

for (const what of ['accounts', 'workspaces']) {
  test(`without stored ${what}, or with damaged ones: said, and loaded again`, async ({ page, person }) => {
    const code = await giveAccount(person)
    const path = `/${code}/marketing/dashboard`
    const isStored = () => page.evaluate((key) => localStorage.getItem(key)?.includes('Marketing'), `trellis.${what}`)
    await signIn(page, person)
    await leaveApp(page)
    await page.evaluate((key) => localStorage.removeItem(key), `trellis.${what}`)
    await Promise.all([seen(page, `No stored ${what} found`), page.goto(path)])
    await expect(page).toHaveURL(path)
    await expect.poll(isStored).toBe(true)

    await leaveApp(page)
    await page.evaluate((key) => localStorage.setItem(key, '[{}]'), `trellis.${what}`)
    await Promise.all([seen(page, `Invalid stored ${what} data`), page.goto(path)])
    await expect(page).toHaveURL(path)
    await expect.poll(isStored).toBe(true)
  })
}
