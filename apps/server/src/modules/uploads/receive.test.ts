import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { PART_BYTES } from '@trellis/contract/uploads/uploads.schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type TestUploads, sendPart, testUploads } from '../../testing/uploads.ts'
import { handleClearUploads } from './clear-uploads.handler.ts'

let app: TestApp
let account: TestAccount
let uploads: TestUploads

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app, 'basic')
  uploads = await testUploads(app, account, { isInline: true })
})
afterAll(async () => await app.close())

const start = (size: number, more: object = {}) =>
  uploads.client.call(calls.startUpload, {
    params: uploads.params,
    body: {
      integration_trellis_code: uploads.code,
      schema_name: 'data',
      original_filename: 'a.csv',
      size_bytes: size,
      ...more,
    },
  })
const finish = (fileId: string) =>
  uploads.client.call(calls.finishUpload, { params: { ...uploads.params, file_id: fileId } })
const part = (fileId: string, number: number, body: Uint8Array) =>
  sendPart(uploads.client, { ...uploads.params, file_id: fileId, part: number }, body)
const stored = async (fileId: string) =>
  (await app.ctx.ports.objects.list(`uploads/${uploads.workspaceId}/${fileId}/`)).objects.length

test('parts come in any order and twice; a wrong length and a gap are refused', async () => {
  const bytes = Buffer.alloc(PART_BYTES + 5, 'a,b\n')
  const { data: file } = await start(bytes.length)
  expect((await part(file.file_id, 2, bytes.subarray(PART_BYTES))).data).toMatchObject({
    received_parts: [2],
    received_bytes: 5,
  })
  expect((await finish(file.file_id)).errors[0]?.detail).toContain('Parts are missing: 1')
  expect((await part(file.file_id, 1, bytes.subarray(0, 9))).errors[0]?.code).toBe('conflict')
  expect((await part(file.file_id, 2, Buffer.alloc(6))).errors[0]?.code).toBe('body_too_large')
  expect((await part(file.file_id, 3, Buffer.alloc(1))).errors[0]?.code).toBe('conflict')
  expect((await part(file.file_id, 1, bytes.subarray(0, PART_BYTES))).status).toBe(200)
  expect((await part(file.file_id, 2, bytes.subarray(PART_BYTES))).data.received_parts).toEqual([1, 2])
  expect((await finish(file.file_id)).data.state).toBe('uploaded')
  expect((await part(file.file_id, 1, bytes.subarray(0, PART_BYTES))).errors[0]?.code).toBe('conflict')
  const params = { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id }
  expect((await uploads.client.call(calls.deleteFile, { params })).status).toBe(200)
  expect(await stored(file.file_id)).toBe(0)
  expect((await finish(file.file_id)).status).toBe(404)
})

test('a form with a file is kept in the same parts; without its fields nothing stays', async () => {
  const path = toEndpointUrl(calls.uploadCsv).replaceAll(/:(\w+)/g, (_, name: string) =>
    String((uploads.params as Record<string, string>)[name]),
  )
  const form = (fields: Record<string, string>) => {
    const body = new FormData()
    body.append('file', new Blob(['a,b\n1,x\n']), 'a.csv')
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    return uploads.client.raw(path, { method: 'POST', body })
  }
  const fields = { integration_trellis_code: uploads.code, schema_name: 'data', original_filename: 'a.csv' }
  const sentResponse = await form(fields)
  expect(sentResponse.data).toMatchObject({ state: 'uploaded', size_bytes: 8, received_parts: [1] })
  const before = (await app.ctx.ports.objects.list('uploads/')).objects.length
  expect((await form({ ...fields, schema_name: '' })).errors[0]?.source?.pointer).toBe('/schema_name')
  expect((await form({ ...fields, schema_name: 'trellis_loads' })).status).toBe(404)
  expect((await app.ctx.ports.objects.list('uploads/')).objects.length).toBe(before)
})

test('what the plan has no room for is refused before it is sent', async () => {
  expect((await start(49 * 1024 ** 3)).status).toBe(200)
  await app.database.pool.query(
    'update workspaces set storage_bytes = 53000000000, storage_measured_at = now() where id = $1',
    [uploads.workspaceId],
  )
  expect((await start(1024 ** 3)).errors[0]?.code).toBe('limit_reached')
  await app.database.pool.query('update workspaces set storage_bytes = 0 where id = $1', [uploads.workspaceId])
})

test('hidden schemas, other tables and other files look like ones that are not there', async () => {
  expect((await start(1, { schema_name: 'trellis_loads' })).status).toBe(404)
  expect((await start(1, { schema_name: 'pg_catalog' })).status).toBe(404)
  expect((await start(1, { mode: 'append', table_name: 'nowhere' })).status).toBe(404)
  expect((await start(1, { mode: 'append' })).errors[0]?.source?.pointer).toBe('/table_name')
  expect((await start(1, { integration_trellis_code: 'other-db' })).status).toBe(404)
})

test('a file is found by the table it made; bad rows can be taken away as CSV', async () => {
  const file = await uploads.send('found.csv', 'id,n\n1,x\n2,y,z\n')
  await uploads.preProcess(file)
  await uploads.update(file, { table_name: 'found', on_bad_rows: 'quarantine' })
  expect((await uploads.deliver(file)).status).toBe('completed')
  const { rows } = await uploads.sql(`select 'data.found'::regclass::oid::text`)
  expect((await uploads.file(rows[0]?.[0] ?? '')).file_id).toBe(file.file_id)
  const params = { ...uploads.params, integration_trellis_code: uploads.code, file_id: file.file_id }
  const csv = await uploads.client.call(calls.downloadBadRows, { params })
  expect(csv.text).toContain('2,3,,,The row has 3 values where 2 are expected.,')
})

test('a file that nobody finished goes after two days, with its parts', async () => {
  const { data: file } = await start(3)
  await part(file.file_id, 1, Buffer.from('a\n1'))
  await app.database.pool.query("update upload_files set updated_at = now() - interval '3 days' where id = $1", [
    file.file_id,
  ])
  await handleClearUploads(app.ctx)
  expect(await stored(file.file_id)).toBe(0)
  expect((await finish(file.file_id)).status).toBe(404)
})
