import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { applyBare } from './bare.ts'
import { type Bench, COLUMNS, makeRows, openBench } from '../loads-place.ts'
import { type Figure, median, report } from '../report.ts'

const readNumber = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

const NAMES = COLUMNS.split(', ').map((column) => column.split(' ')[0] ?? '')
const PER_COMMIT = 1_000

/** Both ways read the same changes from slots of their own, in turn; afterwards both tables must equal the source. */
export async function run(args: string[]): Promise<void> {
  const rows = readNumber(args, '--rows', 200_000)
  const changes = readNumber(args, '--changes', 200_000)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  await chmod(home, 0o711)
  const settings = { max_wal_size: '4GB' }
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), settings })
  const origin = await startPostgres({ dataDir: join(home, 'origin'), settings: { ...settings, wal_level: 'logical' } })
  const bench = await openBench(home, postgres.url)
  const source = new pg.Client({ connectionString: origin.url })
  await source.connect()
  try {
    const place = await openPlace(bench, { source, url: origin.url, rows })
    const figures = await measureThroughput(place, { changes, rounds: readNumber(args, '--rounds', 3) })
    figures.push(...(await measureLatency(place, readNumber(args, '--seconds', 20))))
    figures.push({ what: 'most memory of the worker', value: bench.memory(), unit: 'MB' })
    await report('cdc', figures)
  } finally {
    await source.end()
    await bench.close()
    await postgres.stop()
    await origin.stop()
    await rm(home, { recursive: true, force: true })
  }
}

interface Place {
  readonly bench: Bench
  readonly source: pg.Client
  readonly config: pg.ClientConfig
  readonly rows: number
}

const blockSettings = (table: string, isContinuous = false) => ({
  integration_trellis_code: 'bench-origin',
  most_minutes: 60,
  subtasks: [
    {
      name: 'rows',
      query: { query: { kind: 'changes', table: { schema: 'public', table: 'orders' }, is_continuous: isContinuous } },
      is_incremental: false,
      write: {
        schema_name: 'data',
        table_name: table,
        strategy: 'Replace',
        dataModel: null,
        schema_policy: 'evolve',
        bad_rows: { choice: 'quarantine', most: 100 },
      },
    },
  ],
})

async function openPlace(
  bench: Bench,
  { source, url, rows }: { source: pg.Client; url: string; rows: number },
): Promise<Place> {
  const { hostname: host, port, username: user, password } = new URL(url)
  const config = { host, port: Number(port), database: 'postgres', user, password: decodeURIComponent(password) }
  await bench.made.ctx.db
    .insertInto('integrations')
    .values({
      account_id: bench.made.accountId,
      workspace_id: bench.made.workspace.id,
      trellis_code: 'bench-origin',
      platform_code: 'postgresql',
      name: 'Origin',
      description: '',
      settings: JSON.stringify({ connection: { ...config, tls: 'disable' } }),
      state: 'ACTIVE',
    })
    .execute()
  await source.query(`create table orders as ${makeRows(rows)}`)
  await source.query('alter table orders add primary key (id)')
  await source.query('create publication bare for table orders')
  await source.query(`select pg_create_logical_replication_slot('bare', 'pgoutput')`)
  await bench.load(blockSettings('followed'), rows, { block: 'followed' })
  await bench.admin.query(`create table data.bare as select * from data.followed`)
  await bench.admin.query('alter table data.bare add primary key (id)')
  return { bench, source, config, rows }
}

/** Half updates, a quarter inserts, a quarter deletes; no row twice in a round. */
async function makeChanges({ source, rows }: Place, changes: number, round: number): Promise<void> {
  const quarter = PER_COMMIT / 4
  for (let at = 0; at < changes / PER_COMMIT; at += 1) {
    const fresh = rows + 1 + round * changes + at * quarter
    const old = ((at * PER_COMMIT * 7) % rows) + 1
    await source.query(`begin;
      update orders set amount = amount + 1, note = md5(note) where id >= ${old} and id < ${old + quarter * 2};
      insert into orders ${makeRows(quarter, fresh)};
      delete from orders where id in (select id from orders where id > ${old + quarter * 2} order by id limit ${quarter}); commit`)
  }
}

async function assertSame({ bench, source }: Place, table: string): Promise<void> {
  const sum = (name: string) =>
    `select count(*), sum(hashtextextended(t::text, 0)) from (select ${NAMES.join(', ')} from ${name}) t`
  const [there, here] = await Promise.all([source.query(sum('orders')), bench.admin.query(sum(table))])
  if (JSON.stringify(there.rows) !== JSON.stringify(here.rows)) throw new Error(`${table} is not as the source has it.`)
}

async function measureThroughput(
  place: Place,
  { changes, rounds }: { changes: number; rounds: number },
): Promise<Figure[]> {
  const { bench } = place
  const seconds = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    await makeChanges(place, changes, round)
    await bench.admin.query('checkpoint')
    const started = performance.now()
    const to = { slot: 'bare', publication: 'bare', to: 'data.bare', columns: NAMES }
    await applyBare({ source: place.config, workspace: bench.admin, ...to })
    seconds.bare.push((performance.now() - started) / 1000)
    seconds.ours.push(await bench.load(blockSettings('followed'), null, { block: 'followed' }))
    await assertSame(place, 'data.bare')
    await assertSame(place, 'data.followed')
  }
  const ratios = seconds.ours.map((ours, at) => (seconds.bare[at] ?? 0) / ours)
  return [
    { what: 'changes by hand: pgoutput, COPY, MERGE', value: changes / median(seconds.bare), unit: 'changes/s' },
    { what: 'changes by a run', value: changes / median(seconds.ours), unit: 'changes/s' },
    { what: 'ratio', value: median(ratios), unit: '×', limit: { value: 0.5, isAtMost: false } },
  ]
}

const COMMITS_A_SECOND = 20
const A_SECOND = 1_000

async function measureLatency(place: Place, seconds: number): Promise<Figure[]> {
  const { bench, source } = place
  const staying = bench.load(blockSettings('followed', true), null, {
    block: 'followed',
    stopAfterMs: (seconds + 15) * 1000,
  })
  const open = new Map<number, number>()
  const took: number[] = []
  const over = new AbortController()
  let next = 1_000_000_000
  const watching = (async () => {
    while (!over.signal.aborted || open.size > 0) {
      const { rows } = await bench.admin.query<{ top: string | null }>('select max(id) as top from data.followed')
      const [top, now] = [Number(rows[0]?.top), performance.now()]
      for (const [id, committedAt] of open) {
        if (id > top) continue
        took.push(now - committedAt)
        open.delete(id)
      }
      await sleep(10)
    }
  })()
  await sleep(5_000)
  const began = performance.now()
  for (let at = 0; at < seconds * COMMITS_A_SECOND; at += 1) {
    const count = A_SECOND / COMMITS_A_SECOND
    await source.query(`begin; insert into orders ${makeRows(count / 2, next)};
      update orders set amount = amount + 1 where id in (select id from orders where id < 1000000000 order by id limit ${count / 2}); commit`)
    next += count / 2
    open.set(next - 1, performance.now())
    await sleep(Math.max(0, began + ((at + 1) * 1000) / COMMITS_A_SECOND - performance.now()))
  }
  const rate = (seconds * A_SECOND) / ((performance.now() - began) / 1000)
  over.abort()
  await watching
  await staying
  await assertSame(place, 'data.followed')
  const sorted = took.toSorted((item, other) => item - other)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return [
    { what: 'changes at the source while latency is measured', value: rate, unit: 'changes/s' },
    {
      what: 'commit at the source to table here, p50',
      value: at(0.5),
      unit: 'ms',
      limit: { value: 1000, isAtMost: true },
    },
    { what: 'commit at the source to table here, p95', value: at(0.95), unit: 'ms' },
  ]
}
