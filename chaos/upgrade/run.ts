import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { keepCalling } from '../call-api.ts'
import { runStatements, sendWebhooks, uploadFiles } from '../cluster/activities.ts'
import { createBalancedClient } from '../cluster/balanced-client.ts'
import { startRole } from '../cluster/roles.ts'
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
import { runAdmin } from '../run-admin.ts'
import { makeScheduled, makeStories } from '../stories.ts'
import { keepReading, tellStory } from '../tell-stories.ts'
import { keepRows } from './kept-rows.ts'
import { openPreviousInstallation } from './open-installation.ts'
import { checkOutPrevious } from './previous-version.ts'
import { signIn } from './session.ts'

/**
 * `npm run chaos -- upgrade`: an earlier version with data and load is upgraded as the handbook says: migrations while it
 * serves, new processes beside it, and only then it ends. No call may fail, no run be lost or doubled, nobody be signed out.
 */
const { values } = parseArgs({
  options: {
    /** The last tag, unless named. */
    from: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** Of each step: before, with new tables, side by side, after. */
    seconds: { type: 'string', default: '45' },
    copies: { type: 'string', default: '1' },
    scheduled: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const stepMs = Number(values.seconds) * 1000
const ENDING_MS = 120_000
/** A balancer's connections end before its server does. */
const DRAIN_MS = 3000

const undo: (() => Promise<unknown>)[] = []

async function cleanUp(): Promise<void> {
  for (const one of undo.splice(0).toReversed()) await one().catch(() => undefined)
}

async function makeHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-upgrade-'))
  await chmod(home, 0o711)
  undo.push(async () => {
    if (values.keep) console.log(`Logs are in ${home}.`)
    else await rm(home, { recursive: true, force: true })
  })
  return home
}

async function upgrade(): Promise<readonly Kept[]> {
  const home = await makeHome()
  const version = await checkOutPrevious(values.from, { home, undo })
  console.log(`From ${version.revision}; migrations that are new: ${version.migrations.join(', ') || 'none'}`)
  const installation = await openPreviousInstallation(version, { home, undo })
  const { previous, previousUrl, control } = installation
  const session = await signIn(previousUrl)
  await control(
    `insert into account_members (account_id, profile_id, role)
     select $1, id, 'owner' from profiles where email = 'bench@trellis.local' on conflict do nothing`,
    [installation.accountId],
  )
  const state = { isQuiet: false, isOver: false, isPreviousDown: false }
  undo.push(async () => (state.isOver = true))
  const urls = [previousUrl]
  const params = { account_trellis_code: 'chaos', workspace_address: 'chaos' }
  const client = createBalancedClient({ urls, token: session.token, params })
  const stories = await makeStories(installation, Number(values.copies))
  const scheduled = await makeScheduled(installation, Number(values.scheduled))
  const tally = { runs: 0, again: 0, decisions: 0, reads: 0 }
  const faults: string[] = []
  const telling = { world: installation, seed, tally, faults, state }
  const readers = stories.flatMap((story) => (story.torn ? [keepReading(telling, story)] : []))
  const told = Promise.all(stories.map((story, at) => tellStory(telling, story, at)))
  const [webhooks] = await control<{ there: boolean }>(`select to_regclass('inbound_webhooks') is not null as there`)
  const activities = [runStatements, uploadFiles, ...(webhooks?.there ? [sendWebhooks] : [])].map((activity) =>
    activity({ installation, client, state }),
  )
  const isDown = () => state.isPreviousDown
  const previousCalls = keepCalling({ url: previousUrl, token: session.token, isDown })
  undo.push(() => previousCalls.stop())
  const keptRows = await keepRows(installation)
  await sleep(stepMs)

  const began = Date.now()
  console.log(`${tally.runs} loads; the migrations begin while the previous version serves`)
  await runAdmin(['migrate'], installation.env)
  console.log(`Tables brought up to date in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  await sleep(stepMs)

  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const worker = await startRole({ name: 'worker', role: 'worker', env: installation.env, home })
  undo.push(() => worker.stop())
  const env = { ...installation.env, TRELLIS_PORT: String(port) }
  const api = await startRole({ name: 'api', role: 'api', env, home })
  undo.push(() => api.stop())
  const newCalls = keepCalling({ url, token: session.token })
  undo.push(() => newCalls.stop())
  urls.push(url)
  console.log(`${tally.runs} loads; both versions serve`)
  await sleep(stepMs)

  urls.shift()
  await sleep(DRAIN_MS)
  const answers = await previousCalls.finish()
  state.isPreviousDown = true
  const end = await previous.stop()
  console.log(`${tally.runs} loads; the previous version ended: ${end}`)
  const refreshed = await session.refresh(url)
  await sleep(stepMs)

  state.isQuiet = true
  console.log('Quiet: what goes on is waited for.')
  const stopped = await stopClocks(installation, scheduled, ENDING_MS)
  const isInTime = await Promise.race([told.then(() => true), sleep(ENDING_MS, false, { ref: false })])
  if (!isInTime) faults.push('Not every run came to its end in time.')
  const done = await Promise.all(activities)
  await untilNoneOpen(installation, ENDING_MS)
  state.isOver = true
  await Promise.all(readers)
  const exits = [...previous.exits, ...worker.exits, ...api.exits]
  const doctor = await runAdmin(['doctor'], installation.env).then(
    () => [],
    (error: unknown) => [String(error)],
  )
  return [
    { says: `${tally.runs} loads looked at row by row, ${tally.again} of them retried, ${tally.reads} reads`, faults },
    await keptRows.compare(),
    await dueTimes(installation, scheduled, stopped),
    await flowRunsHold(installation),
    await allEnded(installation),
    await allSucceeded(installation),
    await receiptsAgree(installation),
    { ...answers, says: `before, ${answers.says}` },
    await newCalls.finish(),
    ...done,
    {
      says: `a session of the previous version was refreshed by the new one with ${refreshed}`,
      faults: refreshed === 200 ? [] : [`The refresh was answered with ${refreshed}.`],
    },
    {
      says: `${exits.length} processes ended by themselves, the previous version ended with ${end}`,
      faults: [...exits, ...(end === '0' ? [] : [`The previous version ended with ${end}.`]), ...doctor],
    },
  ]
}

async function main(): Promise<number> {
  console.log(`Seed ${seed}`)
  try {
    const kept = await upgrade()
    for (const { says } of kept) console.log(`${says[0]?.toUpperCase()}${says.slice(1)}`)
    const faults = kept.flatMap((other) => other.faults)
    for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`)
    console.log(faults.length === 0 ? 'Nothing lost, doubled or refused.' : `${faults.length} faults, seed ${seed}.`)
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
