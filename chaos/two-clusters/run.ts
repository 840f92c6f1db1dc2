import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { bundleWorker } from '../bundle.ts'
import { type Dice, createRandom } from '../dice.ts'
import { type FragileServer, startFragileServer } from '../fragile-server.ts'
import { watchOutages } from '../outages.ts'
import { allEnded, allSucceeded, receiptsAgree, takenUp } from '../promises.ts'
import { makeTickBlock } from '../stories.ts'
import { type Workers, keepWorkers } from '../workers.ts'
import { type Place, placeWorkspaces } from './place-workspaces.ts'

/**
 * `npm run chaos -- two-clusters`: thousands of small runs of workspaces on two clusters, while workers are killed and both
 * servers crash. Every run must succeed in the end and have written its row once.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runs: { type: 'string', default: '10000' },
    workspaces: { type: 'string', default: '6' },
    blocks: { type: 'string', default: '4' },
    workers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '200' },
    /** Of either server. */
    crashes: { type: 'string', default: '3' },
  },
})
const asked = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as Record<
  keyof typeof values,
  number
>
/** Without a run that ends in between: more than a lease, a crash and the pause before an attempt. */
const STUCK_MS = 180_000

const undo: (() => Promise<unknown>)[] = []
async function cleanUp(): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
}

async function startServer(home: string, name: string): Promise<FragileServer> {
  const server = await startFragileServer({ dataDir: join(home, name), settings: { max_connections: 200 } })
  undo.push(() => server.stop())
  return server
}

interface Block {
  readonly place: Place
  readonly blockId: number
  readonly dataflowId: number
  readonly table: string
  runs: number
}

async function makeBlocks(places: readonly Place[]): Promise<Block[]> {
  const blocks: Block[] = []
  for (const place of places) {
    for (let at = 0; at < asked.blocks; at += 1) {
      const name = `${place.name}_${at}`.replace('-', '_')
      blocks.push({ place, ...(await makeTickBlock(place, { name, integrationCode: place.integrationCode })), runs: 0 })
    }
  }
  return blocks
}

async function queueRuns(blocks: Block[]): Promise<void> {
  for (const [at, block] of blocks.entries()) {
    block.runs = Math.floor((asked.runs + at) / blocks.length)
    const { accountId, workspaceId, control } = block.place
    await control(
      `insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at)
       select $1, $2, $3, $4::bigint, 'crowd-' || $4::bigint || '-' || n, 1, 'person', now() from generate_series(1, $5) n`,
      [accountId, workspaceId, block.dataflowId, block.blockId, block.runs],
    )
  }
}

interface Harm {
  kills: number
  crashes: number
}

/** Kills and crashes are spread over the runs that end, not over time. */
async function breakUntilDone(place: Place, workers: Workers, servers: readonly FragileServer[]): Promise<Harm> {
  const dice = createRandom(asked.seed)
  const harm = { kills: 0, crashes: 0 }
  const crashes = asked.crashes * servers.length
  const began = Date.now()
  let last = { done: -1, at: began }
  for (let told = 0; ;) {
    const done = await countDone(place)
    if (done >= asked.runs) return harm
    if (done > last.done) last = { done, at: Date.now() }
    else if (Date.now() - last.at > STUCK_MS) throw new Error(`No run ended for ${STUCK_MS / 1000} s.`)
    if (Date.now() - told > 15_000) {
      told = Date.now()
      console.log(`${Math.round((told - began) / 1000)} s: ${done} runs ended, ${JSON.stringify(harm)}`)
    }
    if (harm.kills < (done / asked.runs) * asked.kills + 1 && killOne(workers, dice)) harm.kills += 1
    if (harm.crashes < Math.floor((done / asked.runs) * (crashes + 1))) {
      await servers[harm.crashes % servers.length]?.crash()
      harm.crashes += 1
    }
    await sleep(dice.between(50, 500))
  }
}

const killOne = (workers: Workers, dice: Dice) => workers.kill(dice.pick(workers.ready()))

async function countDone({ control }: Place): Promise<number> {
  const [found] = await control<{ done: number }>(
    "select count(*)::int as done from task_runs where status in ('SUCCESS', 'FAILED', 'EXCEPTION')",
  )
  return found?.done ?? 0
}

async function countFailedAttempts({ control }: Place): Promise<string> {
  const rows = await control<{ problem: string; count: number }>(
    `select problem, count(*)::int from task_run_attempts where problem is not null group by 1 order by 2 desc`,
  )
  return rows.map(({ problem, count }) => `${count} ${problem}`).join(', ')
}

/** As many rows as runs. */
async function findMiscounted(blocks: readonly Block[]): Promise<string[]> {
  const faults: string[] = []
  for (const { place, table, runs } of blocks) {
    const [found] = await place.data<{ rows: number }>(`select count(*)::int as rows from ${table}`)
    if (found?.rows !== runs) faults.push(`${place.cluster} ${table}: ${runs} runs wrote ${found?.rows} rows`)
  }
  return faults
}

async function chaos(): Promise<string[]> {
  const outages = watchOutages()
  const program = await bundleWorker()
  undo.push(() => program.remove())
  const home = await mkdtemp(join(tmpdir(), 'trellis-chaos-'))
  undo.push(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o711)
  const [main, west] = [await startServer(home, 'main'), await startServer(home, 'west')]
  const { appUrl } = await prepareControlDb({ adminUrl: main.url })
  const env = {
    TRELLIS_HOME: home,
    TRELLIS_LOG_LEVEL: 'silent',
    NODE_ENV: 'production',
    TRELLIS_DATABASE_URL: appUrl,
    TRELLIS_CLUSTER_URL: main.url,
  }
  const controlName = new URL(appUrl).pathname.slice(1)
  const places = await placeWorkspaces(env, { main, west, controlName }, asked.workspaces)
  const [first] = places
  if (!first) throw new Error('--workspaces is one at least.')
  const blocks = await makeBlocks(places)
  await queueRuns(blocks)
  const workers = keepWorkers({ world: { env }, program, count: asked.workers, outages })
  undo.push(() => workers.stop())
  const began = Date.now()
  const harm = await breakUntilDone(first, workers, [main, west])
  const seconds = (Date.now() - began) / 1000
  const onWest = blocks.filter(({ place }) => place.cluster === 'west').reduce((sum, { runs }) => sum + runs, 0)
  const kept = [
    { says: `${asked.runs} runs in ${seconds.toFixed(0)} s, ${onWest} of them on the second cluster`, faults: [] },
    { says: `${harm.kills} workers killed, ${harm.crashes} crashes of both servers`, faults: [] },
    await allEnded(first),
    await allSucceeded(first),
    { says: `Attempts that failed: ${await countFailedAttempts(first)}`, faults: [] },
    { says: `${blocks.length} tables compared with their runs`, faults: await findMiscounted(blocks) },
    ...(await Promise.all(places.map(receiptsAgree))),
    await takenUp(first, workers, outages),
    {
      says: `${workers.exits.length} workers ended by themselves`,
      faults: workers.exits.map((reason) => `A worker ended by itself: ${reason}.`),
    },
  ]
  for (const { says } of kept) console.log(says)
  return kept.flatMap(({ faults }) => faults)
}

async function main(): Promise<void> {
  console.log(`Seed ${asked.seed}`)
  try {
    const faults = await chaos()
    for (const fault of faults) console.log(`FAULT ${fault}`)
    console.log(faults.length === 0 ? 'Each effect once.' : `${faults.length} faults, seed ${asked.seed}.`)
    process.exitCode = faults.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}
await main()
