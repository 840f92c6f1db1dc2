import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import * as sql from '@trellis/contract/sql/sql.endpoints'
import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLocalStore } from '../../platform/object-store/local-store.ts'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, sendPart, testUploads } from '../../testing/uploads.ts'
import { handleExport } from '../explorer/export.handler.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-full-'))
const attempt = { id: 'test', job: 'test', attempt: 1, isLastAttempt: false, signal: new AbortController().signal }
const WHAT_TO_DO = /nearly full.*Delete exports, uploaded files or tables for good/
/** Simulated, as the real disk cannot be filled. */
const disk = { use: 0.5 }

let app: TestApp
let uploads: TestUploads

beforeAll(async () => {
  const objects = createLocalStore(folder, { limit: 0.9, readUse: async () => disk.use })
  app = await startTestApp({ objects, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  uploads = await testUploads(app, await makeAccount(app), { isInline: true })
  await uploads.sql('create table data.things as select n from generate_series(1, 100) n')
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => void (disk.use = 0.5))

const start = () =>
  uploads.client.call(calls.startUpload, {
    params: uploads.params,
    body: {
      integration_trellis_code: uploads.code,
      schema_name: 'data',
      original_filename: 'a.csv',
      size_bytes: 4,
    },
  })
const exportThings = () =>
  uploads.client.call(rows.exportTable, {
    params: {
      ...uploads.params,
      integration_trellis_code: uploads.code,
      schema_name: 'data',
      table_name: 'things',
    },
    query: { full_export: 'true' },
    body: { format: 'csv' },
  })

test('an upload is refused before it begins, and part by part once the disk fills up', async () => {
  const { data: file } = await start()
  disk.use = 0.9
  const refusedResponses = [
    await start(),
    await sendPart(uploads.client, { ...uploads.params, file_id: file.file_id, part: 1 }, Buffer.from('a,b\n')),
  ]
  for (const { status, errors } of refusedResponses) {
    expect(status).toBe(507)
    expect(errors[0]).toMatchObject({ code: 'disk_full', detail: expect.stringMatching(WHAT_TO_DO) as string })
  }
  disk.use = 0.5
  const sentResponse = await sendPart(
    uploads.client,
    { ...uploads.params, file_id: file.file_id, part: 1 },
    Buffer.from('a,b\n'),
  )
  expect(sentResponse.data.received_parts).toEqual([1])
})

test('an export is refused before it begins; one that waits fails at once and says what to do', async () => {
  const { data: waiting } = await exportThings()
  disk.use = 0.9
  const { status, errors } = await exportThings()
  expect([status, errors[0]?.code]).toEqual([507, 'disk_full'])
  expect(errors[0]?.detail).toMatch(WHAT_TO_DO)
  await handleExport(app.ctx, { export_id: waiting.job_id }, attempt)
  const params = { ...uploads.params, job_id: waiting.job_id }
  const { data } = await uploads.client.call(rows.getExport, { params })
  expect(data).toMatchObject({ status: 'failed', error: expect.stringMatching(WHAT_TO_DO) as string })
})

test('queries can be read while making room, until the reserve is used up too', async () => {
  const run = async () => {
    const body = { integration_trellis_code: uploads.code, sql: 'select n from data.things; select 2' }
    const { data: job } = await uploads.client.call(sql.executeSql, { params: uploads.params, body })
    let last: SqlJob = job
    await expect
      .poll(async () => {
        const params = { ...uploads.params, job_id: job.job_id }
        last = (await uploads.client.call(sql.getSqlJob, { params })).data
        return ['queued', 'running'].includes(last.status)
      })
      .toBe(false)
    return last
  }
  disk.use = 0.92
  expect((await run()).status).toBe('completed')
  disk.use = 0.96
  const { status, statements } = await run()
  expect(status).toBe('failed')
  expect(statements[0]).toMatchObject({ status: 'failed', problem: { message: expect.stringMatching(WHAT_TO_DO) } })
  expect(statements[1]?.status).toBe('skipped')
})
