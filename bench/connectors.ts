import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import { startMariadb } from '../packages/connectors/src/shared/testing/mariadb-server.ts'
import { findMariadb, mariadbAdvice } from '../tools/test/mariadb.ts'
import { type Figure, median, report } from './report.ts'

const readNumberFlag = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

export interface ReadInput {
  platform: 'postgresql' | 'mysql'
  way: 'connector' | 'bare'
  values: Record<string, Record<string, unknown>>
  rounds: number
}
export interface ReadTold {
  seconds: number
  rows: number
  mb: number
}

/**
 * Reads a table, via the connector with checkpoints, and in turn with the driver alone (COPY, or a streamed SELECT).
 * Each in its own process.
 */
export async function run(args: string[]): Promise<void> {
  const rows = readNumberFlag(args, '--rows', 1_000_000)
  const rounds = readNumberFlag(args, '--rounds', 5)
  const figures = await measurePostgres(rows, rounds)
  if (findMariadb()) figures.push(...(await measureMariadb(rows, rounds)))
  else console.log(`SKIPPED: ${mariadbAdvice}`)
  await report('connectors', figures)
}

async function measurePostgres(rows: number, rounds: number): Promise<Figure[]> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const server = await startPostgres({ dataDir: home, settings: { fsync: 'off', max_wal_size: '2GB' } })
  try {
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    await admin.query(
      `create table big (id bigint primary key, customer text, amount numeric(12, 2), ordered_at timestamptz, is_paid boolean, note text)`,
    )
    await admin.query(
      `insert into big select i, 'customer ' || i % 5000, i * 1.25, timestamptz '2026-01-01' + i * interval '1 second', i % 3 = 0, md5(i::text) from generate_series(1, $1::int) i`,
      [rows],
    )
    await admin.query('vacuum analyze big')
    await admin.end()
    const { username: user, password } = new URL(server.url)
    const connection = { host: '127.0.0.1', port: server.port, database: 'postgres', user, password, tls: 'disable' }
    return await compare('PostgreSQL', { platform: 'postgresql', values: { connection }, rows, rounds, share: 0.9 })
  } finally {
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function measureMariadb(rows: number, rounds: number): Promise<Figure[]> {
  const server = await startMariadb(['--innodb-buffer-pool-size=512M'])
  try {
    await server.run(
      'create table big (id bigint primary key, customer varchar(100), amount decimal(12, 2), ordered_at timestamp, is_paid boolean, note text)',
      `insert into big select seq, concat('customer ', seq % 5000), seq * 1.25, '2026-01-01' + interval seq second, seq % 3 = 0, md5(seq) from seq_1_to_${rows}`,
      'analyze table big',
    )
    const values = server.values() as ReadInput['values']
    return await compare('MariaDB', { platform: 'mysql', values, rows, rounds, share: 0.8 })
  } finally {
    await server.stop()
  }
}

interface Comparison extends Pick<ReadInput, 'platform' | 'values' | 'rounds'> {
  rows: number
  share: number
}

async function compare(name: string, { rows, share, rounds, ...asked }: Comparison): Promise<Figure[]> {
  const told: Record<ReadInput['way'], ReadTold[]> = { bare: [], connector: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ['bare', 'connector'] as const) told[way].push(await readInChild({ ...asked, way, rounds: 2 }))
  }
  for (const { rows: read } of [...told.bare, ...told.connector]) {
    if (read !== rows) throw new Error(`${name}: ${read} rows were read, not ${rows}.`)
  }
  const seconds = (way: ReadInput['way']) => median(told[way].map((other) => other.seconds))
  const bare = name === 'PostgreSQL' ? 'bare COPY' : 'bare streaming driver'
  const memory = Math.max(...told.connector.map(({ mb }) => mb))
  return [
    { what: `${name}: ${bare}`, value: rows / seconds('bare'), unit: 'rows/s' },
    { what: `${name}: through the connector`, value: rows / seconds('connector'), unit: 'rows/s' },
    {
      what: `${name}: share of ${bare}`,
      value: seconds('bare') / seconds('connector'),
      unit: '×',
      limit: { value: share, isAtMost: false },
    },
    { what: `${name}: most memory of the reader`, value: memory, unit: 'MB', limit: { value: 256, isAtMost: true } },
  ]
}

async function readInChild(readInput: ReadInput): Promise<ReadTold> {
  const child = fork(join(import.meta.dirname, 'connectors-reader.ts'), { execArgv: [...MEMORY_FLAGS.worker] })
  return await new Promise((resolve, reject) => {
    child.once('message', (told) => resolve(told as ReadTold))
    child.once('exit', (code) => reject(new Error(`The reader ended with ${code}.`)))
    child.send(readInput)
  })
}
