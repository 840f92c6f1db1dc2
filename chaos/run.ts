import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import { type Dice, diceOf } from './dice.ts'
import { type Story, makeScheduled, makeStories } from './stories.ts'
import { type World, makeWorld } from './world.ts'

/**
 * `npm run chaos`: real workers load over and over from a database into tables while they are killed, stopped for longer than
 * their lease and woken again, while connections are cut and Postgres itself is killed. In the end every run has ended,
 * no row is lost or doubled, no reader has seen half a table, and every due time has started one run.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    kills: { type: 'string', default: '310' },
    crashes: { type: 'string', default: '16' },
    cuts: { type: 'string', default: '110' },
    frozen: { type: 'string', default: '6' },
    workers: { type: 'string', default: '4' },
    copies: { type: 'string', default: '3' },
    scheduled: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '9.5' },
  },
})
const asked = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)])) as Record<
  keyof typeof values,
  number
>
const LEASE_MS = 20_000
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Tally {
  kills: number
  crashes: number
  cuts: number
  frozen: number
  runs: number
  retries: number
  reads: number
  slowestStart: number
}

async function main(): Promise<void> {
  const began = Date.now()
  const until = began + asked.minutes * 60_000
  const dice = diceOf(asked.seed)
  console.log(`Seed ${asked.seed}`)
  const world = await makeWorld()
  const tally: Tally = { kills: 0, crashes: 0, cuts: 0, frozen: 0, runs: 0, retries: 0, reads: 0, slowestStart: 0 }
  const faults: string[] = []
  const children = new Set<ChildProcess>()
  try {
    const stories = await makeStories(world, asked.copies)
    const due = await makeScheduled(world, asked.scheduled)
    const state = { isQuiet: false, isOver: false }
    const context = { world, dice, tally, faults, state, children, deaths: new Map<number, number>() }
    const workers = Array.from({ length: asked.workers }, () => keepWorker(context))
    const readers = stories.flatMap((story) => (story.torn ? [keepReading(context, story)] : []))
    const telling = setInterval(() => tell(tally, began), 15_000)
    const told = stories.map((story) => tellStory(context, story))
    await breakThings(context, until - 75_000)
    state.isQuiet = true
    console.log('Quiet: what goes on is waited for.')
    const isInTime = await Promise.race([
      Promise.all(told).then(() => true),
      sleep(Math.max(45_000, until - Date.now())).then(() => false),
    ])
    if (!isInTime) faults.push('Not every run came to its end in time.')
    faults.push(...(await dueFaults(world, due)), ...(await openRuns(world)), ...(await lateRuns(context)))
    state.isOver = true
    clearInterval(telling)
    for (const child of children) child.kill('SIGKILL')
    await Promise.all([...workers, ...readers])
  } finally {
    for (const child of children) child.kill('SIGKILL')
    tell(tally, began)
    await world.close()
  }
  for (const what of ['kills', 'crashes', 'cuts', 'frozen'] as const) {
    if (tally[what] < asked[what])
      faults.push(`Only ${tally[what]} ${what} of ${asked[what]} were possible in the time.`)
  }
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(
    faults.length === 0
      ? 'Nothing lost, nothing doubled, nothing torn.'
      : `${faults.length} faults with seed ${asked.seed}.`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}

interface Context {
  readonly world: World
  readonly dice: Dice
  readonly tally: Tally
  readonly faults: string[]
  readonly state: { isQuiet: boolean; isOver: boolean }
  readonly children: Set<ChildProcess>
  /** When workers died, by their number. */
  readonly deaths: Map<number, number>
}

function tell(tally: Tally, began: number): void {
  const parts = Object.entries(tally).map(([name, count]) => `${name} ${Math.round(count)}`)
  console.log(`${Math.round((Date.now() - began) / 1000)} s: ${parts.join(', ')}`)
}

/** A new one as soon as the old one is gone. */
async function keepWorker({ world, state, children }: Context): Promise<void> {
  while (!state.isOver) {
    const child = fork(join(import.meta.dirname, 'worker.ts'), {
      env: {
        ...process.env,
        ...world.env,
        TRELLIS_LOAD_ROWS: '600',
        TRELLIS_RUNS: '4',
        TRELLIS_RUNS_PER_WORKSPACE: '12',
        TRELLIS_RUNS_PER_CONNECTION: '12',
      },
      execArgv: [...MEMORY_FLAGS.worker],
      stdio: 'ignore',
    })
    const gone = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
    children.add(child)
    await gone
    children.delete(child)
  }
}

/** Chaos until everything that was asked for has happened or the time is over. */
async function breakThings({ world, dice, tally, children, deaths }: Context, until: number): Promise<void> {
  const span = until - Date.now()
  const began = Date.now()
  const isDone = () =>
    Date.now() >= until || (['kills', 'crashes', 'cuts', 'frozen'] as const).every((what) => tally[what] >= asked[what])
  const every = (count: number) => (span * 0.95) / Math.max(1, count)
  const repeat = async (what: 'kills' | 'crashes' | 'cuts' | 'frozen', act: () => Promise<boolean>) => {
    while (!isDone() && tally[what] < asked[what]) {
      // Spread over the time, at moments nobody knows: behind with them, faster.
      const isBehind = tally[what] < (Date.now() - began) / every(asked[what])
      await sleep(dice.between(0, Math.min(15_000, every(asked[what]) * (isBehind ? 1 : 2))))
      if (Date.now() < until && (await act())) tally[what] += 1
    }
  }
  await Promise.all([
    repeat('kills', async () => {
      const child = dice.pick([...children])
      if (child?.pid === undefined || !child.kill('SIGKILL')) return false
      deaths.set(child.pid, Date.now())
      return true
    }),
    repeat('cuts', async () => world.proxy.cut(dice.next())),
    repeat('crashes', async () => {
      tally.slowestStart = Math.max(tally.slowestStart, await world.crash())
      return true
    }),
    repeat('frozen', async () => {
      const child = dice.pick([...children])
      if (!child?.kill('SIGSTOP')) return false
      // Longer than a lease: another worker takes its runs over, and then it wakes up and goes on writing.
      await sleep(LEASE_MS + dice.between(2000, 8000))
      child.kill('SIGCONT')
      return true
    }),
  ])
}

/** One run after the other, each until it has succeeded, with a look at the table behind it. */
async function tellStory(context: Context, story: Story): Promise<void> {
  const { world, dice, tally, faults, state } = context
  for (let runs = 1; !state.isQuiet; runs += 1) {
    await story.change(dice)
    await runToEnd(context, story, `${story.name}-${runs}`)
    tally.runs += 1
    const found = await story.faults(runs)
    faults.push(...found)
    if (found.length > 0) return
  }
  await world.control('select 1')
}

async function runToEnd({ world, tally }: Context, story: Story, root: string): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const code = turn === 0 ? root : `${root}-${turn}`
    await world.control(
      `with made as (
         insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at, root_code)
         values ($1, $2, $3, $4, $5, 1, $6, now(), $7) on conflict (trellis_code) do nothing returning 1)
       select pg_notify('trellis_runs', 'queued') from made`,
      [
        world.accountId,
        world.workspaceId,
        story.dataflowId,
        story.blockId,
        code,
        turn === 0 ? 'person' : 'retry',
        root,
      ],
    )
    const status = await untilEnded(world, code)
    if (status === 'SUCCESS') return
    const [{ problem } = { problem: null }] = await world.control<{
      problem: { kind: string; message: string } | null
    }>('select problem from task_runs where trellis_code = $1', [code])
    console.log(`${code} ${status}: ${problem?.kind} ${problem?.message}`)
    tally.retries += 1
    // What chaos can not have caused will not mend itself.
    if (problem?.kind === 'configuration') throw new Error(`${code}: ${problem.message}`)
  }
}

async function untilEnded(world: World, code: string): Promise<string> {
  for (;;) {
    const [run] = await world.control<{ status: string }>('select status from task_runs where trellis_code = $1', [
      code,
    ])
    if (run && ['SUCCESS', 'FAILED', 'EXCEPTION'].includes(run.status)) return run.status
    await sleep(150)
  }
}

async function keepReading({ tally, faults, state }: Context, story: Story): Promise<void> {
  while (!state.isOver && faults.length < 50) {
    faults.push(...((await story.torn?.()) ?? []))
    tally.reads += 1
    await sleep(30)
  }
}

async function dueFaults(world: World, blockIds: readonly number[]): Promise<string[]> {
  const rows = await world.control<{ block_id: number; nominal_at: Date; outcome: string | null; runs: string }>(
    `select t.block_id, t.nominal_at, t.outcome, (select count(*) from task_runs r where r.block_id = t.block_id and r.nominal_at = t.nominal_at) as runs
       from schedule_ticks t where t.block_id = any($1) and t.nominal_at < now() - interval '30 seconds'`,
    [blockIds],
  )
  console.log(`${rows.length} due times came.`)
  const wrong = rows.filter(({ outcome, runs }) =>
    outcome === 'fired' ? runs !== '1' : outcome === null || runs !== '0',
  )
  const [twice] = await world.control<{ count: string }>(
    `select count(*) from (select 1 from task_runs where nominal_at is not null group by block_id, nominal_at having count(*) > 1) doubled`,
  )
  return [
    ...wrong.map(
      (one) => `Due ${one.nominal_at.toISOString()} of block ${one.block_id}: ${one.outcome}, ${one.runs} runs`,
    ),
    ...(rows.length === 0 && blockIds.length > 0 ? ['No due time came at all.'] : []),
    ...(Number(twice?.count) > 0 ? [`${twice?.count} due times started two runs.`] : []),
  ]
}

async function openRuns(world: World): Promise<string[]> {
  const rows = await world.control<{ trellis_code: string; status: string }>(
    `select trellis_code, status from task_runs where status not in ('SUCCESS', 'FAILED', 'EXCEPTION') and started_by <> 'schedule'`,
  )
  return rows.map(({ trellis_code, status }) => `The run ${trellis_code} is still ${status}.`)
}

const TAKEN_UP_SECONDS = 30

/** From the death of a worker to the moment somebody took its run up. Workers are known by the number in their name. */
async function lateRuns({ world, deaths }: Context): Promise<string[]> {
  const lost = await world.control<{ run: string; worker: string; number: number; at: Date }>(
    `select r.trellis_code as run, a.worker, a.number, a.finished_at as at
       from task_run_attempts a join task_runs r on r.id = a.run_id where a.problem = 'lost'`,
  )
  const waits = lost.flatMap(({ worker, at, ...attempt }) => {
    const death = [...deaths].find(([pid]) => worker.split(/[^0-9]+/).includes(String(pid)))?.[1]
    return death === undefined ? [] : [{ ...attempt, worker, seconds: (at.getTime() - death) / 1000 }]
  })
  const slowest = waits.toSorted((a, b) => b.seconds - a.seconds)[0]
  console.log(
    `${lost.length} attempts were lost, ${waits.length} by killed workers; the slowest was taken up after ${slowest?.seconds.toFixed(1)} s.`,
  )
  return waits
    .filter(({ seconds }) => seconds > TAKEN_UP_SECONDS)
    .map(
      ({ run, worker, number, seconds }) =>
        `Attempt ${number} of ${run} by ${worker} was taken up after ${seconds.toFixed(1)} s.`,
    )
}

await main()
