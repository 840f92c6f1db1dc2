import { pipeline } from 'node:stream/promises'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import { type Figure, median } from '../report.ts'
import { type Person, exportResult, finishQuery, followQuery, startQuery } from './client.ts'
import type { Bench } from './bench.ts'

const CALLS = 60
const PAUSE_MS = 100
const MEMORY_MB = 256
const BIG = `select n as id, md5(n::text) as word, n * 1.5 as amount, timestamptz '2026-01-01' + n * interval '1 s' as at,
  n % 7 = 0 as flag from generate_series(1, `

const getPerson = ({ url, places: [place] }: Bench): Person => ({ url, place, token: place.tokens[0] ?? '' })

async function withBare<T>(
  bench: Bench,
  work: (client: pg.Client) => Promise<T>,
  as: 'workspace' | 'administrator' = 'workspace',
): Promise<T> {
  const client = new pg.Client({ connectionString: bench.bareUrl(bench.places[0], as) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function takeTurns(bench: Bench, client: pg.Client, pauseMs: number) {
  const person = getPerson(bench)
  const [bare, rows, done]: [number[], number[], number[]] = [[], [], []]
  for (let call = 0; call < CALLS; call += 1) {
    await sleep(pauseMs)
    bare.push(await time(() => client.query('select 1')))
    const ours = await followQuery(person, 'select 1')
    rows.push(ours.rowsMs)
    done.push(ours.doneMs)
  }
  return { bare: median(bare), rows: median(rows), done: median(done) }
}

export async function measureOverhead(bench: Bench): Promise<Figure[]> {
  console.log(`select 1, ${CALLS} times through the product and on a bare driver, taking turns …`)
  return await withBare(bench, async (client) => {
    for (let call = 0; call < 5; call += 1) await followQuery(getPerson(bench), 'select 1')
    const paused = await takeTurns(bench, client, PAUSE_MS)
    const hurried = await takeTurns(bench, client, 0)
    return [
      { what: 'select 1 on a bare driver, p50', value: paused.bare, unit: 'ms' },
      { what: 'select 1: until the row is seen, p50', value: paused.rows, unit: 'ms', peer: 'bare driver' },
      {
        what: 'select 1: added until the row is seen, p50',
        value: paused.rows - paused.bare,
        unit: 'ms',
        limit: { value: 15, isAtMost: true },
      },
      { what: 'select 1: until the query is settled, p50', value: paused.done, unit: 'ms', peer: 'bare driver' },
      { what: 'without a pause: added until the row is seen, p50', value: hurried.rows - hurried.bare, unit: 'ms' },
    ]
  })
}

async function makeBigTable(bench: Bench): Promise<void> {
  const fill = async (client: pg.Client) => {
    await client.query(`create table if not exists data.big as ${BIG}${bench.options.rows}) n`)
    await client.query('grant select on data.big to public')
    await client.query('analyze data.big')
  }
  await withBare(bench, fill, 'administrator')
}

async function readBare(bench: Bench): Promise<number> {
  return await withBare(bench, (client) =>
    time(async () => {
      const types = { getTypeParser: () => (value: string) => value }
      const query = new pg.Query({ text: 'select * from data.big', rowMode: 'array', types } as pg.QueryConfig)
      let rows = 0
      query.on('row', () => (rows += 1))
      client.query(query)
      await new Promise((resolve, reject) => query.on('end', resolve).on('error', reject))
    }),
  )
}

const runBig = async (bench: Bench, person: Person) =>
  await finishQuery(
    person,
    await startQuery(person, 'select * from big', { row_limit: bench.options.rows, timeout_seconds: 900 }),
  )

export async function measureStream(bench: Bench): Promise<Figure[]> {
  const { rows, rounds } = bench.options
  console.log(`${rows.toLocaleString('en')} rows into the result store and from a bare driver, ${rounds} rounds …`)
  await makeBigTable(bench)
  const person = getPerson(bench)
  const ratios: number[] = []
  const took: number[] = []
  let added = 0
  for (let round = 0; round < rounds; round += 1) {
    const bareMs = await readBare(bench)
    const { value, peakMb, baseMb } = await bench.peakDuring(() =>
      time(async () => {
        const job = await runBig(bench, person)
        if (job.statements[0]?.rows !== rows) throw new Error(JSON.stringify(job.statements[0]))
      }),
    )
    took.push(value)
    ratios.push(bareMs / value)
    added = Math.max(added, peakMb - baseMb)
  }
  return [
    { what: `${rows} rows into the result store`, value: median(took), unit: 'ms' },
    { what: 'share of the bare driver', value: median(ratios), unit: '×', limit: { value: 0.7, isAtMost: false } },
    toMemory('result store: memory the API took more', added),
  ]
}

async function copyBare(bench: Bench): Promise<number> {
  return await withBare(bench, (client) =>
    time(() =>
      pipeline(
        client.query(copyTo('copy data.big to stdout (format csv, header)')),
        new Writable({ write: (_chunk, _encoding, done) => done() }),
      ),
    ),
  )
}

export async function measureExport(bench: Bench): Promise<Figure[]> {
  const { rows, rounds } = bench.options
  console.log(`Export of ${rows.toLocaleString('en')} rows as CSV against COPY, ${rounds} rounds …`)
  await makeBigTable(bench)
  const person = getPerson(bench)
  const kept = await runBig(bench, person)
  const cut = await finishQuery(person, await startQuery(person, 'select * from big', { row_limit: 1000 }))
  const ratios = { kept: [] as number[], again: [] as number[] }
  const added = { kept: 0, again: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const copyMs = await copyBare(bench)
    for (const [kind, job] of [
      ['kept', kept],
      ['again', cut],
    ] as const) {
      const { value, peakMb, baseMb } = await bench.peakDuring(() =>
        time(() => exportResult(person, job, 'file_type=csv')),
      )
      ratios[kind].push(copyMs / value)
      added[kind] = Math.max(added[kind], peakMb - baseMb)
    }
  }
  const limit = { value: 0.8, isAtMost: false }
  return [
    { what: 'CSV of a kept result, share of COPY', value: median(ratios.kept), unit: '×', limit },
    { what: 'CSV of a result that was cut, share of COPY', value: median(ratios.again), unit: '×', limit },
    toMemory('CSV of a kept result: memory the API took more', added.kept),
    toMemory('CSV of a result that was cut: memory the API took more', added.again),
    ...(await measureOtherFormats(bench, kept)),
  ]
}

async function measureOtherFormats(bench: Bench, kept: SqlJob): Promise<Figure[]> {
  const person = getPerson(bench)
  const figures: Figure[] = []
  for (const format of ['jsonl', 'parquet', 'xlsx']) {
    const { value, peakMb, baseMb } = await bench.peakDuring(() =>
      time(() => exportResult(person, kept, `file_type=${format}`)),
    )
    figures.push({ what: `${format} of a kept result`, value, unit: 'ms' })
    figures.push(toMemory(`${format}: memory the API took more`, peakMb - baseMb))
  }
  return figures
}

const toMemory = (what: string, value: number): Figure => ({
  what,
  value,
  unit: 'MB',
  limit: { value: MEMORY_MB, isAtMost: true },
})
