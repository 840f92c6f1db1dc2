import { type Figure, median } from '../report.ts'
import { type Person, followQuery } from './client.ts'
import type { Bench } from './bench.ts'

const LIGHT = 'select count(*) from generate_series(1, 2000)'
const HEAVY = 'select count(*) from generate_series(1, 3000000)'
const MAX_RATIO = 3

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

async function runTogether(people: readonly Person[], sql: string, isOver: () => boolean): Promise<number[]> {
  const took: number[] = []
  await Promise.all(
    people.map(async (person) => {
      while (!isOver()) {
        const { doneMs, job } = await followQuery(person, sql, { timeout_seconds: 60 })
        if (job.status !== 'completed') throw new Error(JSON.stringify(job.problem ?? job.statements[0]?.problem))
        took.push(doneMs)
      }
    }),
  )
  return took
}

/** First light queries, then with one workspace running heavy ones. */
export async function measurePeople(bench: Bench): Promise<Figure[]> {
  const { url, places, options } = bench
  const [noisy, ...quiet] = places
  const listPeople = (chosen: readonly (typeof noisy)[]) =>
    chosen.flatMap((place) => place.tokens.map((token): Person => ({ url, place, token })))
  const others = listPeople(quiet)
  console.log(`${others.length + noisy.tokens.length} people in ${places.length} workspaces at once …`)
  const until = () => {
    const end = performance.now() + options.seconds * 1000
    return () => performance.now() > end
  }
  // Warm up connections and caches.
  await Promise.all(listPeople(places).map((person) => followQuery(person, LIGHT, { timeout_seconds: 60 })))
  const ratios: number[] = []
  const [calm, beside]: [number[], number[]] = [[], []]
  const [medians, perSecond]: [number[], number[]] = [[], []]
  for (let round = 0; round < options.rounds; round += 1) {
    const first = until()
    const alone = await Promise.all([runTogether(others, LIGHT, first), runTogether(listPeople([noisy]), LIGHT, first)])
    const second = until()
    const [during] = await Promise.all([
      runTogether(others, LIGHT, second),
      runTogether(listPeople([noisy]), HEAVY, second),
    ])
    medians.push(percentile(alone[0], 0.5))
    perSecond.push(alone.flat().length / options.seconds)
    calm.push(percentile(alone[0], 0.99))
    beside.push(percentile(during, 0.99))
    ratios.push(percentile(during, 0.99) / percentile(alone[0], 0.99))
  }
  return [
    { what: 'all people with light queries, in a second', value: median(perSecond), unit: '' },
    { what: 'all people with light queries, p50', value: median(medians), unit: 'ms' },
    { what: 'all people with light queries, p99', value: median(calm), unit: 'ms' },
    { what: 'the same beside a workspace with heavy ones, p99', value: median(beside), unit: 'ms' },
    { what: 'ratio of the two', value: median(ratios), unit: '×', limit: { value: MAX_RATIO, isAtMost: true } },
  ]
}
