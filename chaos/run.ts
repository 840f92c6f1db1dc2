import { parseArgs } from 'node:util'
import { keepCallingApi } from './api.ts'
import { HARM, type Harm, breakThings } from './break-things.ts'
import { bundleWorker } from './bundle.ts'
import { watchOutages } from './outages.ts'
import {
  type Kept,
  allEnded,
  dueTimes,
  flowRunsHold,
  receiptsAgree,
  stayingRuns,
  stopClocks,
  takenUp,
  untilNoneOpen,
} from './promises.ts'
import { branchesHold, makeFlows } from './flow-stories.ts'
import { makeQuestionStories } from './question-stories.ts'
import { makeChangeStories, makeStayingStories } from './change-stories.ts'
import { isSpoil, spoil } from './spoil.ts'
import { makeScheduled, makeStories } from './stories.ts'
import { keepReading, tellStaying, tellStory } from './tell-stories.ts'
import { keepWorkers } from './workers.ts'
import { makeWorld } from './world.ts'

/**
 * `npm run chaos`: real workers load while they are killed or stopped for longer than their lease, connections are cut
 * and Postgres is killed. Every run must end, no row may be lost or doubled, no reader may see half a table, and every
 * due time must start one run.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kills: { type: 'string', default: '310' },
    crashes: { type: 'string', default: '20' },
    cuts: { type: 'string', default: '200' },
    frozen: { type: 'string', default: '6' },
    /** Crashes of the CDC source. */
    origins: { type: 'string', default: '10' },
    workers: { type: 'string', default: '4' },
    copies: { type: 'string', default: '4' },
    scheduled: { type: 'string', default: '5' },
    /** Flows of four blocks. */
    flows: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '9.5' },
    /** Corrupts data on purpose, to prove that the checks notice. */
    spoil: { type: 'string' },
  },
})
const { spoil: spoiled, ...sizes } = values
const numbers = Object.entries(sizes).map(([name, value]) => [name, Number(value)])
const asked = Object.fromEntries(numbers) as Record<keyof typeof sizes, number>
const ENDING_MS = 80_000

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const undo: (() => Promise<unknown>)[] = []

async function cleanUp(): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
}

interface Result {
  readonly harm: Harm & { readonly aroundDue: number }
  readonly kept: readonly Kept[]
}

async function chaos(): Promise<Result> {
  const began = Date.now()
  const outages = watchOutages()
  const program = await bundleWorker()
  undo.push(() => program.remove())
  const world = await makeWorld(outages)
  undo.push(() => world.close())
  const stories = [
    ...(await makeStories(world, asked.copies)),
    ...(await makeChangeStories(world, asked.copies)),
    ...(await makeQuestionStories(world, asked.copies)),
  ]
  const staying = await makeStayingStories(world, asked.copies)
  const flows = await makeFlows(world, asked.flows)
  const scheduled = [...(await makeScheduled(world, asked.scheduled)), ...flows.map(({ root }) => root)]
  const harm = { kills: 0, crashes: 0, cuts: 0, frozen: 0, origins: 0, aroundDue: 0 }
  const tally = { runs: 0, again: 0, decisions: 0, reads: 0 }
  const faults: string[] = []
  const state = { isQuiet: false, isOver: false }
  undo.push(async () => (state.isOver = true))
  const workers = keepWorkers({ world, program, count: asked.workers, outages })
  undo.push(() => workers.stop())
  const api = await keepCallingApi(world)
  // A busy machine takes a minute to get here, which must not be missing for the faults.
  const until = Date.now() + asked.minutes * 60_000
  undo.push(() => api.stop())
  const tell = setInterval(() => console.log(inWords(began, { ...harm, ...tally, faults: faults.length })), 15_000)
  undo.push(async () => clearInterval(tell))

  const onRun = isSpoil(spoiled) ? (story: string, runs: number) => spoil(world, spoiled, { story, runs }) : undefined
  const telling = { world, seed: asked.seed, tally, faults, state, ...(onRun && { onRun }) }
  const readers = stories.flatMap((story) => (story.torn ? [keepReading(telling, story)] : []))
  const told = Promise.all([
    ...stories.map((story, at) => tellStory(telling, story, at)),
    ...staying.map((story, at) => tellStaying(telling, story, at)),
  ])
  const breaking = { world, workers, seed: asked.seed, asked, done: harm, until: until - ENDING_MS }
  await Promise.race([breakThings({ ...breaking, isOver: () => state.isOver }), Promise.all([told, ...readers])])
  state.isQuiet = true
  console.log('Quiet: what goes on is waited for.')
  const stopped = await stopClocks(world, scheduled, ENDING_MS)
  const isInTime = await Promise.race([told.then(() => true), sleep(ENDING_MS).then(() => false)])
  if (!isInTime) faults.push('Not every run came to its end in time.')
  await untilNoneOpen(world, ENDING_MS)
  state.isOver = true
  await Promise.all(readers)
  const kept = [
    await stayingRuns(world, staying),
    {
      says: `${tally.runs} loads looked at row by row, ${tally.decisions} decisions on changed columns, ${tally.reads} reads in between`,
      faults,
    },
    await dueTimes(world, scheduled, stopped),
    await flowRunsHold(world),
    await branchesHold(world, flows),
    await allEnded(world),
    await receiptsAgree(world),
    await takenUp(world, workers, outages),
    await api.finish(),
    {
      says: `${workers.exits.length} workers ended by themselves`,
      faults: workers.exits.map((reason) => `A worker ended by itself: ${reason}.`),
    },
  ]
  console.log(inWords(began, { ...harm, ...tally }))
  return { harm, kept }
}

function inWords(began: number, counts: object): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return `${Math.round((Date.now() - began) / 1000)} s: ${parts.join(', ')}`
}

function summary({ harm, kept }: Result): string[] {
  const missing = HARM.filter((what) => harm[what] < asked[what])
  const lines = [
    `Workers killed: ${harm.kills}, ${harm.aroundDue} of them around due times`,
    `Postgres killed: ${harm.crashes}, the server that is followed ${harm.origins}`,
    `Connections cut: ${harm.cuts}`,
    `Workers frozen past their lease: ${harm.frozen}`,
  ]
  const faults = [
    ...kept.flatMap((other) => other.faults),
    ...missing.map((what) => `Only ${harm[what]} ${what} of ${asked[what]} were possible in the time.`),
  ]
  console.log([...lines, ...kept.map(({ says }) => `${says[0]?.toUpperCase()}${says.slice(1)}`)].join('\n'))
  return faults
}

async function main(): Promise<void> {
  console.log(`Seed ${asked.seed}`)
  try {
    const faults = summary(await chaos())
    for (const fault of faults) console.log(`FAULT ${fault}`)
    const isGood = faults.length === 0
    console.log(
      isGood ? 'Nothing lost, nothing doubled, nothing torn.' : `${faults.length} faults, seed ${asked.seed}.`,
    )
    process.exitCode = isGood ? 0 : 1
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
