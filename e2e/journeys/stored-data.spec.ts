import { giveAccount, signIn } from '../harness/people.ts'
import { expect, test } from '../harness/test.ts'

test('without a stored profile: said, and sent to sign in', async ({ page }) => {
  await page.goto('/workspaces?q=sales')
  await expect(page).toHaveURL('/login?next=%2Fworkspaces%3Fq%3Dsales')
  await expect(page.getByText('No stored profile found', { exact: true })).toBeVisible()
})

test('with a damaged profile: said, and sent to sign in', async ({ page, person }) => {
  await signIn(page, person)
  await page.evaluate(() => localStorage.setItem('trellis.profile', '{"id":"x"}'))
  await page.goto('/workspaces')
  await expect(page).toHaveURL('/login?next=%2Fworkspaces')
  await expect(page.getByText('Invalid stored profile data', { exact: true })).toBeVisible()
})

for (const what of ['accounts', 'workspaces']) {
  test(`without stored ${what}, or with damaged ones: said, and loaded again`, async ({ page, person }) => {
    const code = await giveAccount(person)
    const path = `/${code}/marketing/dashboard`
    const isStored = () => page.evaluate((key) => localStorage.getItem(key)?.includes('Marketing'), `trellis.${what}`)
    await signIn(page, person)
    await page.evaluate((key) => localStorage.removeItem(key), `trellis.${what}`)
    await page.goto(path)
    await expect(page.getByText(`No stored ${what} found`, { exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
    expect(await isStored()).toBe(true)

    await page.evaluate((key) => localStorage.setItem(key, '[{}]'), `trellis.${what}`)
    await page.goto(path)
    await expect(page.getByText(`Invalid stored ${what} data`, { exact: true })).toBeVisible()
    await expect(page).toHaveURL(path)
    expect(await isStored()).toBe(true)
  })
}
