import { confirmSecondFactor, login, setUpSecondFactor, signup } from '@trellis/contract/identity/identity.endpoints'
import { changePassword } from '@trellis/contract/profile/profile.endpoints'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.close())

const letTimePass = () => app.database.pool.query('delete from rate_limits')

/** Rate limits use fixed windows, so tests must not start near a border. */
beforeEach(async () => {
  const secondsLeft = () => 900 - ((Date.now() / 1000) % 900)
  while (secondsLeft() < 60) await new Promise((resolve) => setTimeout(resolve, 500))
  await letTimePass()
}, 120_000)

const signIn = (client: TestClient, email: string, rest: { password?: string; second_factor?: string } = {}) =>
  client.call(login, { body: { email, password: PASSWORD, ...rest } })

async function makeCarefulPerson(email: string) {
  await makePerson(app, email)
  const client = await signInAs(app, email)
  const { data } = await client.call(setUpSecondFactor)
  const totp = new TOTP({ secret: Secret.fromBase32(data.secret) })
  const codeNow = () => totp.generate({ timestamp: app.clock.now().getTime() })
  await client.call(confirmSecondFactor, { body: { code: codeNow(), password: PASSWORD } })
  const nextCode = () => {
    app.clock.move(30_000)
    return codeNow()
  }
  return { client, nextCode }
}

test('authenticator codes: 10 wrong ones an hour per person, and a known device has its own', async () => {
  const email = 'careful@example.com'
  const { client: knownTestClient, nextCode } = await makeCarefulPerson(email)
  const thief = app.client()
  const answers: (string | undefined)[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    // Failed sign-ins also count per email, which another test covers.
    await app.database.pool.query("delete from rate_limits where key like 'login|%'")
    answers.push((await signIn(thief, email, { second_factor: '000000' })).errors[0]?.code)
  }
  expect(answers.filter((code) => code === 'second_factor_wrong')).toHaveLength(10)
  expect(answers.slice(10)).toEqual(['too_many_requests', 'too_many_requests'])
  const right = nextCode()
  const late = await signIn(app.client(), email, { second_factor: right })
  expect(late.errors[0]?.code, 'an unknown device waits, even with the right code').toBe('too_many_requests')
  expect((await signIn(knownTestClient, email, { second_factor: right })).status, 'the owner comes in').toBe(200)
  await letTimePass()
  expect((await signIn(thief, email, { second_factor: nextCode() })).status).toBe(200)
})

test('a device cookie that was made up, or is of somebody else, is no known device', async () => {
  const { client } = await makeCarefulPerson('one@example.com')
  const { client: other } = await makeCarefulPerson('two@example.com')
  const [name = ''] = [...client.cookies.keys()].filter((cookie) => cookie.startsWith('trellis_device_'))
  const [foreign = ''] = [...other.cookies]
    .filter(([cookie]) => cookie.startsWith('trellis_device_'))
    .map(([, it]) => it)
  const values = [foreign, `${'a'.repeat(43)}.${'b'.repeat(43)}`, '%00', '']
  for (const value of values) {
    const thief = app.client()
    thief.cookies.set(name, value)
    await signIn(thief, 'one@example.com', { second_factor: '000000' })
  }
  const { rows } = await app.database.pool.query<{ key: string; count: number }>(
    "select key, count from rate_limits where key like 'guess|second factor|%' and count > 0",
  )
  expect(rows).toEqual([{ key: expect.stringMatching(/^guess\|second factor\|\d+$/), count: values.length }])
})

test('guesses at the current password: 10 wrong ones an hour per person, from whatever session', async () => {
  const email = 'guessed@example.com'
  await makePerson(app, email)
  const clients = await Promise.all([signInAs(app, email), signInAs(app, email)])
  const change = (client: TestClient, current_password: string) =>
    client.call(changePassword, { body: { current_password, new_password: 'An0ther!pass' } })
  const answers = []
  for (let tries = 0; tries < 12; tries += 1) {
    answers.push(await change(clients[tries % 2] as TestClient, `Wr0ng!pass${tries}`))
  }
  expect(answers.filter((answer) => answer.errors[0]?.code === 'password_wrong')).toHaveLength(10)
  expect((await change(clients[0], PASSWORD)).errors[0]?.code).toBe('too_many_requests')
  await letTimePass()
  expect((await change(clients[0], PASSWORD)).status).toBe(200)
})

test('right passwords use nothing up: many sign-ins in a row, then as many wrong ones as ever', async () => {
  const email = 'busy@example.com'
  await makePerson(app, email)
  for (let times = 0; times < 15; times += 1) expect((await signIn(app.client(), email)).status).toBe(200)
  const wrong = []
  for (let times = 0; times < 11; times += 1)
    wrong.push((await signIn(app.client(), email, { password: 'Wr0ng!pass' })).errors[0]?.code)
  expect(wrong.filter((code) => code === 'credentials_wrong')).toHaveLength(10)
  expect(wrong.at(-1)).toBe('too_many_requests')
})

test('guesses from the same address do not lock the owner out of a known device, which has 10 guesses of its own', async () => {
  const email = 'neighbour@example.com'
  await makePerson(app, email)
  await makePerson(app, 'insider@example.com')
  const knownTestClient = await signInAs(app, email)
  const insider = await signInAs(app, 'insider@example.com')
  const wrong = { password: 'Wr0ng!pass' }
  // More than the limit of the IP and of the email.
  await Promise.all(Array.from({ length: 65 }, () => signIn(app.client(), email, wrong)))
  expect((await signIn(app.client(), email)).errors[0]?.code, 'an unknown device waits').toBe('too_many_requests')
  expect((await signIn(insider, email)).errors[0]?.code, 'so does a device of another person').toBe('too_many_requests')
  expect((await signIn(knownTestClient, email)).status, 'the owner comes in').toBe(200)
  const answers: (string | undefined)[] = []
  for (let tries = 0; tries < 11; tries += 1)
    answers.push((await signIn(knownTestClient, email, wrong)).errors[0]?.code)
  expect(answers.filter((code) => code === 'credentials_wrong')).toHaveLength(10)
  expect(answers.at(-1)).toBe('too_many_requests')
})

test('only the right password tells that a profile waits for its activation', async () => {
  const email = 'waiting@example.com'
  const client = app.client()
  await client.call(signup, { body: { firstName: 'Test', surname: 'Person', email, password: PASSWORD } })
  expect((await signIn(app.client(), email)).errors[0]?.code).toBe('activation_required')
  const wrong = await signIn(app.client(), email, { password: 'Wr0ng!pass' })
  const nobody = await signIn(app.client(), 'nobody@example.com', { password: 'Wr0ng!pass' })
  const bare = (text: string) => text.replaceAll(/"id":"[^"]*"/g, '')
  expect(bare(wrong.text)).toBe(bare(nobody.text))
  const stranger = app.client()
  const theirs = { firstName: 'Some', surname: 'Body', email, password: 'Str4nger!pass' }
  await stranger.call(signup, { body: theirs })
  expect((await signIn(client, email)).errors[0]?.code, 'in the browser of the sign-up').toBe('activation_required')
})
