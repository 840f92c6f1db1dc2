import type { Endpoint } from '@trellis/contract/core/endpoint'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow, triggerOn } from '../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type RunWorker, startRunWorker } from './run-worker.service.ts'
import { RunFault, type Work } from './runner/run-work.ts'

let app: TestApp
let account: TestAccount
let flow: TestFlow
let tenant: { account_trellis_code: string; workspace_address: string }
const workers: RunWorker[] = []
const limits = { total: 4, perWorkspace: 4, perCredential: 2, sessionsPerWorkspace: 50 }

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  tenant = { account_trellis_code: account.code, workspace_address: 'shop' }
  flow = await makeFlow(app, { accountId: account.id, workspaceId: workspace.id })
})
afterAll(async () => await app.close())
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop({ graceMs: 0 })
})

function work(does: Work<never>): void {
  workers.push(
    startRunWorker({ ctx: app.ctx, url: app.database.url, limits, work: { Transformation: does }, graceMs: 200 }),
  )
}

async function execute(block: { code: string }, body: object = {}): Promise<TaskRun> {
  const answer = await account.owner.call(calls.executeBlock, {
    params: { ...tenant, task_block_trellis_code: block.code },
    body,
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data
}

const params = (run: TaskRun) => ({ ...tenant, task_run_trellis_code: run.task_run_trellis_code })
const details = async (run: TaskRun) => (await account.owner.call(calls.getTaskRun, { params: params(run) })).data

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
const ended = (run: TaskRun) =>
  until(async () => {
    const now = await details(run)
    return ['SUCCESS', 'FAILED', 'EXCEPTION'].includes(now.status) && now
  })

test('a run goes through its states, counts, logs and ends', async () => {
  const seen: string[] = []
  const block = await makeBlock(app, flow)
  const run = await execute(block)
  expect(run).toMatchObject({ status: 'QUEUED', started_by: 'person', can_cancel: true, can_retry: false })
  work(async ({ markWorking: working, count, markCommitted: committed, log, run: { epoch } }) => {
    seen.push((await details(run)).status)
    await working()
    seen.push((await details(run)).status)
    log('INFO', 'Reading 100%_sure\0', 'orders')
    log('DEBUG', 'x'.repeat(9000))
    count({ rows_read: 3, rows_written: 2, bytes: 10 })
    count({ rows_written: 1 })
    committed()
    expect(epoch).toBeGreaterThan(0)
  })
  const end = await ended(run)
  expect(seen).toEqual(['INITIALIZING', 'RUNNING'])
  expect(end).toMatchObject({
    status: 'SUCCESS',
    counters: { rows_read: 3, rows_written: 3, bytes: 10 },
    problem: null,
  })
  expect(end.attempts).toMatchObject([{ number: 1, status: 'SUCCESS' }])
  const log = await account.owner.call(calls.getTaskRunLogs, { params: params(run) })
  expect(log.data.is_over).toBe(true)
  expect(log.data.lines.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(log.data.lines[1]).toMatchObject({ message: 'Reading 100%_sure�', subtask: 'orders' })
  expect(log.data.lines[2]?.message).toMatch(/^x{8000,}… \(cut\)$|^x+ … \(cut\)$/)
  const search = async (query: object) =>
    (await account.owner.call(calls.getTaskRunLogs, { params: params(run), query: { ...query } })).data.lines.length
  expect(await search({ search: '100%_SURE' })).toBe(1)
  expect(await search({ search: '100x' })).toBe(0)
  expect(await search({ level: 'DEBUG' })).toBe(1)
  expect(await search({ before: 3, limit: 1 })).toBe(1)
  const file = await account.owner.call(calls.downloadTaskRunLogs, { params: params(run) })
  expect(file.text.split('\n').filter(Boolean)).toHaveLength(4)
})

test('what is not published, not there or not allowed is not run', async () => {
  const draft = await makeBlock(app, flow, { isPublished: false })
  const refusedResponse = await account.owner.call(calls.executeBlock, {
    params: { ...tenant, task_block_trellis_code: draft.code },
    body: {},
  })
  expect(refusedResponse).toMatchObject({ status: 409, errors: [{ code: 'block_incomplete' }] })
  const block = await makeBlock(app, flow)
  const other = await makeAccount(app)
  const stranger = await other.owner.call(calls.executeBlock, {
    params: { ...tenant, task_block_trellis_code: block.code },
    body: {},
  })
  expect(stranger.status).toBe(404)
})

test('a fault that may pass is tried again, one that people must mend is not, and a retry goes on from there', async () => {
  const tries: { attempt: number; root: string }[] = []
  let isMended = false
  work(async ({ run, markWorking: working }) => {
    tries.push({ attempt: run.attempt, root: run.rootCode })
    await working()
    if (!isMended)
      throw new RunFault('configuration', 'The column is gone.', { advice: 'Choose another.', subtask: 'a' })
  })
  const run = await execute(await makeBlock(app, flow))
  const failed = await ended(run)
  expect(failed).toMatchObject({
    status: 'FAILED',
    can_retry: true,
    problem: { kind: 'configuration', message: 'The column is gone.', advice: 'Choose another.', subtask: 'a' },
  })
  isMended = true
  const again = await account.owner.call(calls.retryTaskRun, { params: params(run) })
  expect(await ended(again.data)).toMatchObject({ status: 'SUCCESS', started_by: 'retry' })
  expect(tries.map(({ root }) => root)).toEqual([run.task_run_trellis_code, run.task_run_trellis_code])
})

test('a passing fault queues a visible next attempt', async () => {
  work(async ({ run }) => {
    if (run.attempt === 1) throw new RunFault('transient', 'The platform did not answer.')
  })
  const run = await execute(await makeBlock(app, flow))
  const waiting = await until(async () => {
    const now = await details(run)
    return now.retry_at !== null && now
  })
  expect(waiting).toMatchObject({ status: 'QUEUED', attempts: [{ number: 1, status: 'FAILED' }] })
  await app.database.pool.query('update task_runs set retry_at = now() where trellis_code = $1', [
    run.task_run_trellis_code,
  ])
  expect(await ended(run)).toMatchObject({ status: 'SUCCESS', attempts: [{ number: 1 }, { number: 2 }], problem: null })
})

test('cancel stops the work, also work that does not listen', async () => {
  const begun = Promise.withResolvers<void>()
  work(async ({ signal }) => {
    begun.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const run = await execute(await makeBlock(app, flow))
  await begun.promise
  expect((await account.owner.call(calls.cancelTaskRun, { params: params(run) })).status).toBe(200)
  expect(await ended(run)).toMatchObject({ status: 'FAILED', problem: { kind: 'cancelled' } })
  for (const worker of workers.splice(0)) await worker.stop()

  const deaf = Promise.withResolvers<void>()
  work(async () => {
    deaf.resolve()
    await new Promise(() => undefined)
  })
  const second = await execute(await makeBlock(app, flow))
  await deaf.promise
  await account.owner.call(calls.cancelTaskRun, { params: params(second) })
  expect(await ended(second)).toMatchObject({ status: 'FAILED', problem: { kind: 'cancelled' } })
  const late = await account.owner.call(calls.cancelTaskRun, { params: params(second) })
  expect(late).toMatchObject({ status: 409, errors: [{ code: 'conflict' }] })
})

test('a worker that is stopped gives its run to another at once', async () => {
  const begun = Promise.withResolvers<void>()
  work(async ({ signal }) => {
    begun.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  const run = await execute(await makeBlock(app, flow))
  await begun.promise
  await workers.splice(0)[0]?.stop({ graceMs: 0 })
  expect(await details(run)).toMatchObject({ status: 'QUEUED', problem: null })
  work(async () => undefined)
  const end = await ended(run)
  expect(end.attempts.map(({ status }) => status)).toEqual(['QUEUED', 'SUCCESS'])
})

test('a success sets off what waits for it, once; a single block does not', async () => {
  const first = await makeBlock(app, flow)
  const second = await makeBlock(app, flow)
  const any = await makeBlock(app, flow, { trigger: triggerOn('Or', { after: [first, second] }) })
  const all = await makeBlock(app, flow, { trigger: triggerOn('And', { after: [first, second] }) })
  work(async () => undefined)
  const listRuns = async ({ code }: { code: string }) => {
    const page = await account.owner.call(calls.listTaskRuns, {
      params: { ...tenant, trellis_code: flow.code },
      query: { task_block_trellis_code: code },
    })
    return page.data.runs
  }
  const alone = await ended(await execute(first, { scope: 'block' }))
  expect(alone.downstream).toEqual([])
  const run = await ended(await execute(first, { scope: 'from_here' }))
  expect(run.downstream).toMatchObject([{ block_name: any.name }])
  expect(await listRuns(any)).toMatchObject([{ started_by: 'activity', because: `“${first.name}” succeeded.` }])
  expect(await listRuns(all)).toEqual([])
  const other = await ended(await execute(second, { scope: 'from_here' }))
  expect(other.downstream).toHaveLength(2)
  const both = await until(async () => (await listRuns(all))[0])
  expect((await details(both)).upstream).toEqual(
    [run, other].map(({ task_run_trellis_code, block_name }) => ({
      task_run_trellis_code,
      block_name,
      status: 'SUCCESS',
    })),
  )
  expect(await listRuns(any)).toHaveLength(2)
})

test('runs of one workspace are not there for another of the same account', async () => {
  const run = await execute(await makeBlock(app, flow))
  const { id } = await makeWorkspaceRow(app, account, 'other')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [id])
  const at = (code: string, address = 'other') => ({
    params: {
      ...tenant,
      workspace_address: address,
      task_run_trellis_code: code,
      task_block_trellis_code: run.task_block_trellis_code,
      trellis_code: flow.code,
    },
    body: { choice: 'accept' },
  })
  for (const call of calls.runsEndpoints as readonly Endpoint[]) {
    if (call.id === 'previewDueTimes') continue
    const { body, ...rest } = at(run.task_run_trellis_code)
    const answer = await account.owner.call(call, call.method === 'GET' ? rest : { ...rest, body })
    expect([call.id, answer.status]).toEqual([call.id, 404])
  }
  expect(await details(run)).toMatchObject({ status: 'QUEUED', can_cancel: true })
  await account.owner.call(calls.cancelTaskRun, { params: params(run) })
  expect(await details(run)).toMatchObject({ status: 'FAILED', problem: { kind: 'cancelled' } })
})

test('who wants to know is told how a run ended', async () => {
  const watched = await makeFlow(app, flow)
  const alerts = {
    emails: ['ops@example.com'],
    webhook_url: null,
    on_failure: true,
    on_recovery: true,
    on_later_than_usual: false,
  }
  await app.database.pool.query('update dataflows set alerts = $1 where id = $2', [JSON.stringify(alerts), watched.id])
  work(async () => {
    throw new RunFault('configuration', 'The column is gone.')
  })
  await ended(await execute(await makeBlock(app, watched)))
  const told = await until(async () => {
    const { rows } = await app.database.pool.query<{ kind: string }>('select kind from sent_alerts')
    return rows.length > 0 && rows
  })
  expect(told).toEqual([{ kind: 'failure' }])
})
