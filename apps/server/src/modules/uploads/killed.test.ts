import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { undoLoad } from '@trellis/loads/undo'
import { withSession } from '@trellis/workspace-db/session'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { COPYING, type Goods, ROWS, makeGoods, run } from '../../testing/goods.ts'
import { killWhen } from '../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'
import { handleUploadJob } from './run-job.handler.ts'

let app: TestApp
let goods: Goods

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  goods = await makeGoods(app)
})
afterAll(async () => await app.close())
beforeEach(async () => await goods.reset())

async function traces() {
  await handleClearUploads(app.ctx)
  return await goods.left()
}
async function takenUp(job: UploadJob): Promise<UploadJob> {
  await handleUploadJob(app.ctx, { job_id: job.job_id }, run(2))
  return await goods.uploads.wait(job)
}

const killedWhen = (job: UploadJob, isThere: () => Promise<unknown>) =>
  killWhen(app, ['upload-worker', job.job_id], isThere)

test('killed while rows are copied: the next one stages them all and leaves no second stage', async () => {
  const file = await goods.send()
  const job = await goods.start(calls.validateFile, file)
  await goods.whileHeld(() => killedWhen(job, () => goods.isAt(COPYING)))
  expect(await goods.uploads.file(file.file_id)).toMatchObject({ state: 'profiled' })
  expect(await takenUp(job)).toMatchObject({ status: 'completed' })
  expect((await goods.uploads.file(file.file_id)).validation).toMatchObject({
    rows: ROWS,
    good_rows: ROWS,
    bad_rows: 0,
  })
  expect((await goods.left()).own).toHaveLength(1)
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
  expect(await traces()).toEqual({ goods: ROWS + 2, receipts: 1, own: [] })
})

test('killed inside the delivery: nothing is half there, the next one delivers once', async () => {
  const file = await goods.send()
  const job = await goods.start(calls.deliverData, file)
  // Longer than the default, for slow machines.
  const limits = { idleInTransactionMs: 120_000 }
  await withSession(goods.database.cluster, { ...goods.database, role: 'rw', limits }, async (session) => {
    await session.query({ text: 'begin' })
    // Blocks the insert of the last row.
    await session.query({ text: `insert into data.goods values (${ROWS + 9}, 'held')` })
    await killedWhen(job, () =>
      goods.isAt(
        `select from pg_stat_activity where datname = $1 and wait_event = 'transactionid' and query ~ 'goods'`,
      ),
    )
    await session.query({ text: 'rollback' })
  })
  expect(await goods.left()).toMatchObject({ goods: 2, receipts: 0 })
  expect(await takenUp(job)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
  expect(await traces()).toEqual({ goods: ROWS + 2, receipts: 1, own: [] })
})

/** A lock on the file's row prevents recording the delivery. */
async function killBehindCommit(): Promise<{ file: UploadFile; job: UploadJob }> {
  const file = await goods.send()
  await goods.uploads.validate(file)
  const job = await goods.start(calls.deliverData, file)
  await app.database.db.transaction().execute(async (held) => {
    await sql`select from upload_files where id = ${file.file_id} for update`.execute(held)
    await killedWhen(job, async () => {
      await expect.poll(async () => (await goods.left()).receipts, { timeout: 100_000 }).toBe(1)
    })
  })
  return { file, job }
}

test('killed behind the commit, then cancelled: the job says that the rows are there', async () => {
  const { file, job } = await killBehindCommit()
  await goods.cancel(job)
  expect(await takenUp(job)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
  expect(await goods.uploads.file(file.file_id)).toMatchObject({ state: 'delivered' })
  expect(await traces()).toEqual({ goods: ROWS + 2, receipts: 1, own: [] })
})

test('a load taken back by a worker that died behind the commit, then cancelled: the job says that it is taken back', async () => {
  const delivered = await goods.uploads.deliver(await goods.send())
  const place = { integration_trellis_code: goods.uploads.code, schema_name: 'data', table_name: 'goods' }
  const { data: job } = await goods.uploads.client.call(calls.undoLoad, {
    params: goods.uploads.params,
    body: { ...place, load_id: delivered.job_id },
  })
  const receipt = {
    loadId: job.job_id,
    schema: 'data',
    table: 'goods',
    mode: 'undo',
    source: 'Undo',
    by: null,
  } as const
  await withSession(goods.database.cluster, { ...goods.database, role: 'rw', isPlain: true }, (session) =>
    undoLoad(session, delivered.job_id, receipt),
  )
  await goods.cancel(job)
  expect(await takenUp(job)).toMatchObject({ status: 'completed', load: { mode: 'undo', rows: ROWS } })
  expect(await goods.left()).toMatchObject({ goods: 2, receipts: 2 })
})
