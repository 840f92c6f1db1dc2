import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { PLANS } from '@trellis/contract/billing/plans'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, testUploads } from '../../testing/uploads.ts'
import { handleUploadJob } from './run-job.handler.ts'

let app: TestApp
let account: TestAccount
let uploads: TestUploads

beforeAll(async () => {
  app = await startTestApp({ hasWorker: true, settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app, 'team')
  uploads = await testUploads(app, account)
})
afterAll(async () => await app.close())

async function leaveRoom(bytes: number): Promise<void> {
  await app.database.pool.query(
    "update workspaces set storage_bytes = $2, storage_measured_at = now() + interval '1 hour' where id = $1",
    [uploads.workspaceId, PLANS.team.storage - bytes],
  )
}

const start = (size_bytes: number) =>
  uploads.client.call(calls.startUpload, {
    params: uploads.params,
    body: {
      integration_trellis_code: uploads.code,
      schema_name: 'data',
      original_filename: 'rows.csv',
      size_bytes,
    },
  })
const remove = (file_id: string) =>
  uploads.client.call(calls.deleteFile, {
    params: { ...uploads.params, integration_trellis_code: uploads.code, file_id },
  })

test('files that wait take the room they announced, and give it back when they go', async () => {
  await leaveRoom(1_000_000)
  const first = await start(600_000)
  expect(first.status).toBe(200)
  expect((await start(600_000)).errors[0]?.code).toBe('limit_reached')
  await remove(first.data.file_id)
  const again = await start(600_000)
  expect(again.status).toBe(200)
  await remove(again.data.file_id)
  await leaveRoom(PLANS.team.storage)
})

test('rows count as they are written out, not as they were packed', async () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `${at},${'a'.repeat(1_000)}`)
  const file = await uploads.send('packed.csv.gz', gzipSync(`id,word\n${lines.join('\n')}\n`))
  await leaveRoom(500_000)
  await uploads.preProcess(file)
  await uploads.update(file, { table_name: 'packed' })
  expect(await uploads.validate(file)).toMatchObject({ status: 'failed', error: expect.stringContaining('storage') })
  await leaveRoom(PLANS.team.storage)
  const stages = await uploads.sql(
    "select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname like 'stage%'",
  )
  expect(stages.rows).toEqual([])
  expect(await uploads.validate(file)).toMatchObject({ status: 'completed' })
})

test('a second delivery that was asked for in time changes nothing', async () => {
  const file = await uploads.send('once.csv', 'id\n1\n2\n')
  await uploads.preProcess(file)
  await uploads.sql('create table data.once (id int)')
  await uploads.update(file, { table_name: 'once', mode: 'append' })
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed' })
  const { rows } = await app.database.pool.query<{ id: string }>(
    `insert into upload_jobs (account_id, workspace_id, profile_id, kind, file_id, integration_code, schema_name, table_name)
     select account_id, workspace_id, profile_id, 'deliver', id, integration_code, schema_name, table_name from upload_files
      where id = $1 returning id`,
    [file.file_id],
  )
  const job_id = rows[0]?.id ?? ''
  const run = { id: job_id, job: 'test', attempt: 1, isLastAttempt: true, signal: new AbortController().signal }
  await handleUploadJob(app.ctx, { job_id }, run)
  const { data } = await uploads.client.call(calls.getUploadJob, { params: { ...uploads.params, job_id } })
  expect(data).toMatchObject({ status: 'failed', error: 'The file was delivered already.' })
  expect((await uploads.sql('select count(*) from data.once')).rows).toEqual([['2']])
})

/** Sends a part whose last byte waits for `meanwhile`. */
async function sendSlowly(file_id: string, bytes: Buffer, meanwhile: () => Promise<unknown>) {
  const params: Record<string, string> = { ...uploads.params, file_id, part: '1' }
  const path = toEndpointUrl(calls.sendPart).replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, 1))
      // The request must be in progress, which cannot be observed.
      await setTimeout(700)
      await meanwhile()
      controller.enqueue(bytes.subarray(1))
      controller.close()
    },
  })
  const headers = { 'content-type': 'application/octet-stream' }
  return await uploads.client.raw(path, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
}

const stored = async (fileId: string) => {
  const { objects } = await app.ctx.ports.objects.list(`uploads/${uploads.workspaceId}/${fileId}/`)
  return objects.length
}

test('a part that comes after its file was deleted is not kept', async () => {
  const { data } = await start(8)
  const answer = await sendSlowly(data.file_id, Buffer.from('id\n1\n2\n3'), () => remove(data.file_id))
  expect(answer.status).toBe(404)
  expect(await stored(data.file_id)).toBe(0)
})

test('a part that comes after the file was finished does not replace what was sent', async () => {
  const file = await uploads.send('kept.csv', 'id\n1\n2\n3')
  await app.database.pool.query("update upload_files set state = 'uploading' where id = $1", [file.file_id])
  const answer = await sendSlowly(file.file_id, Buffer.from('id\n7\n8\n9'), () =>
    uploads.client.call(calls.finishUpload, { params: { ...uploads.params, file_id: file.file_id } }),
  )
  expect(answer.status).toBe(409)
  const { stream } = await app.ctx.ports.objects.get(`uploads/${uploads.workspaceId}/${file.file_id}/00001`)
  expect(await text(stream)).toBe('id\n1\n2\n3')
})

test('an index whose name reads like a definition comes back as it was', async () => {
  const name = 'a USING btree ((1 / 0)) --'
  await uploads.sql('create table data.replaced (id int, word text)')
  await uploads.sql(`create unique index "${name}" on data.replaced using btree (word)`)
  const file = await uploads.send('new.csv', 'id,word\n1,one\n2,two\n')
  await uploads.preProcess(file)
  await uploads.update(file, { table_name: 'replaced', mode: 'replace' })
  expect(await uploads.deliver(file)).toMatchObject({ status: 'completed', error: null })
  const { rows } = await uploads.sql(
    "select indexdef from pg_indexes where schemaname = 'data' and tablename = 'replaced'",
  )
  expect(rows).toEqual([[`CREATE UNIQUE INDEX "${name}" ON data.replaced USING btree (word)`]])
})
