import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { withSession } from '@trellis/workspace-db/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'
import { type OpenDatabase, openDatabaseOf } from '../explorer/database.service.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'
import { handleUploadJob } from './run-job.handler.ts'

const ROWS = 10_000
// Enough that the copying can be met.
const MANY = 120_000
const linesOf = (rows: number) => Array.from({ length: rows }, (_, at) => `${at + 10},part ${at % 100}`).join('\n')
const SCRIPT = fileURLToPath(new URL('../../testing/upload-worker.ts', import.meta.url))

let app: TestApp
let uploads: TestUploads
let database: OpenDatabase

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
  database = await openDatabaseOf(app.ctx, { workspaceId: uploads.workspaceId, integrationCode: uploads.code })
})
afterAll(async () => await app.close())
beforeEach(async () => await reset())

async function reset(file?: UploadFile): Promise<void> {
  if (file) await app.database.db.deleteFrom('upload_files').where('id', '=', file.file_id).execute()
  await uploads.sql('update trellis_loads.receipts set finished_at = $1', ['2020-01-01'])
  await handleClearUploads(app.ctx)
  await uploads.sql('drop table if exists data.goods cascade')
  await uploads.sql('delete from trellis_loads.receipts')
  await uploads.sql('create table data.goods (id int primary key, name text)')
  await uploads.sql(`insert into data.goods values (1, 'nail'), (2, 'screw')`)
}

async function send({
  mode = 'append',
  rows = ROWS,
}: { mode?: 'append' | 'replace'; rows?: number } = {}): Promise<UploadFile> {
  const file = await uploads.send('goods.csv', `id,name\n${linesOf(rows)}\n`)
  expect(await uploads.preProcess(file)).toMatchObject({ status: 'completed' })
  expect((await uploads.update(file, { table_name: 'goods', mode })).status).toBe(200)
  return file
}
async function start(call: typeof calls.deliverData | typeof calls.validateFile, file: UploadFile): Promise<UploadJob> {
  const { status, data, text } = await uploads.client.call(call, {
    params: uploads.params,
    body: { file_id: file.file_id },
  })
  expect(status, text).toBe(200)
  return data
}
const run = (attempt: number) => ({
  id: 'test',
  job: 'uploads.run',
  attempt,
  isLastAttempt: false,
  signal: new AbortController().signal,
})
const count = async (text: string) => Number((await uploads.sql(text)).rows[0]?.[0])
const goods = () => count('select count(*) from data.goods')
const receipts = () => count('select count(*) from trellis_loads.receipts')
const own = async () =>
  (
    await uploads.sql(
      `select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname ~ '^(stage|undo)_' and relkind = 'r'`,
    )
  ).rows.flat()

const left = async () => ({ goods: await goods(), receipts: await receipts(), own: await own() })
async function traces() {
  await handleClearUploads(app.ctx)
  return await left()
}
async function takenUp(job: UploadJob): Promise<UploadJob> {
  await handleUploadJob(app.ctx, { job_id: job.job_id }, run(2))
  return await uploads.wait(job)
}
async function cancel(job: UploadJob): Promise<boolean> {
  const params = { ...uploads.params, job_id: job.job_id }
  return (await uploads.client.call(calls.cancelUploadJob, { params })).status === 200
}

describe('a worker killed', () => {
  const isAt = (text: string) =>
    vi.waitFor(
      async () => {
        const { rows } = await database.cluster.admin.query<{ found: boolean }>(`select exists (${text}) as found`, [
          database.database,
        ])
        expect(rows[0]?.found).toBe(true)
      },
      { timeout: 30_000, interval: 5 },
    )

  async function killWhen(job: UploadJob, isThere: () => Promise<unknown>): Promise<void> {
    const child = spawn(process.execPath, [SCRIPT, job.job_id], {
      stdio: 'ignore',
      env: {
        ...process.env,
        TRELLIS_HOME: app.config.home,
        TRELLIS_DATABASE_URL: app.database.url,
        TRELLIS_CLUSTER_URL: app.database.adminUrl,
        TRELLIS_LOG_LEVEL: 'silent',
      },
    })
    const gone = once(child, 'exit')
    try {
      await isThere()
      expect(child.exitCode, 'the worker was still at work').toBeNull()
    } finally {
      child.kill('SIGKILL')
      await gone
    }
  }

  test('while rows are copied: the next one stages them all', async () => {
    const file = await send({ rows: MANY })
    const job = await start(calls.validateFile, file)
    await killWhen(job, () => isAt('select from pg_stat_progress_copy where datname = $1 and tuples_processed > 0'))
    expect(await uploads.file(file.file_id)).toMatchObject({ state: 'profiled' })
    expect(await takenUp(job)).toMatchObject({ status: 'completed' })
    expect((await uploads.file(file.file_id)).validation).toMatchObject({ rows: MANY, good_rows: MANY, bad_rows: 0 })
    expect((await traces()).own).toHaveLength(1)
    expect(await uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: MANY } })
    expect(await traces()).toEqual({ goods: MANY + 2, receipts: 1, own: [] })
  })

  test('inside the delivery: nothing is half there, the next one delivers once', async () => {
    const file = await send()
    const job = await start(calls.deliverData, file)
    await withSession(database.cluster, { ...database, role: 'rw' }, async (session) => {
      await session.query({ text: 'begin' })
      // Whoever adds the last row of the file has to wait for this one.
      await session.query({ text: `insert into data.goods values (${ROWS + 9}, 'held')` })
      await killWhen(job, () =>
        isAt(`select from pg_stat_activity where datname = $1 and wait_event = 'transactionid' and query ~ 'goods'`),
      )
      await session.query({ text: 'rollback' })
    })
    expect([await goods(), await receipts()]).toEqual([2, 0])
    expect(await takenUp(job)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await traces()).toEqual({ goods: ROWS + 2, receipts: 1, own: [] })
  })

  /** The file's row is held, so the worker can not write down what it delivered. */
  async function killBehindCommit(): Promise<{ file: UploadFile; job: UploadJob }> {
    const file = await send()
    await uploads.validate(file)
    const job = await start(calls.deliverData, file)
    await app.database.db.transaction().execute(async (held) => {
      await sql`select from upload_files where id = ${file.file_id} for update`.execute(held)
      await killWhen(job, () =>
        vi.waitFor(async () => expect(await receipts()).toBe(1), { timeout: 30_000, interval: 20 }),
      )
    })
    return { file, job }
  }

  test('behind the commit, then cancelled: the job says that the rows are there', async () => {
    const { file, job } = await killBehindCommit()
    await cancel(job)
    expect(await takenUp(job)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
    expect(await uploads.file(file.file_id)).toMatchObject({ state: 'delivered' })
    expect(await traces()).toEqual({ goods: ROWS + 2, receipts: 1, own: [] })
  })
})

describe('cancelled at any moment', () => {
  test.each(['validate', 'append', 'replace'] as const)('%s leaves all or nothing', async (what) => {
    const ends: string[] = []
    let seed = what.length * 7919
    for (const at of [0.1, 0.5, 1]) {
      seed = (seed * 48_271) % 2_147_483_647
      const file = await send({ mode: what === 'replace' ? 'replace' : 'append' })
      const job = await start(what === 'validate' ? calls.validateFile : calls.deliverData, file)
      const work = handleUploadJob(app.ctx, { job_id: job.job_id }, { ...run(1), beatMs: 10 })
      await setTimeout(250 * at + 80 * (seed / 2_147_483_647))
      const isHeard = await cancel(job)
      await work
      const { status } = await uploads.wait(job)
      ends.push(status)
      const { staged_from } = await app.database.db
        .selectFrom('upload_files')
        .select('staged_from')
        .where('id', '=', file.file_id)
        .executeTakeFirstOrThrow()
      const waiting = staged_from === null ? [] : [(JSON.parse(staged_from) as { stage: string }).stage]
      if (!isHeard) expect(status).toBe('completed')
      if (status === 'completed' && what !== 'validate') await expectDelivered(what)
      else expect(await left()).toEqual({ goods: 2, receipts: 0, own: waiting })
      if (status === 'cancelled' && what === 'validate') expect(waiting).toEqual([])
      await reset(file)
    }
    expect(ends).toContain('cancelled')
  })

  async function expectDelivered(what: 'append' | 'replace'): Promise<void> {
    const found = await left()
    expect(found).toMatchObject({ goods: what === 'append' ? ROWS + 2 : ROWS, receipts: 1 })
    expect(found.own).toHaveLength(what === 'append' ? 0 : 1)
  }
})
