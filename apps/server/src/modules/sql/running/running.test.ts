import * as running from '@trellis/contract/sql/running.endpoints'
import { removeMember } from '@trellis/contract/members/members.endpoints'
import type { RunningQuery } from '@trellis/contract/sql/running.schemas'
import { withSession } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { type SqlRunner, createSqlRunner, createWorksheets } from '../testing/sql-runner.ts'

const ENDLESS = 'select count(*) from generate_series(1, 2000000000) as'
const ROLE_IDS = { viewer: 1, editor: 2 }

let app: TestApp
let workspace: ReadyWorkspace
let owner: SqlRunner
let editor: SqlRunner
let viewer: SqlRunner & { profileId: number }

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = createSqlRunner(workspace.account.owner, workspace)
  const join = async (role: keyof typeof ROLE_IDS) => {
    const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
    const workspaces = [{ workspace_trellis_code, workspace_role_id: ROLE_IDS[role] }]
    const { client, id } = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
    return { ...createSqlRunner(client, workspace), profileId: id }
  }
  editor = await join('editor')
  viewer = await join('viewer')
  await workspace.sql('create table data.orders as select 1 as id')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

const list = async (client: TestClient): Promise<RunningQuery[]> =>
  (await client.call(running.listRunningQueries, { params: workspace.tenant })).data.items

async function find(client: TestClient, isWanted: (query: RunningQuery) => boolean): Promise<RunningQuery> {
  let found: RunningQuery | undefined
  await expect
    .poll(async () => {
      found = (await list(client)).find(isWanted)
      return found !== undefined
    })
    .toBe(true)
  return found as RunningQuery
}

const stop = async (client: TestClient, body: object) =>
  await client.call(running.stopRunningQuery, { params: workspace.tenant, body })

describe('running queries', () => {
  test('are seen by whoever started them and by admins, and stopped by both', async () => {
    const job = await editor.start(`${ENDLESS} mine`)
    const own = await find(editor.client, ({ job_id, pid }) => job_id === job.job_id && pid !== null)
    expect(own).toMatchObject({ kind: 'worksheet', is_mine: true, state: 'running', query: job.sql })
    expect(await list(viewer.client)).toEqual([])
    const seen = await find(owner.client, ({ job_id }) => job_id === job.job_id)
    expect(seen).toMatchObject({ is_mine: false, person: 'Test Person' })
    expect((await stop(viewer.client, { job_id: job.job_id })).status).toBe(404)
    expect((await stop(owner.client, { job_id: job.job_id })).status).toBe(200)
    expect((await editor.settle(job)).status).toBe('cancelled')
    const mine = await editor.start(`${ENDLESS} stopped`)
    expect((await stop(editor.client, { job_id: mine.job_id })).status).toBe(200)
    expect((await editor.settle(mine)).status).toBe('cancelled')
    expect((await stop(editor.client, { job_id: mine.job_id })).status).toBe(404)
  })

  test('say whose lock they wait for', async () => {
    const holder = await editor.start(`begin; lock table orders; ${ENDLESS} holder`)
    const locking = await find(editor.client, ({ job_id, pid }) => job_id === holder.job_id && pid !== null)
    const waiting = await owner.start('select * from orders', { timeout_seconds: 60 })
    const blocked = await find(
      owner.client,
      ({ job_id, blocked_by }) => job_id === waiting.job_id && blocked_by.length > 0,
    )
    expect(blocked.blocked_by).toEqual([{ pid: locking.pid, who: 'Test Person' }])
    await editor.cancel(holder)
    await owner.cancel(waiting)
  })

  test('of the platform and of tools are seen and stopped by admins alone', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    const { rows } = await app.database.pool.query('select database_credentials from workspaces where id = $1', [
      workspace.id,
    ])
    const sealed = (rows[0] as { database_credentials: string }).database_credentials
    const place = { scope: `workspace:${workspace.id}`, field: 'database_credentials' }
    const credentials = JSON.parse(await app.ctx.ports.secrets.open(app.ctx, place, sealed)) as never
    const target = { database: `w_${workspace.key}`, credentials, role: 'ro' as const }
    const session = withSession(cluster, target, (openedSession) =>
      openedSession.query({ text: `${ENDLESS} platform` }),
    )
    const ended = session.catch((error: unknown) => error)
    const found = await find(owner.client, ({ query }) => query.endsWith('platform'))
    expect(found).toMatchObject({ kind: 'platform', job_id: null, state: 'running', is_mine: false })
    expect((await stop(editor.client, { pid: found.pid })).status).toBe(404)
    expect((await stop(owner.client, { pid: found.pid })).status).toBe(200)
    expect(await ended).toMatchObject({ name: 'WorkspaceDbError' })
    expect((await stop(owner.client, { pid: 1 })).status).toBe(404)
    expect((await stop(owner.client, {})).status).toBe(400)
  })

  test('of other workspaces are neither seen nor stopped', async () => {
    const other = await makeReadyWorkspace(app, { address: 'other' })
    const stranger = createSqlRunner(other.account.owner, other)
    const job = await stranger.start(`${ENDLESS} theirs`)
    let pid: number | null = null
    await expect
      .poll(async () => {
        const { data } = await stranger.client.call(running.listRunningQueries, { params: other.tenant })
        pid = data.items.find((candidate) => candidate.job_id === job.job_id)?.pid ?? null
        return pid
      })
      .not.toBe(null)
    expect((await list(owner.client)).some(({ query }) => query.endsWith('theirs'))).toBe(false)
    expect((await stop(owner.client, { pid })).status).toBe(404)
    expect((await stop(owner.client, { job_id: job.job_id })).status).toBe(404)
    expect((await stranger.find(job.job_id)).status).toBe('running')
    await stranger.cancel(job)
    await other.remove()
  })
})

describe('a person whose role changes', () => {
  const readStatus = async ({ job_id }: { job_id: string }) => {
    const { rows } = await app.database.pool.query('select status, problem from sql_jobs where id = $1', [job_id])
    return rows[0] as { status: string; problem: { code: string } | null }
  }

  test('loses what still runs with more rights than before', async () => {
    const job = await editor.start(`${ENDLESS} lowered`, { keep_running: true })
    await find(editor.client, ({ job_id, state }) => job_id === job.job_id && state === 'running')
    await app.database.pool.query(
      "update workspace_members set role = 'workspace_viewer' where workspace_id = $1 and role = 'workspace_editor'",
      [workspace.id],
    )
    await expect.poll(() => readStatus(job)).toMatchObject({ status: 'cancelled', problem: { code: 'role_changed' } })
    const later = await editor.run('create table refused (n int)')
    expect(later.status).toBe('failed')
  })

  test('loses everything that runs when they are removed', async () => {
    const job = await viewer.start(`${ENDLESS} removed`, { keep_running: true })
    await find(owner.client, ({ job_id, state }) => job_id === job.job_id && state === 'running')
    const params = { account_trellis_code: workspace.account.code }
    const body = {
      ...params,
      granting_profile_id: workspace.account.ownerId,
      receiving_profile_id: viewer.profileId,
    }
    const { status } = await owner.client.call(removeMember, { params, body })
    expect(status).toBe(200)
    await expect.poll(() => readStatus(job)).toMatchObject({ status: 'cancelled' })
  })
})

describe('parameters', () => {
  test('are remembered per person and worksheet', async () => {
    const createWorksheet = await createWorksheets(workspace.account.owner, workspace.tenant)
    const file_id = await createWorksheet()
    const parameters = { n: { type: 'integer', value: '5' } }
    await owner.run('select :n', { parameters, file_id })
    const read = async (client: TestClient) =>
      (await client.call(running.getRememberedParameters, { params: { ...workspace.tenant, file_id } })).data
    expect(await read(owner.client)).toEqual({ parameters })
    expect(await read(editor.client)).toEqual({ parameters: {} })
    const later = { n: { type: 'integer', value: '6' }, m: { type: 'text', value: null } }
    await owner.run('select :n, :m', { parameters: later, file_id })
    expect(await read(owner.client)).toEqual({ parameters: later })
  })
})
