import { setImmediate } from 'node:timers/promises'
import { openCluster } from '@trellis/workspace-db/cluster'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { openWorkspaceDatabase } from '../../../platform/workspace-database/open-database.ts'
import { withJobSession } from '../job-session.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

test('queries that find the queue of their workspace full wait without blocking the process', async () => {
  const { integrationCode, id: workspaceId } = workspace
  const openedDatabase = await openWorkspaceDatabase(app.ctx, { workspaceId, integrationCode })
  const cluster = await openCluster({ adminUrl: app.database.adminUrl, sessions: { perWorkspace: 1, waiting: 1 } })
  const code = integrationCode.replace(/-db$/, '')
  const run = (profileId: number, work: () => Promise<void>) => {
    const ctx = { ...app.ctx, actor: { profileId }, workspace: { id: workspaceId, code, role: 'workspace_admin' } }
    const row = { integration_code: integrationCode, request: { timeoutSeconds: 60 } }
    return withJobSession(ctx as unknown as WorkspaceCtx, row, {
      signal: new AbortController().signal,
      limits: { maxRows: 10, maxBytes: 1000, isReadOnly: true },
      onNotice: () => undefined,
      database: { ...openedDatabase, cluster },
      work,
    })
  }
  try {
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = run(1, async () => {
      begun.resolve()
      await released.promise
    })
    await begun.promise
    const done: number[] = []
    const others = [2, 3, 4].map((person) => run(person, async () => void done.push(person)))
    // Never resolves while the event loop is blocked.
    await setImmediate()
    expect(done).toEqual([])
    released.resolve()
    await Promise.all([first, ...others])
    expect(done.toSorted()).toEqual([2, 3, 4])
  } finally {
    await cluster.close()
  }
})
