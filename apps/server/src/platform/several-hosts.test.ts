import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClient } from '@trellis/control-db/connect'
import { openControlDb } from '@trellis/control-db/database'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { startStandby } from '@trellis/embedded/testing/standby'
import { defineJob } from '@trellis/jobs/define-job'
import { enqueue } from '@trellis/jobs/enqueue'
import { handleJob, runJobs } from '@trellis/jobs/run-jobs'
import { openCluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { withSession } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listenToRuns } from '../modules/runs/runner/listen.ts'
import { readConfig } from './config.ts'
import { createLogger } from './logger.ts'
import { openRootKeys } from './secrets/root-key.ts'
import { assertCanStart } from './start-checks/start-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-failover-'))
const settings = { shared_buffers: '32MB', max_connections: 100 }
const log = createLogger({ level: 'silent', role: 'test' })
const job = defineJob({
  name: 'several-hosts.note',
  payload: z.object({ n: z.number() }),
  maxAttempts: 3,
  timeoutSeconds: 20,
})
let one: Postgres
let two: Postgres

beforeAll(async () => {
  chmodSync(folder, 0o755)
  one = await startPostgres({ dataDir: join(folder, 'one'), settings })
}, 120_000)
afterAll(async () => {
  await one.stop()
  await two?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The standby comes first. */
const onBoth = (url: string) =>
  `${url.replace(`127.0.0.1:${one.port}`, `127.0.0.1:${two.port},127.0.0.1:${one.port}`)}?target_session_attrs=read-write`

test('with two hosts in every address, all goes on with the new primary after a failover', async () => {
  const { appUrl } = await prepareControlDb({ adminUrl: one.url })
  two = await startStandby({ primary: one, dataDir: join(folder, 'two'), settings })
  const [url, adminUrl] = [onBoth(appUrl), onBoth(one.url)]
  const control = openControlDb({ url, max: 4 })
  const cluster = await openCluster({ adminUrl, closeDatabases: ['trellis'] })
  const done: number[] = []
  const heard: string[] = []
  const entry = handleJob<object, { n: number }>(job, async (_, { n }) => void done.push(n))
  const runner = await runJobs({ url, jobs: [entry], ctxFor: () => ({}), log, connections: 2 })
  const listening = listenToRuns({ url, log, onMessage: (text) => heard.push(text) })
  const config = readConfig({ TRELLIS_HOME: folder, TRELLIS_DATABASE_URL: url, TRELLIS_CLUSTER_URL: adminUrl })
  openRootKeys(config)
  const key = generateWorkspaceKey()
  try {
    await assertCanStart(config, control, () => undefined)
    const { database, credentials } = await provisionWorkspaceDatabase(cluster, { key })
    const write = async (n: number) =>
      await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
        await session.query({ text: 'create table if not exists written (n int)' })
        await session.query({ text: `insert into written values (${n})` })
        return (await session.query({ text: 'select n from written order by n' })).rows.flat()
      })
    expect(await write(1)).toEqual(['1'])
    await enqueue(control, job, { n: 1 })
    await expect.poll(() => done).toEqual([1])
    await expect.poll(async () => (await standbyHas(database)) === 1).toBe(true)

    await one.stop()
    await withClient({ connectionString: two.url }, (client) => client.query('select pg_promote()'))
    await expect.poll(async () => await write(2).catch(() => undefined)).toContain('2')
    const queue = async () => await enqueue(control, job, { n: 2 }).catch(() => undefined)
    await expect.poll(queue).toBeTypeOf('string')
    await expect.poll(() => done).toContain(2)
    const tell = async () => {
      await control.pool.query("select pg_notify('trellis_runs', 'queued')").catch(() => undefined)
      return heard
    }
    await expect.poll(tell).toContain('queued')
  } finally {
    await listening.stop()
    await runner.stop()
    await cluster.close()
    await control.close()
  }
})

async function standbyHas(database: string): Promise<number> {
  const url = two.url.replace(/\/postgres$/, `/${database}`)
  return await withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from data.written')
    return rows[0]?.n ?? 0
  })
}
