import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import {
  type LoginSecret,
  type ReadyWorkspace,
  connectAs,
  makeReadyWorkspace,
  runAs,
} from '../../../testing/workspace.ts'
import { handleSweep } from '../sweep.handler.ts'

const OTHER_PASSWORD = 'chosen-by-the-login-itself'
const WRONG_PASSWORD = { code: '28P01' }

let app: TestApp
let account: TestAccount
let database: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  database = await makeReadyWorkspace(app, { account, address: 'first' })
  await account.owner.call(firewall.addFirewallRule, {
    params: database.params,
    body: { integration_trellis_code: database.integrationCode, name: 'Here', cidr: '127.0.0.1' },
  })
})
afterAll(async () => {
  await database.remove()
  await app.close()
})

const connect = (secret: LoginSecret) => connectAs(app, database, secret)
const run = (secret: LoginSecret, text: string) => runAs(app, { database, secret }, text)

async function makeLogin(name: string) {
  const createdResponse = await account.owner.call(profiles.createExternalProfile, {
    params: database.params,
    body: {
      integration_trellis_code: database.integrationCode,
      name,
      role_trellis_codes: [],
      group_trellis_codes: [],
    },
  })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return createdResponse.data
}

async function changePassword(secret: LoginSecret): Promise<LoginSecret> {
  const session = await connect(secret)
  await session.query('set role none')
  await session.query(`alter role ${secret.user_name} password '${OTHER_PASSWORD}'`)
  await session.end()
  return { ...secret, password: OTHER_PASSWORD }
}

const listLines = async () => {
  const { rows } = await app.database.pool.query<{ login: string }>(
    "select detail ->> 'login' as login from audit_lines where action = 'loginPasswordRestored' order by seq",
  )
  return rows.map((row) => row.login)
}

test('a login that changes its own password has it back after the sweep, and its sessions end', async () => {
  const { secret } = await makeLogin('Changes its password')
  const changedLoginSecret = await changePassword(secret)
  await expect(run(secret, 'select 1')).rejects.toMatchObject(WRONG_PASSWORD)
  const open = await connect(changedLoginSecret)
  const ended = new Promise((resolve) => open.once('end', resolve))
  await handleSweep(app.ctx)
  await ended
  await expect(run(changedLoginSecret, 'select 1')).rejects.toMatchObject(WRONG_PASSWORD)
  await run(secret, 'select 1')
  expect(await listLines()).toEqual([secret.user_name])
  await handleSweep(app.ctx)
  expect(await listLines()).toHaveLength(1)
})

test('a login from before verifiers were kept is recorded at its first sweep and kept from then on', async () => {
  const { profile, secret } = await makeLogin('Older')
  await app.database.pool.query(
    "update database_profiles set logins = logins #- '{0,verifier}' where trellis_code = $1",
    [profile.profile_trellis_code],
  )
  await handleSweep(app.ctx)
  const changedLoginSecret = await changePassword(secret)
  await handleSweep(app.ctx)
  await expect(run(changedLoginSecret, 'select 1')).rejects.toMatchObject(WRONG_PASSWORD)
  await run(secret, 'select 1')
})

test('a rotated login keeps the password of its rotation', async () => {
  const { profile } = await makeLogin('Rotated')
  const rotated = await account.owner.call(profiles.rotateExternalProfile, {
    params: database.params,
    body: {
      integration_trellis_code: database.integrationCode,
      profile_trellis_code: profile.profile_trellis_code,
      overlap_minutes: 0,
    },
  })
  const changedLoginSecret = await changePassword(rotated.data.secret)
  await handleSweep(app.ctx)
  await expect(run(changedLoginSecret, 'select 1')).rejects.toMatchObject(WRONG_PASSWORD)
  await run(rotated.data.secret, 'select 1')
})
