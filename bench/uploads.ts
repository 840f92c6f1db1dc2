import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openFileSource, putPart } from '../apps/server/src/modules/uploads/file-parts.ts'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import { type Figure, median, report } from './report.ts'
import { SAMPLE_COLUMNS, sampleParts } from './upload-sample.ts'
import { makeWorkspace } from './workspace.ts'

const readNumberFlag = (args: string[], name: string, otherwise: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) || otherwise : otherwise

/** Delivers a CSV file into a new table; in the same rounds the same parts go straight into a table by one COPY. */
export async function run(args: string[]): Promise<void> {
  const sizes = [...new Set([100, readNumberFlag(args, '--mb', 1000)])]
  const rounds = readNumberFlag(args, '--rounds', 3)
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres') })
  try {
    const { appUrl } = await prepareControlDb({ adminUrl: postgres.url })
    const env = {
      TRELLIS_HOME: home,
      TRELLIS_DATABASE_URL: appUrl,
      TRELLIS_CLUSTER_URL: postgres.url,
      TRELLIS_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    }
    const bench = await openBench(env)
    const figures: Figure[] = []
    for (const mb of sizes)
      figures.push(...(await measureSize(bench, { mb, rounds: mb > 1000 ? 1 : rounds, env, adminUrl: postgres.url })))
    await report('uploads', figures)
    await bench.close()
  } finally {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
}

async function openBench(env: Record<string, string>) {
  const made = await makeWorkspace(env, 'bench')
  const { db } = made.ctx
  const person = await db
    .insertInto('profiles')
    .values({ trellis_user_code: 'bench', email: 'bench@localhost', first_name: 'Bench', surname: 'Bench' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('account_members')
    .values({ account_id: made.accountId, profile_id: person.id, role: 'owner' })
    .execute()
  return { ...made, profileId: person.id }
}

type Bench = Awaited<ReturnType<typeof openBench>>
interface Size {
  mb: number
  rounds: number
  env: Record<string, string>
  adminUrl: string
}

async function measureSize(bench: Bench, { mb, rounds, env, adminUrl }: Size): Promise<Figure[]> {
  const file = await makeFile(bench, mb)
  const child = fork(join(import.meta.dirname, 'uploads-worker.ts'), {
    env: { ...process.env, ...env },
    execArgv: [...MEMORY_FLAGS.worker],
  })
  await new Promise((resolve) => child.once('message', resolve))
  const admin = new pg.Client({ connectionString: inDatabase(adminUrl, bench.database.database) })
  await admin.connect()
  const psql = findPsql()
  const seconds = { inspected: [] as number[], given: [] as number[], copy: [] as number[], psql: [] as number[] }
  let memory = 0
  const deliverInspected = async (isStaged: boolean) => {
    await admin.query('drop table if exists data.ours')
    await admin.query('checkpoint')
    const read = await runJob(bench, { child, fileId: file.id, kind: 'pre_process' })
    await bench.ctx.db
      .updateTable('upload_files')
      .set({ state: 'profiled', table_name: 'ours', ...(!isStaged && { staged_from: null }) })
      .where('id', '=', file.id)
      .execute()
    const delivered = await runJob(bench, { child, fileId: file.id, kind: 'deliver' })
    memory = Math.max(memory, read.mb, delivered.mb)
    await assertSame(admin)
    return { read: read.seconds, delivered: delivered.seconds }
  }
  try {
    for (let round = 0; round < rounds; round += 1) {
      seconds.copy.push(await timed(admin, () => copyStraight(bench, admin, file)))
      if (psql) seconds.psql.push(await timed(admin, () => copyByPsql(bench, { adminUrl, file })))
      const { read, delivered } = await deliverInspected(true)
      seconds.inspected.push(read + delivered)
      seconds.given.push((await deliverInspected(false)).delivered)
    }
    const ours = median(seconds.given)
    const copy = median(seconds.copy)
    const size = file.size_bytes / 1024 / 1024
    return [
      { what: `${mb} MB: one COPY FROM STDIN, nothing checked`, value: size / copy, unit: 'MB/s' },
      ...(psql ? [{ what: `${mb} MB: psql \\copy`, value: size / median(seconds.psql), unit: 'MB/s' }] : []),
      { what: `${mb} MB: delivery (check, stage, take place)`, value: size / ours, unit: 'MB/s' },
      { what: `${mb} MB: share of COPY`, value: copy / ours, unit: '×', limit: { value: 0.8, isAtMost: false } },
      ...(psql
        ? [
            {
              what: `${mb} MB: share of psql`,
              value: median(seconds.psql) / ours,
              unit: '×',
              limit: { value: 0.8, isAtMost: false },
            },
          ]
        : []),
      { what: `${mb} MB: inspection and delivery`, value: size / median(seconds.inspected), unit: 'MB/s' },
      {
        what: `${mb} MB: inspection and delivery, share of ${psql ? 'psql' : 'COPY'}`,
        value: median(psql ? seconds.psql : seconds.copy) / median(seconds.inspected),
        unit: '×',
        limit: { value: 0.9, isAtMost: false },
      },
      { what: `${mb} MB: most memory of the worker`, value: memory, unit: 'MB', limit: { value: 256, isAtMost: true } },
    ]
  } finally {
    child.disconnect()
    await admin.end()
  }
}

const inDatabase = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href

async function makeFile(bench: Bench, mb: number) {
  console.log(`Writing ${mb} MB …`)
  const id = randomUUID()
  const parts: Record<string, number> = {}
  let size = 0
  for (const body of sampleParts(mb)) {
    const part = Object.keys(parts).length + 1
    parts[part] = await putPart(bench.ctx.ports.objects, { id, workspace_id: bench.workspace.id }, { part, body })
    size += body.length
  }
  return await bench.ctx.db
    .insertInto('upload_files')
    .values({
      id,
      account_id: bench.accountId,
      workspace_id: bench.workspace.id,
      integration_code: 'bench-w-db',
      schema_name: 'data',
      original_filename: 'bench.csv',
      size_bytes: size,
      parts: JSON.stringify(parts),
      state: 'uploaded',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type MadeFile = Awaited<ReturnType<typeof makeFile>>

async function runJob(
  bench: Bench,
  { child, fileId, kind }: { child: ChildProcess; fileId: string; kind: 'pre_process' | 'deliver' },
): Promise<{ seconds: number; mb: number }> {
  const job = await bench.ctx.db
    .insertInto('upload_jobs')
    .values({
      account_id: bench.accountId,
      workspace_id: bench.workspace.id,
      profile_id: bench.profileId,
      kind,
      file_id: fileId,
      integration_code: 'bench-w-db',
      schema_name: 'data',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const told = await new Promise<{ seconds: number; mb: number; error?: string }>((resolve) => {
    child.once('message', (message) => resolve(message as { seconds: number; mb: number }))
    child.send(job.id)
  })
  const done = await bench.ctx.db
    .selectFrom('upload_jobs')
    .selectAll()
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  if (done.status !== 'completed') throw new Error(`${kind}: ${done.error ?? told.error ?? done.status}`)
  return told
}

async function timed(admin: pg.Client, work: () => Promise<void>): Promise<number> {
  await admin.query('drop table if exists data.straight')
  await admin.query(`create table data.straight (${SAMPLE_COLUMNS})`)
  await admin.query('checkpoint')
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const COPY = `data.straight from stdin with (format csv, header)`

async function copyStraight(bench: Bench, admin: pg.Client, file: MadeFile): Promise<void> {
  await pipeline(
    Readable.from(openFileSource(bench.ctx.ports.objects, file).stream()),
    admin.query(copyFrom(`copy ${COPY}`)),
  )
}

function findPsql(): boolean {
  try {
    execFileSync('psql', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function copyByPsql(bench: Bench, { adminUrl, file }: { adminUrl: string; file: MadeFile }): Promise<void> {
  const url = inDatabase(adminUrl, bench.database.database)
  const child = spawn('psql', ['-q', url, '-c', `\\copy ${COPY}`], { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = new Promise<void>((resolve, reject) =>
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('psql failed')))),
  )
  await pipeline(Readable.from(openFileSource(bench.ctx.ports.objects, file).stream()), child.stdin)
  await ended
}

async function assertSame(admin: pg.Client): Promise<void> {
  const sums = async (table: string) =>
    (
      await admin.query(
        `select count(*), sum(id), sum(amount), sum(length(note)), max(ordered_at)::text from data.${table}`,
      )
    ).rows[0] as object
  const [one, two] = [JSON.stringify(await sums('ours')), JSON.stringify(await sums('straight'))]
  if (one !== two) throw new Error(`the tables differ: ${one} and ${two}`)
}
