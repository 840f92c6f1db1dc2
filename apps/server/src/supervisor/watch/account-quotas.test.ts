import { withClient } from '@trellis/control-db/connect'
import { withDatabase } from '@trellis/control-db/prepare'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { withSession } from '@trellis/workspace-db/session'
import {
  type AdminClient,
  type WatchedSession,
  listWatchedSessions,
} from '@trellis/workspace-db/watch/watched-sessions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { watchQuotas } from './account-quotas.ts'

const MEGABYTE = 1024 ** 2
const GROW = `insert into data.grown select repeat(md5(n::text), 30) from generate_series(1, 12000) n`

let app: TestApp
let one: ReadyWorkspace
let other: ReadyWorkspace
let neighbour: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  const account = await makeAccount(app, 'team')
  one = await makeReadyWorkspace(app, { account, address: 'one' })
  other = await makeReadyWorkspace(app, { account, address: 'other' })
  neighbour = await makeReadyWorkspace(app, { account: await makeAccount(app, 'team') })
  await one.sql('create table data.grown (t text)')
  await neighbour.sql('create table data.grown (t text)')
})
afterAll(async () => {
  for (const workspace of [one, other, neighbour]) await workspace.remove()
  await app.close()
})

/** As administrator, past row-level security. */
const controlUrl = () => withDatabase(app.database.adminUrl, new URL(app.database.url).pathname.slice(1))
const database = ({ key }: ReadyWorkspace) => toWorkspaceNames(key).database
const writingIn = (workspace: ReadyWorkspace): WatchedSession => ({
  pid: 1,
  workers: [],
  database: database(workspace),
  isReadOnly: false,
  isActive: true,
  writingMs: 10,
})

/** Above the account's current size. */
async function limitAbove(client: AdminClient, workspaces: readonly ReadyWorkspace[]): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    'select sum(pg_database_size(datname))::float8 as bytes from pg_database where datname = any($1)',
    [workspaces.map(database)],
  )
  return (rows[0]?.bytes ?? 0) + 4 * MEGABYTE
}

const withAdmin = <T>(work: (client: AdminClient) => Promise<T>) =>
  withClient({ connectionString: app.database.adminUrl }, work)

test('what all workspaces of an account take together counts, and all of them are stopped until there is room', async () => {
  await withAdmin(async (client) => {
    const storage = await limitAbove(client, [one, other])
    const find = watchQuotas({
      controlUrl,
      findStorage: (type) => (type === 'team' ? storage : null),
      everyMs: { accounts: 0, sizes: 0 },
    })
    const sessions = [writingIn(one), writingIn(neighbour)]
    expect([...(await find(client, sessions))]).toEqual([])
    await one.sql(GROW)
    // Without writers nothing is measured.
    expect([...(await find(client, []))]).toEqual([])
    expect([...(await find(client, sessions))].toSorted()).toEqual([database(one), database(other)].toSorted())
    expect((await find(client, [])).size).toBe(2)
    await one.sql('truncate data.grown')
    expect([...(await find(client, []))]).toEqual([])
  })
})

test('kinds of accounts without a limit are never stopped', async () => {
  await withAdmin(async (client) => {
    const find = watchQuotas({
      controlUrl,
      findStorage: () => null,
      everyMs: { accounts: 0, sizes: 0 },
    })
    expect((await find(client, [writingIn(one)])).size).toBe(0)
  })
})

test('a transaction that is still writing is seen as writing, with the bytes it has written so far', async () => {
  await withAdmin(async (client) => {
    const storage = await limitAbove(client, [neighbour])
    const find = watchQuotas({
      controlUrl,
      findStorage: () => storage,
      everyMs: { accounts: 0, sizes: 0 },
    })
    const { cluster, ...place } = await openWorkspaceDatabase(app.ctx, {
      workspaceId: neighbour.id,
      integrationCode: neighbour.integrationCode,
    })
    // Longer than the test.
    const limits = { statementMs: 110_000, idleInTransactionMs: 110_000 }
    await withSession(cluster, { ...place, role: 'rw', limits }, async (session) => {
      await session.query({ text: 'begin' })
      await session.query({ text: GROW })
      const sessions = await listWatchedSessions(client)
      const ownSessions = sessions.filter((watchedSession) => watchedSession.database === database(neighbour))
      expect(ownSessions).toMatchObject([{ writingMs: expect.any(Number) }])
      expect([...(await find(client, ownSessions))]).toContain(database(neighbour))
    })
  })
})
