import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import type { TestApp } from '../../../testing/test-app.ts'

const ENDED = new Set<RunStatus>(['SUCCESS', 'FAILED', 'EXCEPTION'])

const readBlock = async (app: TestApp, code: string) =>
  await app.database.db
    .selectFrom('task_blocks')
    .select(['id', 'account_id', 'workspace_id', 'dataflow_id', 'live_version'])
    .where('trellis_code', '=', code)
    .executeTakeFirstOrThrow()

export interface MadeUpRun {
  readonly status: RunStatus
  readonly minutesAgo?: number
  readonly tookMs?: number
  readonly lateMs?: number
  readonly message?: string
}

export interface AddedRun {
  readonly id: number
  readonly code: string
  readonly flowRunId: number
  readonly flowRunCode: string
}

export async function addRun(
  app: TestApp,
  block: string,
  run: MadeUpRun & { readonly flowRunId?: number },
): Promise<AddedRun> {
  const { id: block_id, live_version, ...owner } = await readBlock(app, block)
  const { status, minutesAgo = 0, tookMs = 1000, lateMs = 0, message } = run
  const end = app.clock.now().getTime() - minutesAgo * 60_000
  const start = ENDED.has(status) ? end - tookMs : end
  const [code, flowRunCode] = [generateTrellisCode(), generateTrellisCode()]
  const flowRunId = run.flowRunId ?? (await addFlowRun(app, { ...owner, trellis_code: flowRunCode }))
  const { id } = await app.database.db
    .insertInto('task_runs')
    .values({
      ...owner,
      block_id,
      trellis_code: code,
      block_version: live_version ?? 1,
      status,
      started_by: 'schedule',
      profile_id: null,
      nominal_at: null,
      due_at: new Date(start - lateMs),
      started_at: status === 'QUEUED' ? null : new Date(start),
      finished_at: ENDED.has(status) ? new Date(end) : null,
      retry_at: null,
      worker: null,
      lease_until: null,
      retry_of: null,
      integration_id: null,
      problem:
        message === undefined ? null : JSON.stringify({ kind: 'configuration', message, advice: null, subtask: null }),
      flow_run_id: flowRunId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code, flowRunId, flowRunCode }
}

async function addFlowRun(
  app: TestApp,
  row: { account_id: number; workspace_id: number; dataflow_id: number; trellis_code: string },
): Promise<number> {
  const { id } = await app.database.db
    .insertInto('flow_runs')
    .values({
      ...row,
      cause: 'schedule',
      cause_key: null,
      profile_id: null,
      cause_run_id: null,
      nominal_at: null,
      cancelled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function addTick(app: TestApp, block: string, tick: { version: number; at: Date }): Promise<void> {
  const { id: block_id, account_id } = await readBlock(app, block)
  await app.database.db
    .insertInto('schedule_ticks')
    .values({
      account_id,
      block_id,
      block_version: tick.version,
      action_id: 'schedule',
      nominal_at: tick.at,
      outcome: null,
      claimed_at: null,
      run_id: null,
    })
    .execute()
}

export async function waitingEvents(app: TestApp, block: string): Promise<number> {
  const { id } = await readBlock(app, block)
  const rows = await app.database.db
    .selectFrom('trigger_events')
    .select('id')
    .where('block_id', '=', id)
    .where('run_id', 'is', null)
    .where('dropped', 'is', null)
    .execute()
  return rows.length
}
