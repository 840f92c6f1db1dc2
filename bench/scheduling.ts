import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlDb, openControlDb } from '@trellis/control-db/database'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { type TestBlock, type TestFlow, makeBlock, makeFlow, triggerOn } from '../apps/server/src/testing/dataflows.ts'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import { type Figure, report } from './report.ts'

const WORKSPACES = 50
const AT_ONCE = 1000
const PER_MINUTE = 300
const CHAINS = 200
const EVERY_MINUTE = '* * * * ? *'

const readNumberFlag = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN

/**
 * Two workers and one Postgres: a thousand dataflows due at once, 300 in a minute, then chains of two blocks. The work
 * itself is empty.
 */
export async function run(args: string[]): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  const workers: ChildProcess[] = []
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
    const flows = await makeFlows(database)
    for (let at = 0; at < 2; at += 1) workers.push(await startWorker(env))
    const figures = [
      ...(await measureBurst(database, flows, readNumberFlag(args, '--at-once', AT_ONCE))),
      ...(await measureSteady(database, flows, readNumberFlag(args, '--per-minute', PER_MINUTE))),
      ...(await measureChains(database, flows)),
    ]
    await report('scheduling', figures)
    await database.close()
  } finally {
    for (const worker of workers) worker.kill()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function startWorker(env: Record<string, string>): Promise<ChildProcess> {
  const worker = fork(join(import.meta.dirname, 'scheduling-worker.ts'), {
    env: { ...process.env, ...env },
    execArgv: [...MEMORY_FLAGS.worker],
  })
  await once(worker, 'message')
  return worker
}

async function makeFlows(database: ControlDb): Promise<TestFlow[]> {
  const account = await database.db
    .insertInto('accounts')
    .values({ trellis_code: 'bench', name: 'Bench', account_type: 'team' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const flows: TestFlow[] = []
  for (let at = 0; at < WORKSPACES; at += 1) {
    const name = `w${at}`
    const workspace = await database.db
      .insertInto('workspaces')
      .values({ account_id: account.id, trellis_code: name, name, workspace_address: name, state: 'online' })
      .returning('id')
      .executeTakeFirstOrThrow()
    flows.push(await makeFlow({ database }, { accountId: account.id, workspaceId: workspace.id }))
  }
  return flows
}

async function makeDue(
  database: ControlDb,
  flows: readonly TestFlow[],
  { count, dueAt, dataflows }: { count: number; dueAt: (at: number) => Date; dataflows: 'one each' | 'shared' },
): Promise<TestBlock[]> {
  const blocks: TestBlock[] = []
  for (let at = 0; at < count; at += 1) {
    const place = flows[at % flows.length] as TestFlow
    const flow = dataflows === 'shared' ? place : await makeFlow({ database }, place)
    blocks.push(
      await makeBlock({ database }, flow, {
        trigger: triggerOn('Or', { cron: EVERY_MINUTE }),
        ticksUntil: new Date('9999-01-01'),
      }),
    )
  }
  await database.pool.query(
    `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at)
     select account_id, id, 1, 'clock', due from task_blocks
       join unnest($1::bigint[], $2::timestamptz[]) as t(block, due) on t.block = id`,
    [blocks.map(({ id }) => id), blocks.map((_, at) => dueAt(at))],
  )
  return blocks
}

async function lags(database: ControlDb, blocks: readonly TestBlock[]): Promise<number[]> {
  const ids = blocks.map(({ id }) => id)
  for (;;) {
    const { rows } = await database.pool.query<{ lag: number }>(
      `select extract(epoch from started_at - due_at)::float8 * 1000 as lag from task_runs
        where block_id = any($1) and status = 'SUCCESS'`,
      [ids],
    )
    if (rows.length >= ids.length) return rows.map(({ lag }) => lag)
    await sleep(500)
  }
}

async function measureBurst(database: ControlDb, flows: TestFlow[], count: number): Promise<Figure[]> {
  const due = new Date(Date.now() + 15_000 + count * 10)
  const blocks = await makeDue(database, flows, { count, dueAt: () => due, dataflows: 'one each' })
  const late = await lags(database, blocks)
  return [
    {
      what: `${count} due at once: the last has started`,
      value: quantile(late, 1) / 1000,
      unit: 's',
      limit: { value: 10, isAtMost: true },
    },
    { what: `${count} due at once: half have started`, value: quantile(late, 0.5) / 1000, unit: 's' },
  ]
}

async function measureSteady(database: ControlDb, flows: TestFlow[], count: number): Promise<Figure[]> {
  const begin = Date.now() + 5000 + count * 10
  const dueAt = (at: number) => new Date(begin + (at * 60_000) / count)
  const blocks = await makeDue(database, flows, { count, dueAt, dataflows: 'shared' })
  const late = await lags(database, blocks)
  return [
    {
      what: `${count} a minute: due → started, p50`,
      value: quantile(late, 0.5),
      unit: 'ms',
      limit: { value: 200, isAtMost: true },
    },
    {
      what: `${count} a minute: due → started, p99`,
      value: quantile(late, 0.99),
      unit: 'ms',
      limit: { value: 2000, isAtMost: true },
    },
  ]
}

async function measureChains(database: ControlDb, flows: TestFlow[]): Promise<Figure[]> {
  const begin = Date.now() + 8000 + CHAINS * 20
  const dueAt = (at: number) => new Date(begin + at * 100)
  const first = await makeDue(database, flows, { count: CHAINS, dueAt, dataflows: 'shared' })
  const second: TestBlock[] = []
  for (const [at, block] of first.entries()) {
    const flow = flows[at % flows.length] as TestFlow
    second.push(await makeBlock({ database }, flow, { trigger: triggerOn('Or', { after: [block] }) }))
  }
  const late = await lags(database, second)
  return [
    { what: 'upstream finished → downstream started, p50', value: quantile(late, 0.5), unit: 'ms' },
    {
      what: 'upstream finished → downstream started, p99',
      value: quantile(late, 0.99),
      unit: 'ms',
      limit: { value: 500, isAtMost: true },
    },
  ]
}
