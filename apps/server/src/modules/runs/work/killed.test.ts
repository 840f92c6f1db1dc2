import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeStep } from '../../../testing/load-runs.ts'
import type { AttemptsInput } from '../../../testing/load-worker.ts'
import { toScriptPath, workerEnv } from '../../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'

const SCRIPT = toScriptPath('load-worker')
const ROWS = 5000
/** In milliseconds. */
const KILLS = [60, 350, 700, 1000]

let app: TestApp
let workspace: ReadyWorkspace
const reader = new AbortController()
const torn: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    'create table data.source (id bigint primary key, version bigint, filler text)',
    `insert into data.source select i, 1, repeat('x', 700) from generate_series(1, ${ROWS}) i`,
  )
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const STRATEGIES = ['Append', 'Replace', 'Upsert'] as const
const query = { query: { kind: 'table', table: { schema: 'data', table: 'source' } } }

async function start(epoch: number): Promise<ChildProcess> {
  const child = fork(SCRIPT, {
    stdio: 'ignore',
    env: { ...workerEnv(app), TRELLIS_LOAD_ROWS: '300' },
  })
  const begun = once(child, 'message')
  child.send({
    epoch,
    accountId: workspace.account.id,
    workspace: { id: workspace.id, code: workspace.integrationCode.replace(/-db$/, '') },
    blocks: STRATEGIES.map((strategy) => ({
      code: `killed-${strategy}`,
      settings: {
        integration_trellis_code: workspace.integrationCode,
        subtasks: [
          {
            name: 'rows',
            query,
            is_incremental: false,
            write: writeStep({ strategy, table_name: strategy.toLowerCase() }),
          },
        ],
      },
    })),
  } satisfies AttemptsInput)
  await begun
  return child
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** A reader must see all of the old or all of the new table. */
async function keepReading(): Promise<void> {
  while (!reader.signal.aborted) {
    const [there] = await workspace.sql(`select to_regclass('data.replace')`)
    if (there?.[0]) {
      const [seen] = await workspace.sql(`select count(*) || ':' || count(distinct version) from data.replace`)
      if (seen?.[0] !== `${ROWS}:1`) torn.push(seen?.[0] ?? '')
    }
    await sleep(20)
  }
}

// A short `npm run chaos` without the runner.
test(
  'killed again and again and racing, loads lose nothing, double nothing and tear nothing',
  { timeout: 120_000 },
  async () => {
    const reading = keepReading()
    let epoch = 0
    for (const wait of KILLS) {
      const child = await start((epoch += 1))
      await sleep(wait)
      child.kill('SIGKILL')
      await gone(child)
    }
    // The later one holds the fence; the earlier one does not know.
    const racing = await Promise.all([start((epoch += 1)), start((epoch += 1))])
    await Promise.all(racing.map(gone))
    await gone(await start((epoch += 1)))
    const sums = async (table: string) =>
      (await workspace.sql(`select count(*), count(distinct id), sum(id), max(version) from data.${table}`))[0]
    const whole = await sums('source')
    for (const table of ['append', 'replace', 'upsert']) expect(await sums(table)).toEqual(whole)
    reader.abort()
    await reading
    expect(torn).toEqual([])
  },
)
