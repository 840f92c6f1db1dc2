import * as calls from '@trellis/contract/runs/flow-runs.endpoints'
import type { FlowRun, FlowRunDetails } from '@trellis/contract/runs/flow-runs.schemas'
import { cancelTaskRun, decideSchemaChange, executeBlock, retryTaskRun } from '@trellis/contract/runs/runs.endpoints'
import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestBlock, type TestFlow, makeBlock, makeFlow, triggerOn } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { createRunBlockerLookup } from '../runner/gate.ts'
import { type RunWorker, startRunWorker } from '../run-worker.service.ts'
import { fireTicks } from '../triggers/fire-ticks.ts'
import { RunFault, type Work } from '../runner/run-work.ts'

let app: TestApp
let account: TestAccount
let owner: { accountId: number; workspaceId: number }
let tenant: { account_trellis_code: string; workspace_address: string }
const workers: RunWorker[] = []
const limits = { total: 4, perWorkspace: 4, perCredential: 2, sessionsPerWorkspace: 50 }

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  tenant = { account_trellis_code: account.code, workspace_address: 'shop' }
  owner = { accountId: account.id, workspaceId: workspace.id }
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

const flowParams = (flow: TestFlow) => ({ ...tenant, trellis_code: flow.code })
const params = ({ flow_run_trellis_code }: Pick<FlowRun, 'flow_run_trellis_code'>) => ({
  ...tenant,
  flow_run_trellis_code,
})

async function list(flow: TestFlow, query: Record<string, unknown> = {}): Promise<FlowRun[]> {
  const answer = await account.owner.call(calls.listFlowRuns, { params: flowParams(flow), query })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data.flow_runs
}
async function get(flowRun: Pick<FlowRun, 'flow_run_trellis_code'>): Promise<FlowRunDetails> {
  const answer = await account.owner.call(calls.getFlowRun, { params: params(flowRun) })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data
}
async function execute(block: TestBlock, body: object = {}): Promise<TaskRun> {
  const answer = await account.owner.call(executeBlock, {
    params: { ...tenant, task_block_trellis_code: block.code },
    body,
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data
}
async function executeAll(flow: TestFlow): Promise<FlowRun> {
  const answer = await account.owner.call(calls.executeDataflow, { params: flowParams(flow) })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data
}

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
const over = (flowRun: Pick<FlowRun, 'flow_run_trellis_code'>) =>
  until(async () => {
    const now = await get(flowRun)
    return now.state !== 'running' && now
  })

async function makeChain(flow: TestFlow) {
  const first = await makeBlock(app, flow)
  const second = await makeBlock(app, flow, { trigger: triggerOn('Or', { after: [first] }) })
  const last = await makeBlock(app, flow, { trigger: triggerOn('And', { after: [first, second] }) })
  return { first, second, last }
}

async function makeTicks(blocks: readonly TestBlock[], nominalAt: Date): Promise<void> {
  for (const { id } of blocks) {
    await app.database.pool.query(
      `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at) values ($1, $2, 1, 'clock', $3)`,
      [account.id, id, nominalAt],
    )
  }
}

test('a run of the flow holds every block it started, says how far it is and never looks over in between', async () => {
  const flow = await makeFlow(app, owner)
  const { first, second, last } = await makeChain(flow)
  const begun = await executeAll(flow)
  expect(begun).toMatchObject({
    state: 'running',
    cause: 'person',
    progress: { done: 0, total: 3 },
    can_cancel: true,
    can_retry: false,
    finished_at: null,
  })
  expect(begun.because).toMatch(/ ran the flow\.$/)
  const states = new Set<string>()
  work(async ({ count, log, block }) => {
    states.add((await get(begun)).state)
    log('INFO', `Hello from ${block.code}`)
    count({ rows_written: 2, rows_updated: 1 })
  })
  const end = await over(begun)
  expect([...states]).toEqual(['running'])
  expect(end).toMatchObject({ state: 'succeeded', progress: { done: 3, total: 3 }, rows_written: 9, can_cancel: false })
  expect(end.blocks.map(({ block_name }) => block_name)).toEqual([first.name, second.name, last.name])
  expect(end.runs).toHaveLength(3)
  expect(new Set(end.runs.map((run) => run.flow_run_trellis_code))).toEqual(new Set([begun.flow_run_trellis_code]))
  expect((await list(flow)).map((item) => item.flow_run_trellis_code)).toEqual([begun.flow_run_trellis_code])
})

test('the logs of all blocks are one stream that is read on without a gap', async () => {
  const flow = await makeFlow(app, owner)
  await makeChain(flow)
  work(async ({ log, block }) => {
    for (let at = 0; at < 5; at += 1) log(at === 3 ? 'WARNING' : 'INFO', `${block.code} line ${at}`)
  })
  const { flow_run_trellis_code } = await over(await executeAll(flow))
  const read = async (query: Record<string, unknown>) =>
    (await account.owner.call(calls.getFlowRunLogs, { params: params({ flow_run_trellis_code }), query })).data
  const whole = await read({ limit: 1000 })
  expect(whole.is_over).toBe(true)
  expect(whole.lines.filter(({ message }) => / line \d$/.test(message))).toHaveLength(15)
  const pages: string[] = []
  for (let page = await read({ limit: 4 }); ; page = await read({ limit: 4, after: page.next })) {
    pages.push(...page.lines.map(({ task_run_trellis_code, number }) => `${task_run_trellis_code} ${number}`))
    if (page.is_over) break
  }
  expect(pages).toEqual(whole.lines.map(({ task_run_trellis_code, number }) => `${task_run_trellis_code} ${number}`))
  const warnings = await read({ level: 'WARNING' })
  expect(warnings.lines).toHaveLength(3)
  expect(new Set(warnings.lines.map(({ block_name }) => block_name)).size).toBe(3)
  expect((await read({ after: whole.next })).lines).toEqual([])
})

test('what failed is retried within its flow run, and what waits for it follows', async () => {
  const flow = await makeFlow(app, owner)
  const { second, last } = await makeChain(flow)
  let isMended = false
  work(async ({ block }) => {
    if (block.code === second.code && !isMended) throw new RunFault('configuration', 'No such column.')
  })
  const failed = await over(await executeAll(flow))
  expect(failed).toMatchObject({ state: 'failed', progress: { done: 1, total: 3 }, can_retry: true })
  expect(await list(flow, { state: 'succeeded' })).toEqual([])
  expect(await list(flow, { state: 'failed' })).toHaveLength(1)
  isMended = true
  const again = await account.owner.call(calls.retryFlowRun, { params: params(failed) })
  expect(again.data).toMatchObject({ flow_run_trellis_code: failed.flow_run_trellis_code, state: 'running' })
  expect((await account.owner.call(calls.retryFlowRun, { params: params(failed) })).status).toBe(409)
  const end = await over(failed)
  expect(end).toMatchObject({ state: 'succeeded', progress: { done: 3, total: 3 }, can_retry: false })
  expect(end.runs).toHaveLength(4)
  expect(end.blocks.map(({ block_name }) => block_name)).toContain(last.name)
  expect(await list(flow, { state: 'failed' })).toEqual([])
})

test('a flow run whose blocks ask something needs a decision, and is no failure; a retry without one asks no more', async () => {
  const flow = await makeFlow(app, owner)
  const { second } = await makeChain(flow)
  const question = {
    changes: [{ id: 'add:x', in_words: 'The source has a new column x.', if_kept: 'x is left out.' }],
    can_keep: true,
    decision: null,
  }
  let isAnswered = false
  work(async ({ block, run: { request } }) => {
    if (block.code !== second.code || isAnswered || request.answers) return
    throw new RunFault('schema_changed', 'The columns changed.', { question })
  })
  const paused = await over(await executeAll(flow))
  expect(paused).toMatchObject({ state: 'needs_decision', progress: { done: 1, total: 3 }, can_retry: true })
  expect(paused.blocks.map(({ waiting_for }) => waiting_for)).toEqual([null, 'decision'])
  expect(await list(flow, { state: 'failed' })).toEqual([])
  expect(await list(flow, { state: 'needs_decision' })).toHaveLength(1)
  const asked = paused.runs.find(({ waiting_for }) => waiting_for === 'decision')
  expect(asked).toMatchObject({ status: 'FAILED', problem: { question } })
  const decide = async (code = '') =>
    await account.owner.call(decideSchemaChange, {
      params: { ...tenant, task_run_trellis_code: code },
      body: { choice: 'keep' },
    })
  expect((await decide(asked?.task_run_trellis_code)).data).toMatchObject({ started_by: 'retry', waiting_for: null })
  const end = await over(paused)
  expect(end).toMatchObject({ state: 'succeeded', progress: { done: 3, total: 3 } })
  expect(end.runs.every(({ waiting_for }) => waiting_for === null)).toBe(true)

  const other = await over(await executeAll(flow))
  expect(other.state).toBe('needs_decision')
  isAnswered = true
  await account.owner.call(calls.retryFlowRun, { params: params(other) })
  expect((await over(other)).runs.every(({ waiting_for }) => waiting_for === null)).toBe(true)
  const stale = other.runs.find(({ waiting_for }) => waiting_for === 'decision')
  expect(await decide(stale?.task_run_trellis_code)).toMatchObject({ status: 409 })
})

test('a block that was deleted waits for no decision, until it is restored', async () => {
  const flow = await makeFlow(app, owner)
  const block = await makeBlock(app, flow)
  const question = { changes: [], can_keep: true, decision: null }
  work(async () => {
    throw new RunFault('schema_changed', 'The columns changed.', { question })
  })
  const paused = await over(await executeAll(flow))
  expect(paused.state).toBe('needs_decision')
  const [asked] = paused.runs
  const mark = async (at: Date | null) =>
    await app.database.pool.query('update task_blocks set deleted_at = $2 where trellis_code = $1', [block.code, at])
  await mark(new Date())
  expect(await get(paused)).toMatchObject({ state: 'cancelled', can_retry: false, runs: [{ waiting_for: null }] })
  expect(await list(flow, { state: 'needs_decision' })).toEqual([])
  const late = await account.owner.call(decideSchemaChange, {
    params: { ...tenant, task_run_trellis_code: asked?.task_run_trellis_code ?? '' },
    body: { choice: 'accept' },
  })
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('The block of this run was deleted.')])
  await mark(null)
  expect(await get(paused)).toMatchObject({ state: 'needs_decision', runs: [{ waiting_for: 'decision' }] })
})

test('of a decision and a retry of the whole run at the same time one wins', async () => {
  const flow = await makeFlow(app, owner)
  await makeBlock(app, flow)
  const question = { changes: [], can_keep: true, decision: null }
  work(async ({ run: { request } }) => {
    if (!request.answers) throw new RunFault('schema_changed', 'The columns changed.', { question })
  })
  for (let round = 0; round < 5; round += 1) {
    const paused = await over(await executeAll(flow))
    const code = paused.runs[0]?.task_run_trellis_code ?? ''
    const answers = await Promise.all([
      account.owner.call(decideSchemaChange, {
        params: { ...tenant, task_run_trellis_code: code },
        body: { choice: 'keep' },
      }),
      account.owner.call(calls.retryFlowRun, { params: params(paused) }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await over(paused)).runs).toHaveLength(2)
  }
})

test('cancelling ends every block and starts none of those behind, until it is retried', async () => {
  const flow = await makeFlow(app, owner)
  const { first } = await makeChain(flow)
  const begun = await executeAll(flow)
  let release: () => void = () => undefined
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  let hasStarted = false
  // Ignores the cancellation and succeeds.
  work(async () => {
    hasStarted = true
    await isReleased
  })
  await until(async () => hasStarted)
  const [run] = (await get(begun)).runs
  const cancelled = await account.owner.call(calls.cancelFlowRun, { params: params(begun) })
  expect(cancelled.data.can_cancel).toBe(false)
  // As if the cancellation came too late.
  await app.database.pool.query('update task_runs set is_cancel_wanted = false where trellis_code = $1', [
    run?.task_run_trellis_code,
  ])
  release()
  const end = await over(begun)
  expect(end.state).toBe('cancelled')
  expect(
    end.blocks.filter(({ is_cancelled }) => !is_cancelled).every(({ block_name }) => block_name === first.name),
  ).toBe(true)
  expect((await account.owner.call(calls.cancelFlowRun, { params: params(begun) })).status).toBe(409)
  await account.owner.call(calls.retryFlowRun, { params: params(begun) })
  expect((await over(begun)).state).toBe('succeeded')
})

test('blocks due at the same time share a flow run, at another time they do not, whoever fires them', async () => {
  const flow = await makeFlow(app, owner)
  const trigger = triggerOn('Or', { cron: '0 0 * * ? *' })
  const options = { trigger, ticksUntil: new Date('2100-01-01') }
  const blocks = [await makeBlock(app, flow, options), await makeBlock(app, flow, options)]
  const third = await makeBlock(app, flow, options)
  const hour = 3_600_000
  const due = new Date(Math.floor(app.clock.now().getTime() / hour) * hour)
  await makeTicks(blocks, due)
  const gate = createRunBlockerLookup(app.ctx)
  await Promise.all([fireTicks(app.ctx, gate), fireTicks(app.ctx, gate)])
  // In a later batch.
  await makeTicks([third], due)
  await fireTicks(app.ctx, gate)
  const [one, ...none] = await list(flow)
  expect(none).toEqual([])
  expect(one).toMatchObject({ cause: 'schedule', nominal_at: due.toISOString(), who: null })
  expect(one?.blocks).toHaveLength(3)
  const later = new Date(due.getTime() + 1000)
  await app.database.pool.query("update task_runs set status = 'SUCCESS', finished_at = now() where dataflow_id = $1", [
    flow.id,
  ])
  await makeTicks(blocks.slice(0, 1), later)
  await until(async () => (await fireTicks(app.ctx, gate)).queued > 0)
  expect((await list(flow)).map(({ nominal_at, blocks: some }) => [nominal_at, some.length])).toEqual([
    [later.toISOString(), 1],
    [due.toISOString(), 3],
  ])
  expect(await list(flow, { cause: 'person' })).toEqual([])
})

test('a waiting run that goes on for a newer due time moves to its flow run', async () => {
  const flow = await makeFlow(app, owner, { overlap: 'queue' })
  const block = await makeBlock(app, flow, {
    trigger: triggerOn('Or', { cron: '0 0 * * ? *' }),
    ticksUntil: new Date('2100-01-01'),
  })
  const gate = createRunBlockerLookup(app.ctx)
  const at = app.clock.now().getTime() - 60_000
  for (const ms of [0, 1000, 2000]) {
    await makeTicks([block], new Date(at + ms))
    await fireTicks(app.ctx, gate)
  }
  expect((await list(flow)).map(({ nominal_at }) => nominal_at)).toEqual([
    new Date(at + 2000).toISOString(),
    new Date(at).toISOString(),
  ])
  await app.database.pool.query('delete from task_runs where dataflow_id = $1', [flow.id])
})

test('a waiting run stays in its flow run when the newer one was cancelled, which gets a run that can be retried', async () => {
  const flow = await makeFlow(app, owner, { overlap: 'queue' })
  const options = { trigger: triggerOn('Or', { cron: '0 0 * * ? *' }), ticksUntil: new Date('2100-01-01') }
  const [block, other] = [await makeBlock(app, flow, options), await makeBlock(app, flow, options)]
  const gate = createRunBlockerLookup(app.ctx)
  const at = app.clock.now().getTime() - 60_000
  const due = async (blocks: readonly TestBlock[], ms: number) => {
    await makeTicks(blocks, new Date(at + ms))
    await fireTicks(app.ctx, gate)
  }
  const waitingIn = async () =>
    (await list(flow)).flatMap(({ nominal_at, blocks: some }) =>
      some
        .filter(({ task_block_trellis_code: code, status }) => code === block.code && status === 'QUEUED')
        .map(() => Date.parse(nominal_at ?? '') - at),
    )
  await due([block], 0)
  await due([block], 1000)
  // The flow run is cancelled between the two blocks.
  await due([other], 2000)
  const [newest] = await list(flow)
  if (!newest) throw new Error('There is none.')
  await account.owner.call(calls.cancelFlowRun, { params: params(newest) })
  await due([block], 2000)
  expect(await waitingIn()).toEqual([1000, 0])
  const cancelled = await get(newest)
  expect(cancelled).toMatchObject({ state: 'cancelled', can_retry: true })
  expect(cancelled.runs.map(({ task_block_trellis_code: code, status }) => [code, status])).toEqual([
    [other.code, 'FAILED'],
    [block.code, 'FAILED'],
  ])
  // Active ones still count.
  await due([block], 3000)
  expect(await waitingIn()).toEqual([3000, 0])
  const { rows } = await app.database.pool.query(
    'select outcome from schedule_ticks where block_id = $1 order by nominal_at',
    [block.id],
  )
  expect(rows.map(({ outcome }) => outcome)).toEqual(['fired', 'replaced', 'fired', 'fired'])
  await app.database.pool.query('delete from task_runs where dataflow_id = $1', [flow.id])
})

test('several schedulers at once make one flow run for each due time of a dataflow, also where runs wait', async () => {
  const trigger = triggerOn('Or', { cron: '0 0 * * ? *' })
  const flows = await Promise.all(Array.from({ length: 3 }, () => makeFlow(app, owner, { overlap: 'queue' })))
  const blocks: TestBlock[] = []
  for (let at = 0; at < 12; at += 1) {
    blocks.push(await makeBlock(app, flows[at % 3] as TestFlow, { trigger, ticksUntil: new Date('2100-01-01') }))
  }
  const gate = createRunBlockerLookup(app.ctx)
  const start = app.clock.now().getTime() - 60_000
  for (let round = 0; round < 6; round += 1) {
    const mixed = round % 2 === 0 ? blocks : blocks.toReversed()
    await Promise.all(
      mixed.map(async (block, at) => {
        await makeTicks([block], new Date(start + round * 1000))
        if (at % 3 === 0) await fireTicks(app.ctx, gate)
      }),
    )
    await Promise.all([fireTicks(app.ctx, gate), fireTicks(app.ctx, gate), fireTicks(app.ctx, gate)])
    await until(async () => (await fireTicks(app.ctx, gate)).remaining === 'nothing')
  }
  for (const flow of flows) {
    const shown = await list(flow)
    expect(shown.map(({ nominal_at }) => nominal_at)).toEqual([
      new Date(start + 5000).toISOString(),
      new Date(start).toISOString(),
    ])
    expect(shown.map(({ blocks: some }) => some.length)).toEqual([4, 4])
  }
  const ids = flows.map(({ id }) => id)
  await app.database.pool.query('delete from task_runs where dataflow_id = any($1)', [ids])
})

test('another dataflow gets a flow run of its own that names its cause, one for all blocks that wait for it', async () => {
  const [flow, next] = [await makeFlow(app, owner), await makeFlow(app, owner)]
  const first = await makeBlock(app, flow)
  await makeBlock(app, next, { trigger: triggerOn('Or', { after: [first] }) })
  await makeBlock(app, next, { trigger: triggerOn('Or', { after: [first] }) })
  work(async () => undefined)
  const { flow_run_trellis_code: cause } = await execute(first, { scope: 'from_here' })
  const begun = await until(async () => (await list(next))[0])
  const end = await over(begun)
  expect(end).toMatchObject({ cause: 'event', state: 'succeeded', progress: { done: 2, total: 2 } })
  expect(end.caused_by).toMatchObject({ flow_run_trellis_code: cause, dataflow_trellis_code: flow.code })
  expect(end.because).toBe(`“${first.name}” in “Flow ${flow.code}” succeeded.`)
  expect(await list(next)).toHaveLength(1)
})

test('a block alone, from here on and over a window are flow runs of their own; a retry stays in that of what it repeats', async () => {
  const flow = await makeFlow(app, owner)
  const { first } = await makeChain(flow)
  const alone = await execute(first)
  const onwards = await execute(first, { scope: 'from_here' })
  expect(alone.flow_run_trellis_code).not.toBe(onwards.flow_run_trellis_code)
  expect((await list(flow)).map(({ progress }) => progress.total)).toEqual([3, 1])
  await account.owner.call(cancelTaskRun, {
    params: { ...tenant, task_run_trellis_code: alone.task_run_trellis_code },
  })
  const code = alone.flow_run_trellis_code ?? ''
  expect((await get({ flow_run_trellis_code: code })).state).toBe('cancelled')
  const retried = await account.owner.call(retryTaskRun, {
    params: { ...tenant, task_run_trellis_code: alone.task_run_trellis_code },
  })
  expect(retried.data.flow_run_trellis_code).toBe(code)
  expect((await get({ flow_run_trellis_code: code })).state).toBe('running')
  await app.database.pool.query('delete from task_runs where dataflow_id = $1', [flow.id])
})

test('a flow run is compared with earlier ones of the same blocks, and names blocks of another version', async () => {
  const flow = await makeFlow(app, owner)
  const block = await makeBlock(app, flow)
  const seconds = [10, 12, 8, 20]
  for (const [at, took] of seconds.entries()) {
    const { flow_run_trellis_code: code } = await execute(block)
    const version = at === 3 ? 2 : 1
    await app.database.pool.query(
      `update task_runs r set status = 'SUCCESS', started_at = now(), finished_at = now() + $1 * interval '1 second',
              counters = '{"rows_written": 100}', block_version = $2
         from flow_runs f where f.id = r.flow_run_id and f.trellis_code = $3`,
      [took, version, code],
    )
  }
  const [latest] = await list(flow)
  if (!latest) throw new Error('There is none.')
  expect((await get(latest)).comparison).toEqual({
    count: 3,
    duration_ms: 10_000,
    rows: 100,
    duration_ratio: 2,
    rows_ratio: 1,
    changed_blocks: [block.name],
  })
})

test('pages go on where the one before ended, whatever the state asked for', async () => {
  const flow = await makeFlow(app, owner)
  const block = await makeBlock(app, flow)
  for (let at = 0; at < 7; at += 1) await execute(block)
  await app.database.pool.query(
    `update task_runs set status = case when id % 2 = 0 then 'SUCCESS' else 'FAILED' end, finished_at = now() where dataflow_id = $1`,
    [flow.id],
  )
  for (const state of [undefined, 'succeeded', 'failed'] as const) {
    const all = await list(flow, { ...(state && { state }), limit: 100 })
    const paged: FlowRun[] = []
    for (let before: string | undefined; ;) {
      const { data } = await account.owner.call(calls.listFlowRuns, {
        params: flowParams(flow),
        query: { limit: 2, ...(state && { state }), ...(before && { before }) },
      })
      paged.push(...data.flow_runs)
      if (data.next === null) break
      before = data.next
    }
    expect(paged.map((item) => item.flow_run_trellis_code)).toEqual(all.map((item) => item.flow_run_trellis_code))
  }
})

test('a dataflow without anything published is not run', async () => {
  const flow = await makeFlow(app, owner)
  await makeBlock(app, flow, { isPublished: false })
  const refusedResponse = await account.owner.call(calls.executeDataflow, { params: flowParams(flow) })
  expect(refusedResponse).toMatchObject({ status: 409, errors: [{ code: 'block_incomplete' }] })
})
