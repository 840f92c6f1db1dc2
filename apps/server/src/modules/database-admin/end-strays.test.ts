import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { allJobs } from '../all-jobs.ts'
import { openWorkspaceDatabase } from '../../platform/workspace-database/open-database.ts'

let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  app = await startTestApp()
  workspace = await makeReadyWorkspace(app, { account: await makeAccount(app), address: 'first' })
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

test('the worker ends sessions that lost their process, on a schedule', async () => {
  const strays = allJobs.find(({ job }) => job.name === 'database-admin.end-strays')
  expect(strays?.job.cron).toBeDefined()
  const database = `w_${workspace.key}`
  const { rows } = await app.database.pool.query<{ id: number }>('select id from workspaces where database_key = $1', [
    workspace.key,
  ])
  const openedDatabase = await openWorkspaceDatabase(app.ctx, {
    workspaceId: rows[0]?.id ?? 0,
    integrationCode: workspace.integrationCode,
  })
  const login = { database, user: `${database}_ro`, password: openedDatabase.credentials.readOnly }
  const stray = new pg.Client(openedDatabase.cluster.loginConfig(login))
  stray.on('error', () => undefined)
  await stray.connect()
  const ended = new Promise((resolve) => stray.once('end', resolve))
  const run = { id: '', job: '', attempt: 1, isLastAttempt: true, signal: AbortSignal.timeout(60_000) }
  await strays?.handler(app.ctx, { database }, run)
  await stray.query('select 1')
  await strays?.handler(app.ctx, { olderThanMs: 0, database }, run)
  await ended
})
