import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { type Dice, createRandom } from './dice.ts'
import type { Workers } from './workers.ts'
import type { World } from './world.ts'

export const HARM = ['kills', 'crashes', 'cuts', 'frozen', 'origins'] as const
export type Harm = Record<(typeof HARM)[number], number>

interface Breaking {
  readonly world: World
  readonly workers: Workers
  readonly seed: number
  readonly asked: Harm
  readonly done: Harm & { aroundDue: number }
  readonly until: number
  readonly isOver: () => boolean
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const MINUTE = 60_000

/** Until every fault was injected often enough or time is up. Each kind has its own random sequence. */
export async function breakThings(breaking: Breaking): Promise<void> {
  const { world, workers, seed, done } = breaking
  const diceFor = (salt: number) => createRandom(seed * 31 + salt)
  await Promise.all([
    repeat(breaking, 'kills', [diceFor(1), (dice) => killOne(breaking, dice)]),
    repeat(breaking, 'cuts', [diceFor(2), async (dice) => world.proxy.cut(dice.next())]),
    repeat(breaking, 'crashes', [
      diceFor(3),
      async () => {
        await world.crash()
        return true
      },
    ]),
    repeat(breaking, 'origins', [
      diceFor(6),
      async () => {
        await world.origin.crash()
        return true
      },
    ]),
    repeat(breaking, 'frozen', [
      diceFor(4),
      async (dice) => {
        // Longer than a lease: another worker takes over, then this one wakes up and goes on writing.
        const pid = dice.pick(await busyWorkers(world, workers))
        return pid !== undefined && (await workers.freeze(pid, LEASE_MS + dice.between(2000, 8000)))
      },
    ]),
    killAroundDue(breaking, diceFor(5), () => {
      done.kills += 1
      done.aroundDue += 1
    }),
  ])
}

async function repeat(
  { asked, done, until, isOver }: Breaking,
  what: keyof Harm,
  [dice, act]: [Dice, (dice: Dice) => Promise<boolean>],
): Promise<void> {
  const began = Date.now()
  const every = ((until - began) * 0.9) / Math.max(1, asked[what])
  while (!isOver() && Date.now() < until && done[what] < asked[what]) {
    // At random times; at once if behind schedule.
    const isBehind = done[what] < (Date.now() - began) / every
    await sleep(isBehind ? dice.between(20, Math.min(400, every)) : dice.between(0, Math.min(15_000, every * 2)))
    if (!isOver() && Date.now() < until && (await act(dice))) done[what] += 1
  }
}

/** Mostly within a step of a run, right after its notification. */
async function killOne({ world, workers }: Breaking, dice: Dice): Promise<boolean> {
  if (dice.next() < 0.3) return workers.kill(dice.pick(workers.ready()))
  await world.nextStep(1000)
  await sleep(dice.between(0, 250))
  return workers.kill(dice.pick(await busyWorkers(world, workers)))
}

async function busyWorkers(world: World, workers: Workers): Promise<number[]> {
  const rows = await world.control<{ worker: string }>(
    `select distinct worker from task_runs where status = 'RUNNING' and worker is not null and lease_until > now() order by worker`,
  )
  const names = rows.map(({ worker }) => worker.split('-'))
  return workers.ready().filter((pid) => names.some((parts) => parts.includes(String(pid))))
}

/** Kills the worker that fires due times, shortly before, during or after. */
async function killAroundDue({ workers, until, isOver }: Breaking, dice: Dice, onKill: () => void): Promise<void> {
  for (;;) {
    const due = Math.ceil((Date.now() + 500) / MINUTE) * MINUTE
    if (due > until) return
    for (const offset of [dice.between(-300, 20), dice.between(20, 150), dice.between(150, 600)]) {
      await sleep(Math.max(0, due + offset - Date.now()))
      if (isOver()) return
      if (workers.kill(dice.pick(workers.ready()))) onKill()
    }
  }
}
