import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlDb, openControlDb } from '@trellis/control-db/database'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import { makeBlock, makeFlow } from '../apps/server/src/testing/dataflows.ts'
import { report } from './report.ts'

const RUNS = 96
const RUN_MS = 1000

/** Runs that sleep a second each, with one to three workers. */
export async function run(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  try {
    const { appUrl } = await prepareControlDb({ adminUrl: postgres.url })
    const env = {
      TRELLIS_HOME: home,
      TRELLIS_DATABASE_URL: appUrl,
      TRELLIS_CLUSTER_URL: postgres.url,
      TRELLIS_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    }
    const database = openControlDb({ url: appUrl, max: 4 })
    const place = await makePlace(database)
    const rates: number[] = []
    for (const workers of [1, 2, 3]) rates.push(await measure(database, place, { env, workers }))
    const [one = Number.NaN, two = Number.NaN, three = Number.NaN] = rates
    await report('workers', [
      { what: 'one worker', value: one, unit: 'runs/s' },
      { what: 'two workers', value: two, unit: 'runs/s' },
      { what: 'three workers', value: three, unit: 'runs/s' },
      { what: 'two workers against one', value: two / one, unit: '×', limit: { value: 1.8, isAtMost: false } },
      { what: 'three workers against one', value: three / one, unit: '×', limit: { value: 2.7, isAtMost: false } },
    ])
    await database.close()
  } finally {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

type Place = { readonly accountId: number; readonly workspaceId: number }

async function makePlace({ db }: ControlDb): Promise<Place> {
  const account = await db
    .insertInto('accounts')
    .values({ trellis_code: 'bench', name: 'Bench', account_type: 'team' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const workspace = await db
    .insertInto('workspaces')
    .values({ account_id: account.id, trellis_code: 'w', name: 'W', workspace_address: 'w', state: 'online' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { accountId: account.id, workspaceId: workspace.id }
}

async function measure(
  database: ControlDb,
  place: Place,
  { env, workers }: { env: Record<string, string>; workers: number },
): Promise<number> {
  const children: ChildProcess[] = []
  try {
    for (let at = 0; at < workers; at += 1) {
      const child = fork(join(import.meta.dirname, 'scheduling-worker.ts'), [String(RUN_MS)], {
        env: { ...process.env, ...env },
        execArgv: [...MEMORY_FLAGS.worker],
      })
      children.push(child)
      await once(child, 'message')
    }
    return await countRate(database, await queueRuns(database, place))
  } finally {
    for (const child of children) {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    }
  }
}

async function queueRuns(database: ControlDb, place: Place): Promise<number> {
  const flow = await makeFlow({ database }, place)
  const blocks: number[] = []
  for (let at = 0; at < RUNS; at += 1) blocks.push((await makeBlock({ database }, flow)).id)
  await database.pool.query(
    `with made as (
       insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at)
       select $1, $2, $3, block, 'bench' || block, 1, 'person', now() from unnest($4::bigint[]) block returning id)
     select pg_notify('trellis_runs', 'queued') from made limit 1`,
    [place.accountId, place.workspaceId, flow.id, blocks],
  )
  return flow.id
}

async function countRate(database: ControlDb, flowId: number): Promise<number> {
  for (;;) {
    const { rows } = await database.pool.query<{ done: number; seconds: number }>(
      `select count(*)::int as done, extract(epoch from max(finished_at) - min(started_at))::float8 as seconds
         from task_runs where dataflow_id = $1 and status = 'SUCCESS'`,
      [flowId],
    )
    if (rows[0]?.done === RUNS) return RUNS / rows[0].seconds
    await sleep(200)
  }
}
