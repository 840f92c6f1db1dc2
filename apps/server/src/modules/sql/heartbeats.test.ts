import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { type HeartbeatResult, startHeartbeat } from './heartbeats.ts'
import { type JobProgress, type StoredStatement, findJob, insertJob } from './sql-jobs.repository.ts'

const STARTED = new Date('2026-01-01T10:00:00Z')
const STATEMENT: StoredStatement = {
  start: 0,
  end: 8,
  status: 'running',
  command: null,
  columns: null,
  rows: 0,
  cut_at: null,
  notices: [],
  duration_ms: null,
  plan: null,
  problem: null,
  chunks: [],
}

let app: TestApp
let workspace: ReadyWorkspace
let ctx: WorkspaceCtx

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
  const { account } = workspace
  ctx = {
    ...app.ctx,
    db: app.database.forAccount(account.id),
    account: { id: account.id },
    workspace: { id: workspace.id, role: 'workspace_admin' },
    actor: { profileId: account.ownerId },
  } as unknown as WorkspaceCtx
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

async function startBeating(message: string) {
  const id = randomUUID()
  await insertJob(ctx, {
    id,
    integration_code: workspace.integrationCode,
    sql: 'select 1',
    request: { parameters: {}, rowLimit: 10, timeoutSeconds: 60, explain: 'none' },
    file_id: null,
    keep_running: false,
    statements: [STATEMENT],
    created_at: STARTED,
    expires_at: new Date(STARTED.getTime() + 3600_000),
  })
  const progress = (): JobProgress => ({
    status: 'running',
    statements: [{ ...STATEMENT, notices: [{ severity: 'NOTICE', message }] }],
    problem: null,
    startedAt: STARTED,
    finishedAt: null,
    backendPid: 1,
  })
  const { promise: heard, resolve } = Promise.withResolvers<HeartbeatResult>()
  const stop = startHeartbeat({ ctx, id, progress, onHeartbeat: resolve })
  return { id, heard, stop }
}

test('a query whose progress can not be stored keeps no other from its heartbeats', async () => {
  // A lone surrogate makes the batched statement fail for all.
  const unstorable = await startBeating('\uD83D')
  const others = [await startBeating('one'), await startBeating('two')]
  try {
    for (const { id, heard } of others) {
      expect(await heard).toMatchObject({ control: { isCancelled: false, keepRunning: false }, hasKeptRole: true })
      const row = await findJob(ctx, id)
      expect(row).toMatchObject({ status: 'running', started_at: STARTED })
      expect(row?.heartbeat_at.getTime()).toBeGreaterThan(STARTED.getTime())
    }
    const { heartbeat_at } = (await findJob(ctx, unstorable.id)) ?? {}
    expect(heartbeat_at).toEqual(STARTED)
  } finally {
    for (const { stop } of [unstorable, ...others]) stop()
  }
})
