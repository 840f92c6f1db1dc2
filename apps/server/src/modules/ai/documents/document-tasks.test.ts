import * as documents from '@trellis/contract/ai/documents.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { handleReadDocument } from './read-document.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace

// Without a worker, documents stay queued.
beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

async function addText(text: string): Promise<{ task_id: string; id: number }> {
  const body = { name: 'Rules', text }
  const { task_id } = (await workspace.account.owner.call(documents.uploadText, { params: params(), body })).data
  const { rows } = await app.database.pool.query<{ id: number }>('select id from ai_documents where task_code = $1', [
    task_id,
  ])
  return { task_id, id: Number(rows[0]?.id) }
}

const run = { signal: new AbortController().signal, isLastAttempt: true } as never

test('is cancelled, tried again and read; what was cancelled is not written by a late worker', async () => {
  const { owner } = workspace.account
  const { task_id, id } = await addText('Parcels are sent on Mondays')
  const cancelled = await owner.call(documents.cancelUploadTask, { params: params({ task_id }) })
  expect(cancelled.data).toMatchObject({ status: 'failed', problem: 'Cancelled.', can_retry: true })
  await handleReadDocument(app.ctx, { document_id: id }, run)
  const get = async () => (await owner.call(documents.getUploadTask, { params: params({ task_id }) })).data
  expect((await get()).status).toBe('failed')
  const retried = await owner.call(documents.retryUploadTask, { params: params({ task_id }) })
  expect(retried.data).toMatchObject({ status: 'in_progress', problem: null, can_retry: false })
  expect((await owner.call(documents.retryUploadTask, { params: params({ task_id }) })).status).toBe(409)
  await handleReadDocument(app.ctx, { document_id: id }, run)
  expect(await get()).toMatchObject({ status: 'completed', can_retry: false })
  expect((await owner.call(documents.retryUploadTask, { params: params({ task_id }) })).status).toBe(409)
  await owner.call(documents.cancelUploadTask, { params: params({ task_id }) })
  expect((await get()).status).toBe('completed')
})

test('is not cancelled by somebody who may not change projects', async () => {
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id: VIEW }]
  const viewer = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
  const { task_id } = await addText('Closed on Sundays')
  for (const call of [documents.cancelUploadTask, documents.retryUploadTask]) {
    expect((await viewer.client.call(call, { params: params({ task_id }) })).status).toBe(404)
  }
})
