import { setTimeout as sleep } from 'node:timers/promises'
import { createAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { withClient } from '@trellis/control-db/connect'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'

interface Caller {
  readonly account: TestAccount
  readonly secret: string
}

/** More than the pool's connections. */
const CROWD = 20
const LOCKED_AT_LEAST = 6

let app: TestApp
let crowd: Caller
let calm: Caller

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  crowd = await makeCaller()
  calm = await makeCaller()
})
afterAll(async () => await app.close())

async function makeCaller(): Promise<Caller> {
  const account = await makeAccount(app)
  const { id } = await makeWorkspaceRow(app, account, 'shop')
  await app.database.db.updateTable('workspaces').set({ state: 'online' }).where('id', '=', id).execute()
  const createdResponse = await account.owner.call(createAccessToken, {
    body: { name: 'x', scopes: ['read'], days: 1 },
  })
  return { account, secret: createdResponse.data.secret }
}

const bearer = (secret: string) => `Bearer ${secret}`
const basic = (secret: string) => `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`

type Way = (code: string, secret: string) => { path: string; authorization: string }

const WAYS: Record<string, Way> = {
  'the API of an account': (code, secret) => ({ path: `/api/${code}/profiles`, authorization: bearer(secret) }),
  'the API of a workspace': (code, secret) => ({
    path: `/api/${code}/shop/context/profile-context`,
    authorization: bearer(secret),
  }),
  git: (code, secret) => ({
    path: `/git/${code}/shop/none.git/info/refs?service=git-upload-pack`,
    authorization: basic(secret),
  }),
  MCP: (code, secret) => ({ path: `/mcp/${code}/shop`, authorization: bearer(secret) }),
}

const cases = Object.keys(WAYS).flatMap((way) => [
  { way, where: 'in one account', isInOwn: true },
  { way, where: 'at the address of an account that is not theirs', isInOwn: false },
])

test.each(cases)('calls with a token that hang $where hold up nobody in another: $way', async ({ way, isInOwn }) => {
  const send = async ({ account, secret }: Caller, code = account.code) => {
    const { path, authorization } = WAYS[way]?.(code, secret) ?? { path: '', authorization: '' }
    const response = await fetch(`${app.url}${path}`, { headers: { authorization } })
    await response.text()
    return response.status
  }
  const crowded = isInOwn ? crowd.account.code : calm.account.code
  const usual = await send(calm)
  expect(usual).not.toBe(401)
  await app.database.db
    .updateTable('access_tokens')
    .set({ last_used_at: null })
    .where('profile_id', '=', crowd.account.ownerId)
    .execute()
  await withClient({ connectionString: app.database.url, options: '-c trellis.scope=system' }, async (locking) => {
    await locking.query('begin')
    await locking.query('select from access_tokens where profile_id = $1 for update', [crowd.account.ownerId])
    const hanging = Array.from({ length: CROWD }, () => send(crowd, crowded))
    const isHanging = async () => {
      // pg_stat_activity is cached within a transaction.
      await locking.query('select pg_stat_clear_snapshot()')
      const { rows } = await locking.query<{ count: number }>(
        "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return (rows[0]?.count ?? 0) >= LOCKED_AT_LEAST
    }
    while (!(await isHanging())) await sleep(20)
    expect(await send(calm)).toBe(usual)
    await locking.query('rollback')
    expect(await Promise.all(hanging)).toEqual(hanging.map(() => (isInOwn ? usual : 404)))
  })
})
