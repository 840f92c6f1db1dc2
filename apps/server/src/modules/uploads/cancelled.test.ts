import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { withSession } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { joinNewPerson } from '../../testing/accounts.ts'
import { COPYING, type Goods, ROWS, makeGoods, run } from '../../testing/goods.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'
import { deliverFile } from './deliver-file.ts'
import { handleUploadJob } from './run-job.handler.ts'
import { findFileRow, findJobRow } from './uploads.repository.ts'

let app: TestApp
let goods: Goods

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  goods = await makeGoods(app)
})
afterAll(async () => await app.close())
beforeEach(async () => await goods.reset())

const NOTHING = { goods: 2, receipts: 0, own: [] }
const begin = (job: UploadJob, { attempt = 1, isLast = false } = {}) =>
  handleUploadJob(app.ctx, { job_id: job.job_id }, run(attempt, isLast))
const ended = async (job: UploadJob) => (await goods.uploads.wait(job)).status
const stagedFrom = async (file: UploadFile) =>
  (
    await app.database.db
      .selectFrom('upload_files')
      .select('staged_from')
      .where('id', '=', file.file_id)
      .executeTakeFirstOrThrow()
  ).staged_from

describe.each([
  ['a validation', calls.validateFile],
  ['a delivery', calls.deliverData],
] as const)('%s cancelled', (_, call) => {
  test('before it begins leaves nothing', async () => {
    const job = await goods.start(call, await goods.send())
    expect(await goods.cancel(job)).toBe(true)
    await begin(job)
    expect(await ended(job)).toBe('cancelled')
    expect(await goods.left()).toEqual(NOTHING)
  })

  test('while its stage is made leaves nothing', async () => {
    const job = await goods.start(call, await goods.send())
    await goods.database.cluster.withAdmin(goods.database.database, async (holder) => {
      await holder.query('begin')
      await holder.query('lock table pg_catalog.pg_attrdef, pg_catalog.pg_class in share mode')
      const work = begin(job)
      await goods.isAt(
        `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query ~ '^create .*table'`,
      )
      expect(await goods.cancel(job)).toBe(true)
      await goods.isAt(
        `select where not exists (select from pg_stat_activity where datname = $1 and query ~ '^create .*table' and state = 'active')`,
      )
      await holder.query('rollback')
      await work
    })
    expect(await ended(job)).toBe('cancelled')
    expect(await goods.left()).toEqual(NOTHING)
  })

  test('while its rows are copied leaves nothing', async () => {
    const job = await goods.start(call, await goods.send())
    await goods.whileHeld(async () => {
      const work = begin(job)
      await goods.isAt(COPYING)
      expect(await goods.cancel(job)).toBe(true)
      await work
    })
    expect(await ended(job)).toBe('cancelled')
    expect(await goods.left()).toEqual(NOTHING)
  })
})

const DROPPING = `from pg_stat_activity where datname = $1 and wait_event_type = 'Lock' and query ~ '^drop table'`

/** A lock on the staging table makes dropping it fail. */
async function loseDrops(job: UploadJob, { isLast }: { isLast: boolean }): Promise<unknown> {
  return await goods.whileHeld(async (holder) => {
    const work = begin(job, { isLast }).then(
      () => 'ended',
      () => 'failed',
    )
    await goods.isAt(COPYING)
    const stage = `trellis_loads.stage_${job.job_id.replaceAll('-', '')}_1`
    await holder.query('begin')
    await holder.query(`lock table ${stage} in access share mode`)
    await goods.cancel(job)
    for (const _ of ['by the one that filled it', 'by the end of the job']) {
      await goods.isAt(`select ${DROPPING}`)
      await goods.database.cluster.admin.query(`select pg_terminate_backend(pid, 10000) ${DROPPING}`, [
        goods.database.database,
      ])
    }
    await holder.query('rollback')
    return await work
  })
}

test('a stage that can not be dropped keeps the job going until it can', async () => {
  const job = await goods.start(calls.deliverData, await goods.send())
  expect(await loseDrops(job, { isLast: false })).toBe('failed')
  await begin(job, { attempt: 2 })
  expect(await ended(job)).toBe('cancelled')
  expect(await goods.left()).toEqual(NOTHING)
})

test('what the last try could not drop is dropped with the leftovers', async () => {
  const job = await goods.start(calls.deliverData, await goods.send())
  expect(await loseDrops(job, { isLast: true })).toBe('ended')
  expect(await ended(job)).toBe('cancelled')
  expect((await goods.left()).own).toHaveLength(1)
  await handleClearUploads(app.ctx)
  expect(await goods.left()).toEqual(NOTHING)
})

/** Blocks the insert of the last row. */
async function cancelInDelivery(job: UploadJob): Promise<void> {
  // Longer than the default, for slow machines.
  const limits = { idleInTransactionMs: 120_000 }
  await withSession(goods.database.cluster, { ...goods.database, role: 'rw', limits }, async (session) => {
    await session.query({ text: 'begin' })
    await session.query({ text: `insert into data.goods values (${ROWS + 9}, 'held')` })
    const work = begin(job)
    await goods.isAt(
      `select from pg_stat_activity where datname = $1 and wait_event = 'transactionid' and query ~ 'goods'`,
    )
    expect(await goods.cancel(job)).toBe(true)
    await work
    await session.query({ text: 'rollback' })
  })
}

test('a delivery cancelled inside its transaction takes its stage with it', async () => {
  const file = await goods.send()
  const job = await goods.start(calls.deliverData, file)
  await cancelInDelivery(job)
  expect(await ended(job)).toBe('cancelled')
  expect(await stagedFrom(file)).toBeNull()
  expect(await goods.left()).toEqual(NOTHING)
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
})

test('a worker that wakes up behind the end of a cancelled delivery writes nothing', async () => {
  const file = await goods.send()
  await goods.uploads.validate(file)
  const job = await goods.start(calls.deliverData, file)
  expect(await goods.cancel(job)).toBe(true)
  await begin(job, { attempt: 2 })
  expect(await ended(job)).toBe('cancelled')
  const [jobRow, fileRow] = [await findJobRow(app.ctx, job.job_id), await findFileRow(app.ctx, file.file_id)]
  if (!jobRow || !fileRow) throw new Error('The job or its file is gone.')
  const { signal } = new AbortController()
  const progress = { done_bytes: 0, total_bytes: 0, rows: 0, step: '' }
  const late = deliverFile({ ctx: app.ctx, job: jobRow, file: fileRow, attempt: 1, signal, progress })
  await expect(late).rejects.toThrow('it was cancelled')
  expect(await goods.left()).toMatchObject({ goods: 2, receipts: 0 })
})

test('the stage of a validation from before stays for the next delivery', async () => {
  const file = await goods.send()
  await goods.uploads.validate(file)
  const job = await goods.start(calls.deliverData, file)
  await cancelInDelivery(job)
  expect(await ended(job)).toBe('cancelled')
  expect(JSON.parse((await stagedFrom(file)) ?? '{}')).toMatchObject({ stage: (await goods.left()).own[0] })
  expect(await goods.uploads.deliver(file)).toMatchObject({ status: 'completed', load: { rows: ROWS } })
})

test.each(['append', 'replace'] as const)('a cancel behind the commit of %s is too late', async (mode) => {
  const file = await goods.send(mode)
  await goods.uploads.validate(file)
  const job = await goods.start(calls.deliverData, file)
  let isHeard = false
  await app.database.db.transaction().execute(async (held) => {
    await held.selectFrom('upload_files').select('id').where('id', '=', file.file_id).forUpdate().execute()
    const work = begin(job)
    await expect.poll(async () => (await goods.left()).receipts, { timeout: 30_000 }).toBe(1)
    isHeard = await goods.cancel(job)
    void work
  })
  expect(isHeard).toBe(true)
  expect(await ended(job)).toBe('completed')
  expect(await goods.left()).toMatchObject({ goods: mode === 'append' ? ROWS + 2 : ROWS, receipts: 1 })
})

test.each([
  ['has no place in the workspace any more', null],
  ['may only look by now', 'workspace_viewer'],
] as const)('the load of somebody who %s stops and leaves nothing', async (_, role) => {
  const person = await joinNewPerson(app, goods.account)
  const of = { account_id: goods.account.id, profile_id: person.id }
  const job = await goods.start(calls.deliverData, await goods.send())
  await app.database.db.updateTable('upload_jobs').set({ profile_id: person.id }).where('id', '=', job.job_id).execute()
  await goods.whileHeld(async () => {
    const work = begin(job)
    await goods.isAt(COPYING)
    const workspace_id = goods.uploads.workspaceId
    if (role)
      await app.database.db
        .insertInto('workspace_members')
        .values({ ...of, workspace_id, role })
        .execute()
    await app.database.db
      .updateTable('account_members')
      .set({ role: 'account_view' })
      .where('account_id', '=', of.account_id)
      .where('profile_id', '=', of.profile_id)
      .execute()
    await work
  })
  expect(await goods.uploads.wait(job)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no right') as string,
  })
  expect(await goods.left()).toEqual(NOTHING)
})
