import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, median } from '../report.ts'
import { type Person, type Place, followQuery } from './client.ts'
import type { Bench } from './bench.ts'

const QUERY = 'select count(*) from generate_series(1, 2000)'
const LIGHT_PEOPLE = 5
const READING_MS = 300
const MAX_RATIO = 3
const WARM_UP_MS = 1500
/** The p99 of a few dozen queries varies too much for fewer rounds. */
const TIMES_ROUNDS = 3

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

async function runUntil(people: readonly Person[], isOver: () => boolean, pauseMs: number): Promise<number[]> {
  const took: number[] = []
  await Promise.all(
    people.map(async (person) => {
      while (!isOver()) {
        took.push((await followQuery(person, QUERY, { timeout_seconds: 60 })).doneMs)
        await sleep(pauseMs)
      }
    }),
  )
  return took
}

async function besideCrowd<T>(url: string, place: Place, work: () => Promise<T>): Promise<[T, number]> {
  const crowd = fork(join(import.meta.dirname, 'crowd.ts'), { execArgv: ['--no-warnings'] })
  crowd.send({ url, place, sql: QUERY })
  await sleep(WARM_UP_MS)
  try {
    const result = await work()
    crowd.send('stop')
    const [ended] = (await once(crowd, 'message')) as [number]
    return [result, ended]
  } finally {
    crowd.kill()
  }
}

/** Five normal users, alone and next to a workspace whose users never pause. */
export async function measureFairness({ url, places, options }: Bench): Promise<Figure[]> {
  const [crowd, calm = crowd] = places
  const toPerson = (place: typeof crowd) => (token: string) => ({ url, place, token })
  const crowded = crowd.tokens.map(toPerson(crowd))
  const light = calm.tokens.slice(0, LIGHT_PEOPLE).map(toPerson(calm))
  console.log(`${light.length} calm people beside ${crowded.length} of another workspace who never pause …`)
  const until = () => {
    const end = performance.now() + options.seconds * 1000
    return () => performance.now() > end
  }
  await Promise.all([...crowded, ...light].map((person) => followQuery(person, QUERY, { timeout_seconds: 60 })))
  const [alone, beside, ratios, perSecond]: [number[], number[], number[], number[]] = [[], [], [], []]
  const [aloneP50, besideP50]: [number[], number[]] = [[], []]
  for (let round = 0; round < options.rounds * TIMES_ROUNDS; round += 1) {
    const quiet = await runUntil(light, until(), READING_MS)
    const [busy, ended] = await besideCrowd(url, crowd, () => runUntil(light, until(), READING_MS))
    perSecond.push(ended / (options.seconds + WARM_UP_MS / 1000))
    aloneP50.push(percentile(quiet, 0.5))
    besideP50.push(percentile(busy, 0.5))
    alone.push(percentile(quiet, 0.99))
    beside.push(percentile(busy, 0.99))
    ratios.push(percentile(busy, 0.99) / percentile(quiet, 0.99))
  }
  return [
    { what: 'calm people alone, p50', value: median(aloneP50), unit: 'ms' },
    { what: `calm people beside a crowd of ${crowded.length}, p50`, value: median(besideP50), unit: 'ms' },
    { what: 'calm people alone, p99', value: median(alone), unit: 'ms' },
    { what: `calm people beside a crowd of ${crowded.length}, p99`, value: median(beside), unit: 'ms' },
    { what: 'queries of the crowd, in a second', value: median(perSecond), unit: '' },
    { what: 'ratio of the two', value: median(ratios), unit: '×', limit: { value: MAX_RATIO, isAtMost: true } },
  ]
}
