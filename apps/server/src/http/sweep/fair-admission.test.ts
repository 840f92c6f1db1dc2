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

/** More than the control database has connections. */
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
  const made = await account.owner.call(createAccessToken, { body: { name: 'x', scopes: ['read'], days: 1 } })
  return { account, secret: made.data.secret }
}

const bearer = (secret: string) => `Bearer ${secret}`
const basic = (secret: string) => `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`

const WAYS: Record<string, (caller: Caller) => { path: string; authorization: string }> = {
  'the API of an account': ({ account, secret }) => ({
    path: `/api/${account.code}/profiles`,
    authorization: bearer(secret),
  }),
  'the API of a workspace': ({ account, secret }) => ({
    path: `/api/${account.code}/shop/context/profile-context`,
    authorization: bearer(secret),
  }),
  git: ({ account, secret }) => ({
    path: `/git/${account.code}/shop/none.git/info/refs?service=git-upload-pack`,
    authorization: basic(secret),
  }),
  MCP: ({ account, secret }) => ({ path: `/mcp/${account.code}/shop`, authorization: bearer(secret) }),
}

test.each(Object.keys(WAYS))(
  'calls with a token that hang in one account hold up nobody in another: %s',
  async (way) => {
    const send = async (caller: Caller) => {
      const { path, authorization } = WAYS[way]?.(caller) ?? { path: '', authorization: '' }
      const response = await fetch(`${app.url}${path}`, { headers: { authorization } })
      await response.text()
      return response.status
    }
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
      const hanging = Array.from({ length: CROWD }, () => send(crowd))
      const isHanging = async () => {
        // A transaction sees the activity as it was at its first look.
        await locking.query('select pg_stat_clear_snapshot()')
        const { rows } = await locking.query<{ count: number }>(
          "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return (rows[0]?.count ?? 0) >= LOCKED_AT_LEAST
      }
      while (!(await isHanging())) await sleep(20)
      expect(await send(calm)).toBe(usual)
      await locking.query('rollback')
      expect(await Promise.all(hanging)).toEqual(hanging.map(() => usual))
    })
  },
)
