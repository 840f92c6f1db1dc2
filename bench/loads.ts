import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type Bench, COLUMNS, makeRows, openBench } from './loads-place.ts'
import { type Figure, median, report } from './report.ts'

const readNumberFlag = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

/**
 * A worker process loads with cursor, receipt, epoch, undo and checks; in turn with the same rows by hand: piped COPY,
 * COPY of a CSV file, staging and MERGE. Ratios are per round.
 */
export async function run(args: string[]): Promise<void> {
  const rows = readNumberFlag(args, '--rows', 1_000_000)
  const rounds = readNumberFlag(args, '--rounds', 3)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), settings: { max_wal_size: '4GB' } })
  const bench = await openBench(home, postgres.url)
  try {
    const figures: Figure[] = []
    const isWanted = (part: string) =>
      !args.includes('--only') || args[args.indexOf('--only') + 1]?.split(',').includes(part)
    const upsert = { rows: readNumberFlag(args, '--upsert', rows), into: readNumberFlag(args, '--into', rows * 10) }
    if (isWanted('postgres') || isWanted('csv')) await bench.make('data.orders', makeRows(rows))
    if (isWanted('postgres')) figures.push(...(await measureCopy(bench, { rows, rounds })))
    if (isWanted('csv')) figures.push(...(await measureCsv(bench, { rows, rounds })))
    if (isWanted('upsert')) figures.push(...(await measureUpsert(bench, { ...upsert, rounds: Math.min(2, rounds) })))
    if (isWanted('growth')) figures.push(...(await measureGrowth(bench, readNumberFlag(args, '--most', rows * 10))))
    figures.push({
      what: 'most memory of the worker',
      value: bench.memory(),
      unit: 'MB',
      limit: { value: 256, isAtMost: true },
    })
    await report('loads', figures)
  } finally {
    await bench.close()
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

interface Block {
  integration?: string
  query: object
  table: string
  strategy: 'Append' | 'Replace' | 'Upsert'
  dataModel?: object
}
const buildSettings = ({ integration = 'bench-w-db', query, table, strategy, dataModel }: Block) => ({
  integration_trellis_code: integration,
  subtasks: [
    {
      name: 'rows',
      query,
      is_incremental: false,
      write: {
        schema_name: 'data',
        table_name: table,
        strategy,
        dataModel: dataModel ?? null,
        schema_policy: 'evolve',
        bad_rows: { choice: 'quarantine', most: 100 },
      },
    },
  ],
})
const buildModel = (primaryKeys: string[]) => ({
  fields: {
    id: 'integer',
    customer: 'text',
    amount: 'decimal',
    ordered_at: 'timestamptz',
    is_paid: 'boolean',
    note: 'text',
  },
  column_mapping: {},
  primary_keys: primaryKeys,
  indexes: {},
})
const tableQuery = (table: string) => ({ query: { kind: 'table', table: { schema: 'data', table } } })

async function timed(bench: Bench, work: () => Promise<unknown>): Promise<number> {
  await bench.admin.query('checkpoint')
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The usual hand-written way. */
async function copyPipe(bench: Bench, from: string, to: string): Promise<void> {
  const source = new pg.Client({ connectionString: bench.url })
  await source.connect()
  await pipeline(source.query(copyTo(`copy ${from} to stdout`)), bench.admin.query(copyFrom(`copy ${to} from stdin`)))
  await source.end()
}

interface Size {
  rows: number
  rounds: number
}

async function measureCopy(bench: Bench, { rows, rounds }: Size): Promise<Figure[]> {
  const { admin } = bench
  const seconds = {
    copy: [] as number[],
    append: [] as number[],
    keyed: [] as number[],
    replace: [] as number[],
    intoKey: [] as number[],
    keyedAppend: [] as number[],
  }
  const bare = async (more: string, key = '') => {
    await admin.query('drop table if exists data.bare')
    return await timed(bench, async () => {
      await admin.query(`create table data.bare (${COLUMNS}${key})`)
      await copyPipe(bench, 'data.orders', 'data.bare')
      if (more !== '') await admin.query(more)
    })
  }
  for (let round = 0; round < rounds; round += 1) {
    seconds.copy.push(await bare(''))
    seconds.keyed.push(await bare('alter table data.bare add primary key (id)'))
    seconds.intoKey.push(await bare('', ', primary key (id)'))
    await admin.query('drop table if exists data.ours, data.whole, data.keyed')
    seconds.append.push(
      await bench.load(buildSettings({ query: tableQuery('orders'), table: 'ours', strategy: 'Append' }), rows),
    )
    seconds.replace.push(
      await bench.load(buildSettings({ query: tableQuery('orders'), table: 'whole', strategy: 'Replace' }), rows),
    )
    const dataModel = buildModel(['id'])
    seconds.keyedAppend.push(
      await bench.load(
        buildSettings({ query: tableQuery('orders'), table: 'keyed', strategy: 'Append', dataModel }),
        rows,
      ),
    )
    await assertSame(bench, ['data.orders', 'data.ours', 'data.whole', 'data.keyed'])
  }
  const [copy, keyed] = [median(seconds.copy), median(seconds.keyed)]
  return [
    { what: `PostgreSQL, ${rows} rows: COPY piped by hand`, value: rows / copy, unit: 'rows/s' },
    { what: 'PostgreSQL: Append', value: rows / median(seconds.append), unit: 'rows/s' },
    {
      what: 'PostgreSQL: Append, share of COPY',
      value: copy / median(seconds.append),
      unit: '×',
      limit: { value: 0.8, isAtMost: false },
    },
    {
      what: 'PostgreSQL: Append with keys compared, share of COPY into a key',
      value: median(seconds.intoKey) / median(seconds.keyedAppend),
      unit: '×',
      limit: { value: 0.9, isAtMost: false },
    },
    { what: 'PostgreSQL: Replace with key and swap', value: rows / median(seconds.replace), unit: 'rows/s' },
    {
      what: 'PostgreSQL: Replace, share of COPY and key by hand',
      value: keyed / median(seconds.replace),
      unit: '×',
      limit: { value: 0.7, isAtMost: false },
    },
  ]
}

async function assertSame({ admin }: Bench, tables: string[]): Promise<void> {
  const sums = await Promise.all(
    tables.map(async (table) =>
      JSON.stringify(
        (
          await admin.query(
            `select count(*), sum(id), sum(amount), max(ordered_at)::text, sum(length(note)) from ${table}`,
          )
        ).rows,
      ),
    ),
  )
  if (new Set(sums).size > 1) throw new Error(`the tables differ: ${sums.join(' and ')}`)
}

async function measureCsv(bench: Bench, { rows, rounds }: Size): Promise<Figure[]> {
  const { admin, made } = bench
  const parts: Buffer[] = []
  for await (const part of admin.query(copyTo('copy data.orders to stdout with (format csv, header)')))
    parts.push(part as Buffer)
  const csv = Buffer.concat(parts)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': csv.length })
    Readable.from(pieces(csv)).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders.csv`
  await made.ctx.db
    .insertInto('integrations')
    .values({
      account_id: made.accountId,
      workspace_id: made.workspace.id,
      trellis_code: 'bench-files',
      platform_code: 'http_files',
      name: 'Files',
      description: '',
      settings: JSON.stringify({ access: { address: new URL(address).origin, kind: 'none' } }),
      state: 'ACTIVE',
    })
    .execute()
  const source = { integration: 'bench-files', query: { query: { files: 'orders.csv', format: 'csv' } } }
  const givenSetting = buildSettings({ ...source, table: 'csv_given', strategy: 'Append', dataModel: buildModel([]) })
  const setting = buildSettings({ ...source, table: 'csv_found', strategy: 'Append' })
  const seconds = { copy: [] as number[], given: [] as number[], found: [] as number[] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      await admin.query('drop table if exists data.bare, data.csv_given, data.csv_found')
      await admin.query(`create table data.bare (${COLUMNS})`)
      seconds.copy.push(
        await timed(bench, async () => {
          const answer = await fetch(address)
          const into = admin.query(copyFrom('copy data.bare from stdin with (format csv, header)'))
          await pipeline(Readable.fromWeb(answer.body as never), into)
        }),
      )
      seconds.given.push(await bench.load(givenSetting, rows))
      seconds.found.push(await bench.load(setting, rows))
      await assertSame(bench, ['data.orders', 'data.csv_given', 'data.csv_found'])
    }
  } finally {
    server.close()
  }
  const [copy, append, looking] = [median(seconds.copy), median(seconds.given), median(seconds.found)]
  const mb = csv.length / 1024 / 1024
  return [
    { what: `CSV over HTTP, ${Math.round(mb)} MB: bare COPY of the same bytes`, value: mb / copy, unit: 'MB/s' },
    { what: 'CSV: Append', value: mb / append, unit: 'MB/s' },
    { what: 'CSV: Append, share of COPY', value: copy / append, unit: '×', limit: { value: 0.8, isAtMost: false } },
    {
      what: 'CSV: Append that finds out what the columns are, share of COPY',
      value: copy / looking,
      unit: '×',
      limit: { value: 0.5, isAtMost: false },
    },
  ]
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 256 * 1024) yield bytes.subarray(at, at + 256 * 1024)
}

async function measureUpsert(bench: Bench, { rows, into, rounds }: Size & { into: number }): Promise<Figure[]> {
  const { admin } = bench
  const from = into - Math.floor(rows / 2) + 1
  const changed = `select id, customer, amount + 1 as amount, ordered_at, is_paid, 'changed'::text as note from (${makeRows(rows, from)}) r`
  await bench.make('data.changes', changed)
  const seconds = { hand: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    await bench.make('data.by_hand', makeRows(into))
    seconds.hand.push(await timed(bench, () => mergeByHand(bench)))
    await bench.make('data.upserted', makeRows(into))
    const dataModel = buildModel(['id'])
    seconds.ours.push(
      await bench.load(
        buildSettings({ query: tableQuery('changes'), table: 'upserted', strategy: 'Upsert', dataModel }),
        rows,
      ),
    )
    await assertSame(bench, ['data.by_hand', 'data.upserted'])
  }
  await admin.query('drop table data.by_hand, data.upserted, data.changes')
  const [hand, ours] = [median(seconds.hand), median(seconds.ours)]
  return [
    { what: `Upsert of ${rows} rows into ${into}: staging and MERGE by hand`, value: hand, unit: 's' },
    { what: 'Upsert: ours', value: ours, unit: 's' },
    {
      what: 'Upsert: times what it takes by hand',
      value: ours / hand,
      unit: '×',
      limit: { value: 1.3, isAtMost: true },
    },
  ]
}

async function mergeByHand(bench: Bench): Promise<void> {
  const { admin } = bench
  await admin.query(`create unlogged table data.staged (${COLUMNS})`)
  await copyPipe(bench, 'data.changes', 'data.staged')
  await admin.query('analyze data.staged')
  const columns = COLUMNS.split(', ').map((column) => column.split(' ')[0] ?? '')
  const others = columns.slice(1)
  await admin.query(`merge into data.by_hand t
    using (select distinct on (id) * from data.staged order by id) s on t.id = s.id
    when matched then update set ${others.map((name) => `${name} = s.${name}`).join(', ')}
    when not matched then insert (${columns.join(', ')}) values (${columns.map((name) => `s.${name}`).join(', ')})`)
  await admin.query('drop table data.staged')
}

async function measureGrowth(bench: Bench, most: number): Promise<Figure[]> {
  const { admin } = bench
  const sizes = [100_000, 1_000_000, 10_000_000].filter((size) => size <= most)
  const perRow: number[] = []
  for (const size of sizes) {
    await admin.query('drop table if exists data.ours')
    await bench.make('data.orders', makeRows(size))
    const seconds = await bench.load(
      buildSettings({ query: tableQuery('orders'), table: 'ours', strategy: 'Append' }),
      size,
    )
    perRow.push((seconds * 1e6) / size)
  }
  const [least = 0, ...more] = perRow
  return [
    ...sizes.map((size, at) => ({ what: `Append of ${size} rows: a row takes`, value: perRow[at] ?? 0, unit: 'µs' })),
    {
      what: 'Append: cost of a row from the fewest to the most',
      value: (more.at(-1) ?? least) / least,
      unit: '×',
      limit: { value: 1.2, isAtMost: true },
    },
  ]
}
