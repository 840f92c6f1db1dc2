import { ATTEMPT_LIMITS, type Attempt, decideAttempt } from '@trellis/dataflow-engine/runs/attempts'
import { findOverdue } from '@trellis/dataflow-engine/runs/deadlines'
import { type LeasedRun, canReap, claimRun, raiseEpoch, renewLease } from '@trellis/dataflow-engine/runs/lease'
import { type RunEvent, canMove, findNextStatus, isHeld, isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { deepEqual as agree, ok as holds } from 'node:assert/strict'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../../testing/accounts.ts'
import { type TestFlow, makeBlock, makeFlow, queueRun } from '../../../testing/dataflows.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { cancelRuns } from '../runs.repository.ts'
import { claimNext } from './claim.ts'
import { type RunEnd, type RunProblem, endRun, moveRuns } from './finish.repository.ts'
import { saveHeartbeats } from './heartbeat.repository.ts'
import { reapLostRuns } from './reaper.ts'

/**
 * Model-based test: the SQL for claims, moves, heartbeats, reaping, cancelling and finishing against the engine's
 * rules. Both run the same random histories, with kills and clock jumps, and must agree after every step.
 */
const WORKERS = ['w1', 'w2'] as const
type Worker = (typeof WORKERS)[number]

type Step =
  | { readonly kind: 'claim' | 'move' | 'beat' | 'kill'; readonly worker: Worker }
  | { readonly kind: 'end'; readonly worker: Worker; readonly how: 'good' | 'transient' | 'configuration' }
  | { readonly kind: 'reap' | 'cancel' | 'block' | 'unblock' }
  | { readonly kind: 'wait'; readonly seconds: number }

const HOUR = 3600
const worker = fc.constantFrom(...WORKERS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('claim', 'move', 'move', 'beat'), worker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), worker }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      worker,
      how: fc.constantFrom('good', 'transient', 'configuration'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('reap', 'reap', 'cancel', 'block', 'unblock') }) },
  // Steps stay a second away from a lease's end, as the machine may be slow.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      seconds: fc.constantFrom(7, 28, 56, -7, 25 * HOUR, 24 * 8 * HOUR),
    }),
  },
)

/** Biased towards lost leases, which chance rarely produces. */
const stretch: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 3, arbitrary: step.map((other) => [other]) },
  {
    weight: 2,
    arbitrary: worker.map((by): Step[] => [
      { kind: 'claim', worker: by },
      { kind: 'move', worker: by },
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Step[]>([{ kind: 'wait', seconds: 28 }, { kind: 'reap' }, { kind: 'wait', seconds: 7 }]),
  },
)

let app: TestApp
let account: TestAccount
let place: { accountId: number; workspaceId: number }
let flow: TestFlow
const LIMITS = { total: 50, perWorkspace: 50, perCredential: 50, sessionsPerWorkspace: 50 }

async function asAdmin(text: string): Promise<Record<string, string>[]> {
  const { pathname } = new URL(app.database.url)
  const client = new pg.Client({ connectionString: Object.assign(new URL(app.database.adminUrl), { pathname }).href })
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(text)
  await client.end()
  return rows
}

beforeAll(async () => {
  app = await startTestApp()
  account = await makeAccount(app)
  const workspace = await makeWorkspaceRow(app, account, 'shop')
  await app.database.pool.query("update workspaces set state = 'online' where id = $1", [workspace.id])
  place = { accountId: account.id, workspaceId: workspace.id }
  await asAdmin(`
    create table seen_moves (before text, after text);
    create function note_move() returns trigger language plpgsql security definer as $$
      begin insert into seen_moves values (old.status, new.status); return null; end $$;
    create trigger note_move after update of status on task_runs for each row
      when (old.status is distinct from new.status) execute function note_move()`)
})
afterAll(async () => await app.close())
beforeEach(async () => {
  await app.database.pool.query('delete from dataflows')
  flow = await makeFlow(app, place)
})

const NEXT: Partial<Record<RunStatus, RunStatus>> = { PROVISIONING: 'INITIALIZING', INITIALIZING: 'RUNNING' }

interface Model {
  status: RunStatus
  run: LeasedRun
  since: number
  retryAt: number
  isCancelWanted: boolean
  attempts: Attempt[]
}

class Twin {
  readonly id: number
  now = 1e12
  isPlanOver = false
  readonly model: Model = {
    status: 'QUEUED',
    run: { epoch: 0, lease: null, isEnded: false },
    since: this.now,
    retryAt: 0,
    isCancelWanted: false,
    attempts: [],
  }
  /** What each worker believes to hold. */
  readonly held = new Map<Worker, { real: number; own: number; status: RunStatus }>()

  constructor(id: number) {
    this.id = id
  }

  private take(event: RunEvent): boolean {
    const next = findNextStatus(this.model.status, event)
    if (next === undefined) return false
    this.model.status = next
    this.model.since = this.now
    if (!isHeld(next)) this.model.run = { ...this.model.run, lease: null, isEnded: isTerminal(next) }
    return true
  }

  private async setClock(): Promise<void> {
    const { run, since, retryAt } = this.model
    const ago = (at: number) => (this.now - at) / 1000
    await app.database.pool.query(
      `update task_runs set status_since = clock_timestamp() - $2 * interval '1 second',
              lease_until = clock_timestamp() - $3::float8 * interval '1 second',
              retry_at = case when retry_at is not null then clock_timestamp() - $4 * interval '1 second' end
        where id = $1`,
      [this.id, ago(since), run.lease ? ago(run.lease.until) : null, ago(retryAt)],
    )
  }

  async do(step: Step): Promise<void> {
    await this.setClock()
    if (step.kind === 'wait') this.now += step.seconds * 1000
    else if (step.kind === 'block') this.isPlanOver = true
    else if (step.kind === 'unblock') this.isPlanOver = false
    else if (step.kind === 'kill') this.held.delete(step.worker)
    else if (step.kind === 'claim') await this.claim(step.worker)
    else if (step.kind === 'move') await this.move(step.worker)
    else if (step.kind === 'beat') await this.beat(step.worker)
    else if (step.kind === 'end') await this.end(step.worker, step.how)
    else if (step.kind === 'cancel') await this.cancel()
    else await this.reap()
    await this.compare(step)
  }

  private gate = async () => (this.isPlanOver ? 'The plan is over.' : null)

  private async claim(worker: Worker): Promise<void> {
    const runs = await claimNext(app.ctx, { worker, limits: LIMITS, free: 50, gate: this.gate as never })
    const leased = claimRun(this.model.run, worker, this.now)
    const isDue = this.model.status === 'QUEUED' && this.model.retryAt <= this.now
    if (!isDue || !leased || !this.take({ kind: 'claimed' })) return agree(runs, [])
    this.model.run = leased
    if (this.isPlanOver) {
      this.take({ kind: 'blocked' })
      return agree(runs, [])
    }
    this.take({ kind: 'prepared' })
    const [run] = runs
    if (!run) throw new Error('The run was not given out.')
    this.held.set(worker, { real: run.epoch, own: leased.epoch, status: 'PROVISIONING' })
  }

  private async move(worker: Worker): Promise<void> {
    const held = this.held.get(worker)
    const to = held && NEXT[held.status]
    if (!held || !to) return
    const [isMoved] = await moveRuns(app.ctx, [{ id: this.id, epoch: held.real, from: held.status, to }])
    const isOurs = this.model.run.epoch === held.own && this.model.status === held.status
    agree(isMoved, isOurs && this.take({ kind: to === 'RUNNING' ? 'working' : 'connected' }))
    if (isMoved) held.status = to
    else this.held.delete(worker)
  }

  private async beat(worker: Worker): Promise<void> {
    const held = this.held.get(worker)
    if (!held) return
    const beat = { id: this.id, epoch: held.real, counters: {}, has_progressed: false }
    const answer = (await saveHeartbeats(app.ctx, [beat])).get(this.id)
    const renewed = renewLease(this.model.run, held.own, this.now)
    agree(answer, renewed && { isCancelled: this.model.isCancelWanted })
    if (renewed) this.model.run = renewed
    else this.held.delete(worker)
  }

  private async end(worker: Worker, how: 'good' | 'transient' | 'configuration'): Promise<void> {
    const held = this.held.get(worker)
    if (!held || (how === 'good' && held.status !== 'RUNNING')) return
    const attempts: Attempt[] = how === 'good' ? [] : [...this.model.attempts, { problem: how, hasProgressed: false }]
    const decision = decideAttempt(attempts, 0.5)
    const status = how === 'good' ? 'SUCCESS' : decision.do === 'retry' ? 'QUEUED' : decision.status
    const waitMs = decision.do === 'retry' ? decision.waitMs : 0
    const at = await endRun(app.ctx, { id: this.id, epoch: held.real }, toEnd(status, how, waitMs))
    const isOurs = this.model.run.epoch === held.own && isHeld(this.model.status)
    agree(at !== undefined, isOurs && this.take(toEvent(status)))
    if (at && how !== 'good') this.model.attempts = attempts
    if (at) this.model.retryAt = this.now + waitMs
    this.held.delete(worker)
  }

  private async cancel(): Promise<void> {
    await cancelRuns({ db: app.ctx.db, account: { id: place.accountId }, workspace: { id: place.workspaceId } }, [
      this.id,
    ])
    if (isTerminal(this.model.status)) return
    this.model.isCancelWanted = true
    if (!isHeld(this.model.status)) this.take({ kind: 'cancelled' })
  }

  private async reap(): Promise<void> {
    await reapLostRuns(app.ctx, { gate: this.gate as never, fence: async () => undefined })
    const { model } = this
    if (canReap(model.run, this.now)) this.takeUp()
    else if (!isHeld(model.status)) {
      const since = model.status === 'QUEUED' && model.retryAt > model.since ? model.retryAt : model.since
      const overdue = findOverdue({ status: model.status, since }, this.now)
      if (overdue?.do === 'end') this.take({ kind: 'ended', status: overdue.status })
    }
    if (model.status === 'SYSTEM_BLOCKED' && !this.isPlanOver) this.take({ kind: 'unblocked' })
  }

  private takeUp(): void {
    const { model } = this
    model.run = raiseEpoch(model.run)
    const overdue = findOverdue({ status: model.status, since: model.since }, this.now)
    if (model.isCancelWanted) return void this.take({ kind: 'cancelled' })
    if (overdue?.do === 'end') return void this.take({ kind: 'ended', status: overdue.status })
    model.attempts.push({ problem: 'lost', hasProgressed: false })
    const decision = decideAttempt(model.attempts, 0)
    this.take(decision.do === 'retry' ? { kind: 'retried' } : { kind: 'ended', status: decision.status })
    // The backoff has jitter, so nothing is asserted within it.
    model.retryAt = this.now + ATTEMPT_LIMITS.firstWaitMs
  }

  private lastEpoch = { real: 0, own: 0 }

  private async compare(step: Step): Promise<void> {
    const row = await app.database.db
      .selectFrom('task_runs')
      .select(['status', 'epoch', 'lease_until', 'is_cancel_wanted', 'finished_at'])
      .where('id', '=', this.id)
      .executeTakeFirstOrThrow()
    const { model } = this
    agree(row.status, model.status, JSON.stringify(step))
    agree(row.lease_until !== null, model.run.lease !== null)
    agree(row.is_cancel_wanted, model.isCancelWanted)
    agree(row.finished_at !== null, isTerminal(model.status))
    agree(row.epoch > this.lastEpoch.real, model.run.epoch > this.lastEpoch.own)
    this.lastEpoch = { real: row.epoch, own: model.run.epoch }
  }
}

const toEvent = (status: RunEnd['status']): RunEvent => {
  if (status === 'SUCCESS') return { kind: 'loaded' }
  return status === 'QUEUED' ? { kind: 'retried' } : { kind: 'ended', status }
}

function toEnd(status: RunEnd['status'], how: 'good' | 'transient' | 'configuration', waitMs: number): RunEnd {
  const problem: RunProblem | null =
    how === 'good' ? null : { kind: how, message: 'It broke.', advice: null, subtask: null }
  return { status, waitMs, problem, counters: {}, hasProgressed: false, message: problem?.message ?? null }
}

async function queue(): Promise<number> {
  const block = await makeBlock(app, flow)
  return await queueRun(app, flow, block)
}

const GOOD: Step[] = [
  { kind: 'claim', worker: 'w1' },
  { kind: 'move', worker: 'w1' },
  { kind: 'move', worker: 'w1' },
  { kind: 'end', worker: 'w1', how: 'good' },
]

test('whatever workers, clocks and people do, the database follows the rules of the engine', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stretch, { minLength: 6, maxLength: 20, size: 'max' }), async (stretches) => {
      await app.database.pool.query('delete from task_runs')
      const twin = new Twin(await queue())
      for (const item of stretches.flat()) await twin.do(item)
    }),
    { numRuns: 60, examples: [[[GOOD]]] },
  )
  const moves = await asAdmin('select distinct before, after from seen_moves')
  const forbidden = moves.filter(({ before, after }) => !canMove(before as RunStatus, after as RunStatus))
  expect(forbidden).toEqual([])
  expect(moves).toContainEqual({ before: 'RUNNING', after: 'SUCCESS' })
})

const BUDGET = 3
const PLACES = 2
type BudgetWorker = 'w1' | 'w2' | 'w3'
type BudgetStep =
  | { readonly kind: 'claim' | 'end' | 'kill'; readonly worker: BudgetWorker }
  | { readonly kind: 'queue'; readonly sessions: number }
  | { readonly kind: 'reap' }

const budgetWorker = fc.constantFrom<BudgetWorker[]>('w1', 'w2', 'w3')
const budgetStep: fc.Arbitrary<BudgetStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('queue'), sessions: fc.constantFrom(1, 1, 2, 3, 5) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('claim'), worker: budgetWorker }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end'), worker: budgetWorker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill'), worker: budgetWorker }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reap') }) },
)

/** Runs that need one to five sessions, and workers sharing three. */
class Budget {
  private readonly needs = new Map<number, number>()
  private readonly held = new Map<BudgetWorker, { id: number; epoch: number }[]>()

  private list = (worker: BudgetWorker) => this.held.get(worker) ?? []
  private need = (id: number) => Math.min(this.needs.get(id) ?? 0, BUDGET)

  async do(step: BudgetStep): Promise<void> {
    if (step.kind === 'queue') await this.queue(step.sessions)
    else if (step.kind === 'claim') await this.claim(step.worker)
    else if (step.kind === 'end') await this.end(step.worker)
    else if (step.kind === 'kill') await this.kill(step.worker)
    else await this.reap()
    const { rows } = await app.database.pool.query<{ id: number; worker: string }>(
      "select id, worker from task_runs where status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')",
    )
    const used = rows.reduce((sum, { id }) => sum + this.need(id), 0)
    holds(used <= BUDGET, `${used} sessions are used.`)
    for (const runs of Map.groupBy(rows, ({ worker }) => worker).values()) {
      holds(runs.length <= PLACES, `A worker has ${runs.length} runs.`)
    }
  }

  private async queue(sessions: number): Promise<void> {
    const id = await queue()
    const follow = { query: { query: { kind: 'changes', is_continuous: true } }, write: {} }
    const settings = { attempts: 3, most_minutes: 60, subtasks: Array.from({ length: sessions }, () => follow) }
    await app.database.pool.query(
      'update task_block_versions set settings = $2 where block_id = (select block_id from task_runs where id = $1)',
      [id, JSON.stringify(settings)],
    )
    this.needs.set(id, sessions)
  }

  /** Without overtaking: every run starts once enough have ended. */
  private async claim(worker: BudgetWorker): Promise<void> {
    const { rows } = await app.database.pool.query<{ id: number; status: string; worker: string | null }>(
      "select id, status, worker from task_runs where status not in ('SUCCESS', 'EXCEPTION') order by due_at, id",
    )
    const waiting = rows.find(({ status }) => status === 'QUEUED')
    const active = rows.filter(({ status }) => status !== 'QUEUED')
    const used = active.reduce((sum, { id }) => sum + this.need(id), 0)
    const hasPlace = active.filter((run) => run.worker === worker).length < PLACES
    const isNext = waiting && hasPlace && used + this.need(waiting.id) <= BUDGET
    const limits = { total: PLACES, perWorkspace: PLACES, perCredential: 50, sessionsPerWorkspace: BUDGET }
    const free = PLACES - this.list(worker).length
    const runs = await claimNext(app.ctx, { worker, limits, free, gate: async () => null })
    agree(
      runs.map(({ id }) => id),
      isNext ? [waiting.id] : [],
    )
    this.held.set(worker, [...this.list(worker), ...runs])
  }

  private async end(worker: BudgetWorker): Promise<void> {
    const [run, ...rest] = this.list(worker)
    this.held.set(worker, rest)
    if (run) await endRun(app.ctx, run, toEnd('SUCCESS', 'good', 0))
  }

  /** Its sessions stay reserved until its lease expires. */
  private async kill(worker: BudgetWorker): Promise<void> {
    this.held.delete(worker)
    await app.database.pool.query("update task_runs set lease_until = now() - interval '1 second' where worker = $1", [
      worker,
    ])
  }

  private async reap(): Promise<void> {
    await reapLostRuns(app.ctx, { gate: async () => null, fence: async () => undefined })
    await app.database.pool.query("update task_runs set retry_at = null where status = 'QUEUED'")
  }

  /** As many rounds as runs must suffice. */
  async drain(): Promise<void> {
    for (const worker of ['w1', 'w2', 'w3'] as const) await this.kill(worker)
    await this.do({ kind: 'reap' })
    for (let turns = this.needs.size; turns > 0; turns -= 1) {
      for (const worker of ['w1', 'w2'] as const) await this.do({ kind: 'claim', worker })
      for (const worker of ['w1', 'w2'] as const) await this.do({ kind: 'end', worker })
    }
    const { rows } = await app.database.pool.query(
      "select id from task_runs where status not in ('SUCCESS', 'EXCEPTION')",
    )
    agree(rows, [])
  }
}

test('the sessions of a workspace are never overdrawn, also when workers die, and nobody waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(budgetStep, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
      await app.database.pool.query('delete from task_runs')
      const budget = new Budget()
      for (const step of steps) await budget.do(step)
      await budget.drain()
    }),
    { numRuns: 30 },
  )
})
