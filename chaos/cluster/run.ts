import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { signInForBench } from '../../bench/sign-in.ts'
import { type ApiCalls, keepCalling } from '../call-api.ts'
import { createRandom } from '../dice.ts'
import { type Kept, allEnded, dueTimes, flowRunsHold, receiptsAgree, stopClocks, untilNoneOpen } from '../promises.ts'
import { makeScheduled, makeStories } from '../stories.ts'
import { keepReading, tellStory } from '../tell-stories.ts'
import { FAILOVER_KINDS, type Failover, type FailoverKind, failOver } from './fail-over.ts'
import { type Installation, openInstallation } from './open-installation.ts'
import { type ClusterPrograms, findClusterPrograms } from './programs.ts'
import { type RoleProcess, startRole } from './roles.ts'
import { startCluster } from './start-cluster.ts'

/**
 * `npm run chaos -- cluster`: two APIs and two workers of Trellis on two Postgres nodes under Patroni, behind HAProxy and
 * PgBouncer with the files of deploy/cluster, while the primary is killed, frozen and handed over, connections are cut and
 * processes are restarted. In the end no row is lost or doubled, nothing hangs, and no process has ended by itself.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    failovers: { type: 'string', default: '20' },
    /** One kind only: machine, postgres, switchover or frozen. */
    kind: { type: 'string' },
    copies: { type: 'string', default: '1' },
    scheduled: { type: 'string', default: '2' },
    /** Leaves logs and settings where they are. */
    keep: { type: 'boolean', default: false },
  },
})
const numbers = {
  seed: Number(values.seed),
  failovers: Number(values.failovers),
  copies: Number(values.copies),
  scheduled: Number(values.scheduled),
}
const kinds = values.kind === undefined ? FAILOVER_KINDS : FAILOVER_KINDS.filter((kind) => kind === values.kind)

/** After the new primary the API has to answer reads and writes within this. */
const ANSWER_LIMIT_MS = 2000
const ANSWER_TIMEOUT_MS = 60_000
const ENDING_MS = 120_000
const TOKEN_REFRESH_MS = 120_000

const undo: (() => Promise<unknown>)[] = []

async function cleanUp(): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
}

async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-cluster-'))
  await chmod(home, 0o711)
  undo.push(async () => {
    if (values.keep) console.log(`Logs and settings are in ${home}.`)
    else await rm(home, { recursive: true, force: true })
  })
  return home
}

interface Api {
  readonly process: RoleProcess
  readonly calls: ApiCalls
}

async function startApis(installation: Installation, home: string): Promise<Api[]> {
  const apis: { process: RoleProcess; url: string }[] = []
  for (const name of ['api-1', 'api-2']) {
    const port = await findFreePort()
    const env = { ...installation.env, TRELLIS_PORT: String(port) }
    const process = await startRole({ name, role: 'api', env, home })
    undo.push(() => process.stop())
    apis.push({ process, url: `http://127.0.0.1:${port}` })
  }
  const { token, refresh } = await signInForBench(apis[0]?.url ?? '', installation.directUrl)
  const current = { token }
  const timer = setInterval(
    () =>
      void refresh()
        .then((fresh) => (current.token = fresh))
        .catch(() => undefined),
    TOKEN_REFRESH_MS,
  )
  undo.push(async () => clearInterval(timer))
  return apis.map(({ process, url }) => {
    const calls = keepCalling({ url, token: () => current.token, isDown: () => process.isDown() })
    undo.push(() => calls.stop())
    return { process, calls }
  })
}

async function startWorkers(installation: Installation, home: string): Promise<RoleProcess[]> {
  const workers: RoleProcess[] = []
  for (const name of ['worker-1', 'worker-2']) {
    const worker = await startRole({ name, role: 'worker', env: installation.env, home })
    undo.push(() => worker.stop())
    workers.push(worker)
  }
  return workers
}

interface Outcome extends Failover {
  /** From the new primary to the first read and write that each API answered. */
  readonly answerMs: readonly number[]
}

async function untilAnswered(apis: readonly Api[], primarySince: number): Promise<number[]> {
  const end = Date.now() + ANSWER_TIMEOUT_MS
  for (;;) {
    const answers = apis.map(({ calls }) => calls.firstAnswer(primarySince))
    if (answers.every((at) => at !== undefined) || Date.now() > end) {
      return answers.map((at) => (at ?? Number.POSITIVE_INFINITY) - primarySince)
    }
    await sleep(20)
  }
}

/** Each kind as often as the others, in an order nobody knows. */
function drawKinds(): FailoverKind[] {
  const dice = createRandom(numbers.seed * 13)
  return Array.from({ length: numbers.failovers }, (_, at) => kinds[at % kinds.length] as FailoverKind)
    .map((kind) => ({ kind, order: dice.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ kind }) => kind)
}

async function chaos(programs: ClusterPrograms): Promise<{ kept: readonly Kept[]; outcomes: readonly Outcome[] }> {
  const home = await makeHome()
  const cluster = await startCluster({ home, programs, undo })
  await cluster.untilWhole(ANSWER_TIMEOUT_MS)
  const installation = await openInstallation(cluster, { home, undo })
  const stories = await makeStories(installation, numbers.copies)
  const workers = await startWorkers(installation, home)
  const apis = await startApis(installation, home)
  const scheduled = await makeScheduled(installation, numbers.scheduled)
  const state = { isQuiet: false, isOver: false }
  undo.push(async () => (state.isOver = true))
  const tally = { runs: 0, again: 0, reads: 0 }
  const faults: string[] = []
  const telling = { world: installation, seed: numbers.seed, tally, faults, state }
  const readers = stories.flatMap((story) => (story.torn ? [keepReading(telling, story)] : []))
  const told = Promise.all(stories.map((story, at) => tellStory(telling, story, at)))

  const dice = createRandom(numbers.seed)
  const outcomes: Outcome[] = []
  for (const kind of drawKinds()) {
    await sleep(dice.between(1000, 4000))
    const failover = await failOver(cluster, kind, dice)
    const outcome = { ...failover, answerMs: await untilAnswered(apis, failover.primarySince) }
    outcomes.push(outcome)
    // Only now: on machines of their own its start would take no processor from those who answer.
    await failover.bringBack()
    console.log(`${outcomes.length}. ${describe(outcome)}; ${tally.runs} loads so far`)
  }
  state.isQuiet = true
  console.log('Quiet: what goes on is waited for.')
  await cluster.untilWhole(ENDING_MS)
  const stopped = await stopClocks(installation, scheduled, ENDING_MS)
  const isInTime = await Promise.race([told.then(() => true), sleep(ENDING_MS, false, { ref: false })])
  if (!isInTime) faults.push('Not every run came to its end in time.')
  await untilNoneOpen(installation, ENDING_MS)
  state.isOver = true
  await Promise.all(readers)
  const processes = [...workers, ...apis.map((api) => api.process)]
  const exits = processes.flatMap(({ name, exits: reasons }) => reasons.map((reason) => `${name} ended: ${reason}.`))
  const kept = [
    {
      says: `${tally.runs} loads looked at row by row, ${tally.again} of them retried by hand, ${tally.reads} reads`,
      faults,
    },
    await dueTimes(installation, scheduled, stopped),
    await flowRunsHold(installation),
    await allEnded(installation),
    await receiptsAgree(installation),
    ...(await Promise.all(apis.map(({ calls }) => calls.finish()))),
    { says: `${exits.length} of ${processes.length} processes ended by themselves`, faults: exits },
  ]
  return { kept, outcomes }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const describe = ({ kind, failoverMs, answerMs }: Outcome): string =>
  `${kind}: new primary after ${seconds(failoverMs)}, the APIs answered ${answerMs.map(seconds).join(' and ')} later`

function summarize({ kept, outcomes }: Awaited<ReturnType<typeof chaos>>): string[] {
  const late = outcomes.filter(({ answerMs }) => answerMs.some((ms) => ms > ANSWER_LIMIT_MS))
  for (const kind of kinds) {
    const own = outcomes.filter((outcome) => outcome.kind === kind)
    if (own.length === 0) continue
    const slowest = Math.max(...own.map(({ failoverMs }) => failoverMs))
    const answer = Math.max(...own.flatMap(({ answerMs }) => answerMs))
    console.log(
      `${own.length} × ${kind}: new primary after ${seconds(slowest)} at most, API ${seconds(answer)} later at most`,
    )
  }
  for (const { says } of kept) console.log(`${says[0]?.toUpperCase()}${says.slice(1)}`)
  return [...kept.flatMap((one) => one.faults), ...late.map((outcome) => `Too late: ${describe(outcome)}.`)]
}

async function main(): Promise<number> {
  const programs = findClusterPrograms()
  if (typeof programs === 'string' || kinds.length === 0) {
    console.error(typeof programs === 'string' ? programs : `A primary can go as: ${FAILOVER_KINDS.join(', ')}.`)
    return 2
  }
  console.log(`Seed ${numbers.seed}`)
  try {
    const faults = summarize(await chaos(programs))
    for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`)
    console.log(
      faults.length === 0 ? 'Nothing lost, doubled or stuck.' : `${faults.length} faults, seed ${numbers.seed}.`,
    )
    return faults.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error)
    return 1
  } finally {
    await cleanUp()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}
process.exitCode = await main()
