import { createRandom } from './dice.ts'
import type { Story } from './stories.ts'
import type { Databases } from './patient-pools.ts'

export interface Telling {
  readonly world: Databases
  readonly seed: number
  readonly tally: { runs: number; again: number; decisions: number; reads: number }
  readonly faults: string[]
  readonly state: { isQuiet: boolean; isOver: boolean }
  readonly onRun?: (story: string, runs: number) => Promise<void>
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** One run after another, each until it succeeds, followed by a check. */
export async function tellStory(telling: Telling, story: Story, at: number): Promise<void> {
  const { tally, faults, state } = telling
  const dice = createRandom(telling.seed * 97 + at)
  for (let runs = 1; !state.isQuiet; runs += 1) {
    await story.change(dice)
    const broken = await runToEnd(telling, story, `${story.name}-${runs}`)
    if (state.isOver) return
    tally.runs += 1
    await telling.onRun?.(story.name, runs)
    const found = broken ? [broken] : await story.faults(runs)
    faults.push(...found)
    if (found.length > 0) return
  }
}

export async function tellStaying(telling: Telling, story: Story, at: number): Promise<void> {
  const { world, tally, faults, state } = telling
  const dice = createRandom(telling.seed * 89 + at)
  const ended = { isWanted: false }
  const staying = (async () => {
    for (let runs = 1; !ended.isWanted && !state.isOver; runs += 1) {
      const broken = await runToEnd(telling, story, `${story.name}-${runs}`)
      if (broken) faults.push(broken)
    }
  })()
  for (let changes = 1; !state.isQuiet; changes += 1) {
    await story.change(dice)
    await sleep(dice.between(200, 3000))
    // The first load must be complete before deletes are recorded; regular checks find errors near their cause.
    if (changes === 1 || changes % 10 === 0) await untilSame(telling, story)
  }
  await story.change(dice)
  const found = await untilSame(telling, story)
  faults.push(...found)
  tally.runs += 1
  ended.isWanted = true
  await world.control('update dataflows set is_paused = true where id = $1', [story.dataflowId])
  await staying
}

async function untilSame({ state }: Telling, story: Story): Promise<string[]> {
  for (;;) {
    const found = await story.faults(0).catch((error: unknown) => [String(error)])
    if (found.length === 0 || state.isOver) return found
    await sleep(500)
  }
}

interface Ended {
  status: string
  problem: {
    kind: string
    message: string
    subtask?: string
    question?: { changes: { id: string }[] }
  } | null
}

async function runToEnd(telling: Telling, story: Story, root: string): Promise<string | undefined> {
  const { world, tally, state } = telling
  let request = {}
  for (let turn = 0; !state.isOver; turn += 1) {
    const code = turn === 0 ? root : `${root}-${turn}`
    const startedBy = turn === 0 ? 'person' : 'retry'
    await world.control(
      `with made as (
         insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at, root_code, request)
         values ($1, $2, $3, $4, $5, 1, $6, now(), $7, $8) on conflict (trellis_code) do nothing returning 1)
       select pg_notify('trellis_runs', 'queued') from made`,
      [
        world.accountId,
        world.workspaceId,
        story.dataflowId,
        story.blockId,
        code,
        startedBy,
        root,
        JSON.stringify(request),
      ],
    )
    const ended = await untilEnded(telling, code)
    if (!ended || ended.status === 'SUCCESS') return undefined
    const answers = answer(story, ended)
    if (answers) {
      tally.decisions += 1
      request = { ...request, answers }
      continue
    }
    console.log(`${code} ${ended.status}: ${ended.problem?.kind} ${ended.problem?.message}`)
    tally.again += 1
    // A fault may cause retries, but never a configuration problem.
    if (ended.problem?.kind === 'configuration') return `${code} can't go on: ${ended.problem.message}`
  }
  return undefined
}

function answer(story: Story, { problem }: Ended): object | undefined {
  if (!problem?.question || !story.accepts) return undefined
  const ids = problem.question.changes.map(({ id }) => id)
  const choice = story.accepts(ids) ? 'change' : 'keep'
  return { [problem.subtask ?? '']: Object.fromEntries(ids.map((id) => [id, choice])) }
}

async function untilEnded({ world, state }: Telling, code: string): Promise<Ended | undefined> {
  while (!state.isOver) {
    const [run] = await world.control<Ended>('select status, problem from task_runs where trellis_code = $1', [code])
    if (run && ['SUCCESS', 'FAILED', 'EXCEPTION'].includes(run.status)) return run
    await sleep(200)
  }
  return undefined
}

export async function keepReading({ tally, faults, state }: Telling, story: Story): Promise<void> {
  while (!state.isOver && faults.length < 50) {
    faults.push(...((await story.torn?.()) ?? []))
    tally.reads += 1
    await sleep(150)
  }
}
