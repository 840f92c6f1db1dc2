import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Dice, createRandom } from '../dice.ts'
import {
  type Kept,
  allEnded,
  allSucceeded,
  dueTimes,
  flowRunsHold,
  receiptsAgree,
  stopClocks,
  untilNoneOpen,
} from '../promises.ts'
import type { Proxy } from '../proxy.ts'
import { makeScheduled, makeStories } from '../stories.ts'
import { keepReading, tellStory } from '../tell-stories.ts'
import { runStatements, sendWebhooks, uploadFiles } from './activities.ts'
import { FAILOVER_KINDS, type Failover, type FailoverKind, failOver } from './fail-over.ts'
import { openInstallation } from './open-installation.ts'
import { type Api, startApis, startWorkers } from './processes.ts'
import { type ClusterPrograms, findClusterPrograms } from './programs.ts'
import type { RoleProcess } from './roles.ts'
import { startCluster } from './start-cluster.ts'

/**
 * `npm run chaos -- cluster`: two APIs and two workers on two Postgres nodes with Patroni, HAProxy and PgBouncer, while
 * the primary is killed, frozen and switched over, connections are cut, the network goes and processes are restarted. No row may be lost or
 * doubled, nothing may hang, and no process may exit by itself.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    failovers: { type: 'string', default: '20' },
    kind: { type: 'string' },
    copies: { type: 'string', default: '1' },
    scheduled: { type: 'string', default: '2' },
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

/** After a failover the API must serve reads and writes within this. */
const ANSWER_LIMIT_MS = 2000
const ANSWER_TIMEOUT_MS = 60_000
const ENDING_MS = 120_000

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

interface Outcome extends Failover {
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

async function restartNext(processes: readonly RoleProcess[], harm: { restarts: number }): Promise<void> {
  await processes[harm.restarts % processes.length]?.restart()
  harm.restarts += 1
}

async function keepCutting(
  proxies: readonly Proxy[],
  state: { readonly isQuiet: boolean },
  harm: { cuts: number },
): Promise<void> {
  const dice = createRandom(numbers.seed * 7)
  while (!state.isQuiet) {
    await sleep(dice.between(500, 4000))
    if (dice.pick(proxies)?.cut(dice.next())) harm.cuts += 1
  }
}

/** The network between Trellis and one of pooler, Postgres and bucket is gone for a while. */
async function isolateOne(proxies: readonly Proxy[], dice: Dice, harm: { isolated: number }): Promise<void> {
  const end = dice.pick(proxies)?.isolate()
  await sleep(dice.between(1000, 6000))
  end?.()
  harm.isolated += 1
}

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
  const workers = await startWorkers(installation, { home, undo })
  const { apis, client } = await startApis(installation, { home, undo })
  const processes = [...workers, ...apis.map((api) => api.process)]
  const scheduled = await makeScheduled(installation, numbers.scheduled)
  const state = { isQuiet: false, isOver: false }
  undo.push(async () => (state.isOver = true))
  const tally = { runs: 0, again: 0, decisions: 0, reads: 0 }
  const faults: string[] = []
  const telling = { world: installation, seed: numbers.seed, tally, faults, state }
  const readers = stories.flatMap((story) => (story.torn ? [keepReading(telling, story)] : []))
  const told = Promise.all(stories.map((story, at) => tellStory(telling, story, at)))
  const activities = Promise.all(
    [runStatements, uploadFiles, sendWebhooks].map((activity) => activity({ installation, client, state })),
  )
  const harm = { cuts: 0, restarts: 0, isolated: 0 }
  const cutting = keepCutting(installation.proxies, state, harm)

  const dice = createRandom(numbers.seed)
  const outcomes: Outcome[] = []
  for (const kind of drawKinds()) {
    await sleep(dice.between(1000, 4000))
    await restartNext(processes, harm)
    await isolateOne(installation.proxies, dice, harm)
    const failover = await failOver(cluster, kind, dice)
    const outcome = { ...failover, answerMs: await untilAnswered(apis, failover.primarySince) }
    outcomes.push(outcome)
    // Only now: in production its start would use another machine's CPU.
    await failover.bringBack()
    console.log(`${outcomes.length}. ${describe(outcome)}; ${tally.runs} loads so far`)
  }
  state.isQuiet = true
  console.log('Quiet: what goes on is waited for.')
  await Promise.all([cluster.untilWhole(ENDING_MS), cutting])
  const stopped = await stopClocks(installation, scheduled, ENDING_MS)
  const isInTime = await Promise.race([told.then(() => true), sleep(ENDING_MS, false, { ref: false })])
  if (!isInTime) faults.push('Not every run came to its end in time.')
  const done = await activities
  await untilNoneOpen(installation, ENDING_MS)
  state.isOver = true
  await Promise.all(readers)
  const exits = processes.flatMap(({ name, exits: reasons }) => reasons.map((reason) => `${name} ended: ${reason}.`))
  const failedStarts = processes.reduce((sum, process) => sum + process.failedStarts.length, 0)
  const kept = [
    {
      says: `${tally.runs} loads looked at row by row, ${tally.again} of them retried by hand, ${tally.reads} reads`,
      faults,
    },
    await dueTimes(installation, scheduled, stopped),
    await flowRunsHold(installation),
    await allEnded(installation),
    await allSucceeded(installation),
    await receiptsAgree(installation),
    ...(await Promise.all(apis.map(({ calls }) => calls.finish()))),
    ...done,
    {
      says: `${harm.cuts} connections cut, the network gone ${harm.isolated} times, ${harm.restarts} processes restarted (${failedStarts} starts failed and were repeated), ${exits.length} ended by themselves`,
      faults: exits,
    },
  ]
  return { kept, outcomes }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const describe = ({ kind, failoverMs, answerMs }: Outcome): string =>
  `${kind}: new primary after ${seconds(failoverMs)}, the APIs answered ${answerMs.map(seconds).join(' and ')} later`

function summarize({ kept, outcomes }: Awaited<ReturnType<typeof chaos>>): string[] {
  const late = outcomes.filter(({ answerMs }) => answerMs.some((ms) => ms > ANSWER_LIMIT_MS))
  for (const kind of kinds) {
    const ownOutcomes = outcomes.filter((outcome) => outcome.kind === kind)
    if (ownOutcomes.length === 0) continue
    const slowest = Math.max(...ownOutcomes.map(({ failoverMs }) => failoverMs))
    const answer = Math.max(...ownOutcomes.flatMap(({ answerMs }) => answerMs))
    console.log(
      `${ownOutcomes.length} × ${kind}: new primary after ${seconds(slowest)} at most, API ${seconds(answer)} later at most`,
    )
  }
  for (const { says } of kept) console.log(`${says[0]?.toUpperCase()}${says.slice(1)}`)
  return [...kept.flatMap((other) => other.faults), ...late.map((outcome) => `Too late: ${describe(outcome)}.`)]
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
// After a failure stories still wait for runs that will never end.
process.exit(await main())
