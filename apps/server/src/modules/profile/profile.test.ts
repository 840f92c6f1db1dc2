import { getProfile, updateFlags, updateProfile } from '@trellis/contract/profile/profile.endpoints'
import { hasChosenTheme } from '@trellis/contract/profile/profile.schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.close())

test('a theme is light until one is chosen, and the choice is told apart from the default', async () => {
  await makePerson(app, 'ada@example.com')
  const client = await signInAs(app, 'ada@example.com')
  const profile = async () => (await client.call(getProfile, {})).data
  expect(await profile()).toMatchObject({ preferences: { themeMode: 'light' }, flags: {} })
  expect(hasChosenTheme(await profile())).toBe(false)

  await client.call(updateFlags, { body: { tour: true } })
  await client.call(updateProfile, { body: { firstName: 'Augusta' } })
  expect(hasChosenTheme(await profile())).toBe(false)

  const chosen = await client.call(updateProfile, { body: { preferences: { themeMode: 'light' } } })
  expect(chosen.data).toMatchObject({ first_name: 'Augusta', preferences: { themeMode: 'light' } })
  expect(hasChosenTheme(await profile())).toBe(true)
  expect((await profile()).flags).toMatchObject({ tour: true })
})
