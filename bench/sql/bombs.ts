import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sqlBombs } from '../../apps/server/src/modules/sql/bombs/sql-bombs.ts'
import { type Figure, median } from '../report.ts'
import { type Person, followQuery } from './client.ts'
import type { Bench } from './bench.ts'
import type { Order } from './bomber.ts'

const MAX_RATIO = 3
const TIMEOUT_SECONDS = 3
/** The timer terminates a second after the timeout and closes the socket after two and a half. */
const GRACE_SECONDS = 4
const AT_ONCE = 4
const MIN_MS = 3000
const PAUSE_MS = 1000

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

async function watch(person: Person, isOver: () => boolean): Promise<number[]> {
  const took: number[] = []
  while (!isOver()) took.push((await followQuery(person, 'select count(*) from generate_series(1, 1000)')).doneMs)
  return took
}

/** Four of each bomb at once in one workspace, while another runs small queries. */
export async function measureBombs(bench: Bench): Promise<Figure[]> {
  const { url, places, options } = bench
  const [ownPlace, neighbour = ownPlace] = places
  const attacker: Person = { url, place: ownPlace, token: ownPlace.tokens[0] ?? '' }
  const victim: Person = { url, place: neighbour, token: neighbour.tokens[0] ?? '' }
  const quiet: number[] = []
  const attacked = new Map<string, number[]>(sqlBombs.map(({ name }) => [name, []]))
  let slowest = 0
  const bomber = fork(join(import.meta.dirname, 'bomber.ts'), { execArgv: ['--no-warnings'] })
  const explode = async (sql: string): Promise<number> => {
    const order: Order = { person: attacker, sql, timeoutSeconds: TIMEOUT_SECONDS, atOnce: AT_ONCE, minMs: MIN_MS }
    const stopped = new AbortController()
    try {
      bomber.send(order)
      const ended = once(bomber, 'exit', { signal: stopped.signal }).then(() => {
        throw new Error('The process that throws bombs has ended.')
      })
      const answered = once(bomber, 'message', { signal: stopped.signal })
      const [seconds] = (await Promise.race([answered, ended])) as [number]
      return seconds
    } finally {
      stopped.abort()
    }
  }
  const throwOne = async (name: string, sql: string): Promise<number[]> => {
    const end = performance.now() + PAUSE_MS
    quiet.push(...(await watch(victim, () => performance.now() > end)))
    const state = { isOver: false, seconds: 0 }
    const exploding = explode(sql).then((seconds) => Object.assign(state, { isOver: true, seconds }))
    const took = await watch(victim, () => state.isOver)
    await exploding
    slowest = Math.max(slowest, state.seconds)
    console.log(`  ${name}: ended after ${state.seconds.toFixed(1)} s, p99 ${percentile(took, 0.99).toFixed(0)} ms`)
    return took
  }
  // A p99 of some hundred queries varies 2.5-fold, so there are several rounds.
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { name, sql } of sqlBombs) attacked.get(name)?.push(...(await throwOne(name, sql)))
  }
  bomber.disconnect()
  const before = percentile(quiet, 0.99)
  const ratios = [...attacked.values()].map((took) => percentile(took, 0.99) / before)
  return [
    { what: "a neighbour's p99 between the bombs", value: before, unit: 'ms' },
    ...[...attacked.keys()].map((name, at) => ({
      what: `${name}: a neighbour's p99 against that`,
      value: ratios[at] ?? Number.NaN,
      unit: '×',
    })),
    { what: 'bombs: ratio, median', value: median(ratios), unit: '×', limit: { value: MAX_RATIO, isAtMost: true } },
    { what: 'bombs: ratio, worst', value: Math.max(...ratios), unit: '×', limit: { value: MAX_RATIO, isAtMost: true } },
    {
      what: 'bombs: the last one ended after',
      value: slowest,
      unit: 's',
      limit: { value: TIMEOUT_SECONDS + GRACE_SECONDS, isAtMost: true },
    },
  ]
}
