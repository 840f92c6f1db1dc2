import { changePassword } from '@trellis/contract/profile/profile.endpoints'
import {
  endAllSessions,
  endSession,
  getIdentity,
  listSessions,
  login,
  logout,
  refreshToken,
} from '@trellis/contract/identity/identity.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestClient, createClient } from '../../testing/test-client.ts'

let app: TestApp
let count = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

async function newPerson(): Promise<string> {
  count += 1
  const email = `person${count}@example.com`
  await makePerson(app, email)
  return email
}

const refresh = (client: TestClient, email: string, headers: Record<string, string> = {}) =>
  client.call(refreshToken, { body: { email }, headers })

function copyClient(client: TestClient): TestClient {
  const copy = createClient(app.url)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

const ageRotation = () => app.database.pool.query("update sessions set rotated_at = rotated_at - interval '11 seconds'")

test('the proof is the cookie: a bearer or an e-mail alone refreshes nothing', async () => {
  const email = await newPerson()
  const other = await newPerson()
  const client = await signInAs(app, email)
  const bareTestClient = app.client()
  bareTestClient.token = client.token
  expect((await refresh(bareTestClient, email)).status).toBe(401)
  expect((await refresh(copyClient(client), other)).status).toBe(401)
  const otherClient = await signInAs(app, other)
  const mixed = copyClient(client)
  mixed.token = otherClient.token
  expect((await refresh(mixed, email)).status).toBe(401)
  expect((await refresh(client, email.toUpperCase())).status).toBe(200)
})

test('an expired bearer and a living cookie give a new token', async () => {
  const email = await newPerson()
  const client = await signInAs(app, email)
  app.clock.move(11 * 60_000)
  try {
    expect((await client.call(getIdentity)).status).toBe(401)
    const freshResponse = await refresh(client, email)
    expect(freshResponse.status).toBe(200)
    client.token = freshResponse.data.access_token
    expect((await client.call(getIdentity)).status).toBe(200)
  } finally {
    app.clock.move(-11 * 60_000)
  }
})

test('eight at once with one cookie: eight answers, one rotation', async () => {
  const email = await newPerson()
  const client = await signInAs(app, email)
  client.token = undefined
  const copies = Array.from({ length: 8 }, () => copyClient(client))
  const answers = await Promise.all(copies.map((copy) => refresh(copy, email)))
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200))
  const rotated = copies.filter((copy) => copy.cookies.get('trellis_refresh') !== client.cookies.get('trellis_refresh'))
  expect(rotated).toHaveLength(1)
})

test('a replayed refresh secret ends that session and no other', async () => {
  const email = await newPerson()
  const victim = await signInAs(app, email)
  const elsewhere = await signInAs(app, email)
  victim.token = undefined
  const thief = copyClient(victim)
  expect((await refresh(victim, email)).status).toBe(200)
  await ageRotation()
  expect((await refresh(thief, email)).status).toBe(401)
  expect((await refresh(victim, email)).status).toBe(401)
  expect((await elsewhere.call(getIdentity)).status).toBe(200)
  const { rows } = await app.database.pool.query("select detail from audit_lines where action = 'sessionRevoked'")
  expect(rows).toHaveLength(1)
})

test('a thief who refreshes many times is found out by the first secret all the same', async () => {
  const email = await newPerson()
  const victim = await signInAs(app, email)
  victim.token = undefined
  const thief = copyClient(victim)
  for (let round = 0; round < 3; round += 1) expect((await refresh(thief, email)).status).toBe(200)
  expect((await refresh(victim, email)).status).toBe(401)
  expect((await refresh(thief, email)).status, 'the session is over for both').toBe(401)
})

test('an invented secret ends nobody’s session', async () => {
  const email = await newPerson()
  const client = await signInAs(app, email)
  client.token = undefined
  const forger = copyClient(client)
  const real = client.cookies.get('trellis_refresh') ?? ''
  forger.cookies.set('trellis_refresh', `${real.slice(0, -4)}AAAA`)
  expect((await refresh(forger, email)).status).toBe(401)
  expect((await refresh(client, email)).status).toBe(200)
})

test('a client without cookies gets its secret in the answer and sends it in the header', async () => {
  const email = await newPerson()
  const client = app.client()
  const signedIn = await client.call(login, {
    body: { email, password: PASSWORD },
    headers: { 'trellis-refresh': 'body' },
  })
  expect(client.cookies.size).toBe(0)
  const answer = await refresh(client, email, { authorization: `Refresh ${signedIn.data.refresh_token}` })
  expect(answer.status).toBe(200)
  expect(answer.data.refresh_token).not.toBe(signedIn.data.refresh_token)
})

test('the cookie is out of reach for scripts and other sites', async () => {
  const email = await newPerson()
  const answer = await app.client().call(login, { body: { email, password: PASSWORD } })
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('trellis_refresh='))
  expect(cookie).toMatch(/HttpOnly/i)
  expect(cookie).toMatch(/SameSite=Strict/i)
  expect(cookie).toMatch(/Path=\/auth\/token/)
  const foreign = await app
    .client()
    .call(login, { body: { email, password: PASSWORD }, headers: { origin: 'https://evil.example.com' } })
  expect(foreign.errors[0]?.code).toBe('origin_refused')
})

test('the list shows my devices; one can be signed out, or all', async () => {
  const email = await newPerson()
  const here = await signInAs(app, email)
  const there = await signInAs(app, email)
  const stranger = await signInAs(app, await newPerson())
  const { data } = await here.call(listSessions)
  expect(data.map((session) => session.is_current).toSorted()).toEqual([false, true])
  const id = data.find((session) => !session.is_current)?.id
  expect((await stranger.call(endSession, { params: { session_id: id } })).status).toBe(404)
  expect((await here.call(endSession, { params: { session_id: id } })).status).toBe(200)
  expect((await there.call(getIdentity)).status).toBe(401)
  expect((await here.call(endAllSessions)).status).toBe(200)
  expect((await here.call(getIdentity)).status).toBe(401)
})

test('a changed password signs every other session out', async () => {
  const email = await newPerson()
  const here = await signInAs(app, email)
  const there = await signInAs(app, email)
  const wrong = await here.call(changePassword, {
    body: { current_password: 'Wr0ng!pass', new_password: 'N3w!password' },
  })
  expect(wrong.errors[0]).toMatchObject({ code: 'password_wrong', source: { pointer: '/current_password' } })
  const done = await here.call(changePassword, { body: { current_password: PASSWORD, new_password: 'N3w!password' } })
  expect(done.status).toBe(200)
  expect((await here.call(getIdentity)).status).toBe(200)
  expect((await there.call(getIdentity)).status).toBe(401)
  expect((await signInAs(app, email, 'N3w!password')).token).toBeDefined()
})

test('logging out ends the session on the server and takes the cookie away', async () => {
  const email = await newPerson()
  const client = await signInAs(app, email)
  const keptTestClient = copyClient(client)
  expect((await client.call(logout)).status).toBe(200)
  expect(client.cookies.has('trellis_refresh')).toBe(false)
  expect((await refresh(keptTestClient, email)).status).toBe(401)
})
