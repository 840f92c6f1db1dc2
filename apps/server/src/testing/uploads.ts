import { randomUUID } from 'node:crypto'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { type Dialect, PART_BYTES, type UploadFile, type UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { openWorkspaceDatabase } from '../platform/workspace-database/open-database.ts'
import { handleUploadJob } from '../modules/uploads/run-job.handler.ts'
import { handleProvision } from '../modules/workspaces/provision.handler.ts'
import { type TestAccount, makeWorkspaceRow } from './accounts.ts'
import { keepSession } from './sessions/kept-session.ts'
import type { TestApp } from './test-app.ts'
import type { Answer, TestClient } from './test-client.ts'

export interface TestUploads {
  params: { account_trellis_code: string; workspace_address: string }
  code: string
  workspaceId: number
  client: TestClient
  sql(text: string, values?: string[]): Promise<{ rows: readonly (readonly (string | null)[])[] }>
  send(name: string, bytes: Uint8Array | string, more?: object): Promise<UploadFile>
  wait(job: UploadJob): Promise<UploadJob>
  run(answer: Promise<Answer<UploadJob>>): Promise<UploadJob>
  preProcess(file: UploadFile, dialect?: Partial<Dialect>): Promise<UploadJob>
  update(file: UploadFile, change: object): Promise<Answer<UploadFile>>
  validate(file: UploadFile): Promise<UploadJob>
  deliver(file: UploadFile): Promise<UploadJob>
  file(id: string): Promise<UploadFile>
}

const run = { id: 'test', job: 'test', attempt: 1, isLastAttempt: true, signal: new AbortController().signal }

export async function testUploads(
  app: TestApp,
  account: TestAccount,
  { isInline = false }: { isInline?: boolean } = {},
): Promise<TestUploads> {
  const address = `w${randomUUID().slice(0, 8)}`
  const workspace = await makeWorkspaceRow(app, account, address)
  await app.database.pool.query("update workspaces set state = 'provisioning' where id = $1", [workspace.id])
  await handleProvision(app.ctx, { workspace_id: workspace.id }, run)
  const params = { account_trellis_code: account.code, workspace_address: address }
  const code = `${workspace.code}-db`
  const client = account.owner
  const database = await openWorkspaceDatabase(app.ctx, { workspaceId: workspace.id, integrationCode: code })
  const kept = keepSession(app, database)
  const wait = async (job: UploadJob): Promise<UploadJob> => {
    for (let tries = 0; tries < 1200; tries += 1) {
      const { data } = await client.call(calls.getUploadJob, { params: { ...params, job_id: job.job_id } })
      if (data.status !== 'in_progress') return data
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the job never ended')
  }
  const started = async (answer: Promise<Answer<UploadJob>>) => {
    const { status, data, text } = await answer
    if (status !== 200) throw new Error(text)
    if (isInline) await handleUploadJob(app.ctx, { job_id: data.job_id }, run)
    return await wait(data)
  }
  return {
    params,
    code,
    workspaceId: workspace.id,
    client,
    wait,
    run: started,
    sql: async (text, values) => ({ rows: await kept.query([text], values) }),
    send: async (name, content, more = {}) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
      const start = await client.call(calls.startUpload, {
        params,
        body: {
          integration_trellis_code: code,
          schema_name: 'data',
          original_filename: name,
          size_bytes: bytes.length,
          ...more,
        },
      })
      if (start.status !== 200) throw new Error(start.text)
      for (let at = 0, part = 1; at < bytes.length; at += PART_BYTES, part += 1) {
        const answer = await sendPart(
          client,
          { ...params, file_id: start.data.file_id, part },
          bytes.subarray(at, at + PART_BYTES),
        )
        if (answer.status !== 200) throw new Error(answer.text)
      }
      const done = await client.call(calls.finishUpload, { params: { ...params, file_id: start.data.file_id } })
      if (done.status !== 200) throw new Error(done.text)
      return done.data
    },
    preProcess: (file, dialect) =>
      started(
        client.call(calls.preProcessFile, { params, body: { file_id: file.file_id, ...(dialect && { dialect }) } }),
      ),
    update: (file, change) => client.call(calls.updateFile, { params, body: { file_id: file.file_id, ...change } }),
    validate: (file) => started(client.call(calls.validateFile, { params, body: { file_id: file.file_id } })),
    deliver: (file) => started(client.call(calls.deliverData, { params, body: { file_id: file.file_id } })),
    file: async (id) =>
      (
        await client.call(calls.getFileMetadata, {
          params: { ...params, integration_trellis_code: code, file_id_table_id: id },
        })
      ).data,
  }
}

export async function sendPart(
  client: TestClient,
  params: Record<string, unknown>,
  body: Uint8Array,
): Promise<Answer<UploadFile>> {
  const path = toEndpointUrl(calls.sendPart).replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const headers = { 'content-type': 'application/octet-stream' }
  return (await client.raw(path, { method: 'PUT', headers, body: Buffer.from(body) })) as Answer<UploadFile>
}
