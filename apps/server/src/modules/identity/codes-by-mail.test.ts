import {
  confirmSignup,
  forgotPassword,
  login,
  resendSignupCode,
  signup,
} from '@trellis/contract/identity/identity.endpoints'
import { changePassword } from '@trellis/contract/profile/profile.endpoints'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, codeIn, makePerson, readMail, signInAs, signUpWithMail } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const person = (email: string, password = PASSWORD) => ({ firstName: 'Test', surname: 'Person', email, password })
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test('sign up, read the code, activate, sign in', async () => {
  await signUpWithMail(app, 'new@example.com')
  const client = await signInAs(app, 'new@example.com')
  expect(client.token).toMatch(/^ey/)
})

test('before activation there is nobody to sign in', async () => {
  const client = app.client()
  await client.call(signup, { body: person('pending@example.com') })
  const answer = await client.call(login, { body: { email: 'pending@example.com', password: PASSWORD } })
  expect(answer.errors[0]?.code).toBe('activation_required')
  const wrong = await client.call(login, { body: { email: 'pending@example.com', password: 'Wr0ng!pass' } })
  expect(wrong.errors[0]?.code).toBe('credentials_wrong')
})

test('of 1,000 guesses at most 5 are judged, and then even the right code is locked', async () => {
  const email = 'guess@example.com'
  const client = app.client()
  await client.call(signup, { body: person(email) })
  const code = codeIn(await readMail(app, email))
  const guesses = Array.from({ length: 1000 }, (_, index) =>
    String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
  )
  for (let from = 0; from < guesses.length; from += 50) {
    await Promise.all(
      guesses.slice(from, from + 50).map((guess) => client.call(confirmSignup, { body: { email, code: guess } })),
    )
  }
  const { attempts } = await app.database.db
    .selectFrom('signups')
    .select('attempts')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(attempts).toBe(5)
  expect((await client.call(confirmSignup, { body: { email, code } })).status).not.toBe(200)
})

test('one right code used by 20 at once makes one profile', async () => {
  const email = 'twins@example.com'
  const client = app.client()
  await client.call(signup, { body: person(email) })
  const code = codeIn(await readMail(app, email))
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.call(confirmSignup, { body: { email, code } })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const rows = await app.database.db.selectFrom('profiles').select('id').where('email', '=', email).execute()
  expect(rows).toHaveLength(1)
})

test('known and unknown e-mails get the same answers', async () => {
  await makePerson(app, 'known@example.com')
  const ask = async (email: string) => {
    const client = app.client()
    return [
      await client.call(signup, { body: person(email) }),
      await client.call(login, { body: { email, password: 'Wr0ng!pass' } }),
      await client.call(forgotPassword, { body: { email } }),
      await client.call(resendSignupCode, { body: { email } }),
      await client.call(forgotPassword, { body: { email, confirmation_code: '000000', new_password: PASSWORD } }),
      await client.call(confirmSignup, { body: { email, code: '000000' } }),
      await app.client().call(confirmSignup, { body: { email, code: '000000', password: PASSWORD } }),
      await app.client().call(confirmSignup, { body: { email, code: '000000' } }),
    ].map((answer) => [answer.status, answer.text.replaceAll(/"id":"[^"]+"/g, '')])
  }
  expect(await ask('known@example.com')).toEqual(await ask('unknown@example.com'))
  const notice = await readMail(app, 'known@example.com', { subject: /already|sign/i })
  expect(notice.text).not.toMatch(/\b\d{6}\b/)
})

test("a stranger's sign-up with my e-mail can't take the place of mine", async () => {
  const email = 'mine@example.com'
  const mine = app.client()
  await mine.call(signup, { body: person(email) })
  const first = await readMail(app, email)
  await app.client().call(signup, { body: person(email, 'Str4nger!pass') })
  await readMail(app, email, { after: first.id })
  const done = await mine.call(confirmSignup, { body: { email, code: codeIn(first) } })
  expect(done.status).toBe(200)
  expect((await app.client().call(login, { body: { email, password: 'Str4nger!pass' } })).status).toBe(401)
  expect((await signInAs(app, email)).token).toBeDefined()
})

test('in another browser the code needs the password of its own sign-up', async () => {
  const email = 'phone@example.com'
  await app.client().call(signup, { body: person(email) })
  const first = await readMail(app, email)
  await app.client().call(signup, { body: person(email, 'Str4nger!pass') })
  const second = await readMail(app, email, { after: first.id })
  const phone = app.client()
  const confirm = (code: string, password?: string) => phone.call(confirmSignup, { body: { email, code, password } })
  expect((await confirm(codeIn(second))).errors[0]).toMatchObject({
    code: 'password_needed',
    source: { pointer: '/password' },
  })
  expect((await confirm(codeIn(second), PASSWORD)).errors[0]?.code, "the stranger's code, my password").toBe(
    'code_wrong',
  )
  expect((await confirm(codeIn(first), PASSWORD)).status).toBe(200)
  expect((await signInAs(app, email)).token).toBeDefined()
})

test('a changed password makes reset codes sent before it useless', async () => {
  const email = 'careful@example.com'
  await makePerson(app, email)
  const client = await signInAs(app, email)
  await app.client().call(forgotPassword, { body: { email } })
  const code = codeIn(await readMail(app, email, { subject: /reset/i }))
  await client.call(changePassword, { body: { current_password: PASSWORD, new_password: 'N3w!password' } })
  const late = await app
    .client()
    .call(forgotPassword, { body: { email, confirmation_code: code, new_password: 'Th1ef!pass' } })
  expect(late.errors[0]?.code).toBe('code_wrong')
})

test('a new code makes the old one useless', async () => {
  const email = 'resend@example.com'
  const client = app.client()
  await client.call(signup, { body: person(email) })
  const first = await readMail(app, email)
  await client.call(resendSignupCode, { body: { email } })
  const second = await readMail(app, email, { after: first.id })
  const oldResponse = await client.call(confirmSignup, { body: { email, code: codeIn(first) } })
  expect(codeIn(first) === codeIn(second) || oldResponse.status === 422).toBe(true)
  expect((await client.call(confirmSignup, { body: { email, code: codeIn(second) } })).status).toBe(200)
})

test('forgot and reset: every session ends, the old password is gone', async () => {
  const email = 'forgetful@example.com'
  await makePerson(app, email)
  const before = await signInAs(app, email)
  const program = app.client()
  program.token = (
    await before.call(createAccessToken, { body: { name: 'ci', scopes: ['read'], days: 1 } })
  ).data.secret
  expect((await program.raw('/auth/identity')).status).toBe(200)
  await app.client().call(forgotPassword, { body: { email } })
  const code = codeIn(await readMail(app, email, { subject: /reset/i }))
  const reset = (confirmation_code: string) =>
    app.client().call(forgotPassword, { body: { email, confirmation_code, new_password: 'N3w!password' } })
  expect((await reset(wrongCode(code))).errors[0]?.code).toBe('code_wrong')
  expect((await reset(code)).status).toBe(200)
  expect((await reset(code)).status).toBe(422)
  expect((await before.raw('/auth/identity')).status).toBe(401)
  expect((await program.raw('/auth/identity')).status, 'access tokens end with it').toBe(401)
  expect((await app.client().call(login, { body: { email, password: PASSWORD } })).status).toBe(401)
  expect((await signInAs(app, email, 'N3w!password')).token).toBeDefined()
})

test('only hashes of codes stay behind once the mail is out', async () => {
  const email = 'trace@example.com'
  await app.client().call(signup, { body: person(email) })
  const code = codeIn(await readMail(app, email))
  const { rows } = await app.database.pool.query<{ found: string }>(
    `select 'signups' as found from signups s where s::text like $1
     union all select 'outbox' from mail_outbox m where status = 'sent' and m::text like $1
     union all select 'jobs' from jobs.job j where j.data::text like $1`,
    [`%${code}%`],
  )
  expect(rows).toEqual([])
})
