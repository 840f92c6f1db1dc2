import {
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  login,
  renewRecoveryCodes,
  setUpSecondFactor,
} from '@trellis/contract/identity/identity.endpoints'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, makePerson, signInAs } from '../../testing/people.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

let app: TestApp
const email = 'careful@example.com'
const STEP = 30_000

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  await makePerson(app, email)
})
afterAll(async () => await app.close())

const signIn = (second_factor?: string) =>
  app.client().call(login, { body: { email, password: PASSWORD, ...(second_factor ? { second_factor } : {}) } })

test('from set-up over sign-in and recovery to off again', async () => {
  const client = await signInAs(app, email)
  const setUp = await client.call(setUpSecondFactor)
  const totp = new TOTP({ secret: Secret.fromBase32(setUp.data.secret) })
  const codeNow = () => totp.generate({ timestamp: app.clock.now().getTime() })
  expect(setUp.data.otpauth_url).toMatch(/^otpauth:\/\/totp\/Trellis:careful%40example\.com\?/)

  const wrong = await client.call(confirmSecondFactor, { body: { code: '000000', password: PASSWORD } })
  expect(wrong.errors[0]?.code).toBe('second_factor_wrong')
  expect((await signIn()).status, 'not on before it is confirmed').toBe(200)
  const withoutPassword = await client.call(confirmSecondFactor, { body: { code: codeNow() } })
  expect(withoutPassword.errors[0]?.code, 'a stolen access token is not enough').toBe('password_wrong')

  const on = await client.call(confirmSecondFactor, { body: { code: codeNow(), password: PASSWORD } })
  expect(on.data.recovery_codes).toHaveLength(10)
  expect((await client.call(setUpSecondFactor)).errors[0]?.code).toBe('second_factor_state')

  expect((await signIn()).errors[0]?.code).toBe('second_factor_required')
  expect((await signIn('123456')).errors[0]?.code).toBe('second_factor_wrong')

  app.clock.move(STEP)
  const code = codeNow()
  const both = await Promise.all([signIn(code), signIn(code)])
  expect(both.map((answer) => answer.status).toSorted(), 'a code works once').toEqual([200, 401])

  const [recovery = ''] = on.data.recovery_codes
  expect((await signIn(recovery.toUpperCase())).status).toBe(200)
  expect((await signIn(recovery)).errors[0]?.code).toBe('second_factor_wrong')
  expect((await client.call(getSecondFactor)).data).toEqual({ enabled: true, recovery_codes_left: 9 })

  app.clock.move(STEP * 2)
  const renew = (code: string, password = PASSWORD) => client.call(renewRecoveryCodes, { body: { code, password } })
  expect((await renew('000000')).errors[0]?.code).toBe('second_factor_wrong')
  expect((await renew(codeNow(), 'Wr0ng!pass')).errors[0]?.code).toBe('password_wrong')
  const freshResponse = await renew(codeNow())
  expect(freshResponse.data.recovery_codes).toHaveLength(10)
  const [, old = ''] = on.data.recovery_codes
  const [first = ''] = freshResponse.data.recovery_codes
  expect((await signIn(old)).errors[0]?.code, 'the earlier ones are gone').toBe('second_factor_wrong')
  expect((await signIn(first)).status).toBe(200)
  expect((await client.call(getSecondFactor)).data).toEqual({ enabled: true, recovery_codes_left: 9 })

  app.clock.move(STEP * 2)
  const off = (password: string) => client.call(disableSecondFactor, { body: { password, code: codeNow() } })
  expect((await off('Wr0ng!pass')).errors[0]?.code).toBe('password_wrong')
  expect((await off(PASSWORD)).status).toBe(200)
  expect((await renew('000000')).errors[0]?.code).toBe('second_factor_state')
  expect((await signIn()).status).toBe(200)
})

test('the secret is sealed in the database', async () => {
  const client = await signInAs(app, email)
  const { data } = await client.call(setUpSecondFactor)
  const { rows } = await app.database.pool.query<{ row: string }>(
    'select p::text as row from profiles p where email = $1',
    [email],
  )
  expect(rows[0]?.row).not.toContain(data.secret)
})
