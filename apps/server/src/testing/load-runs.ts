import type { SourceSettings, Subtask, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Connector } from '@trellis/connector-kit/connector'
import { handleUndoRun } from '../modules/runs/loaded/undo-run.handler.ts'
import { generateTrellisCode } from '../platform/trellis-code.ts'
import { runSource } from '../modules/runs/work/source.ts'
import type { Progress, RunRequest, RunWork } from '../modules/runs/runner/run-work.ts'
import type { TestApp } from './test-app.ts'
import type { ReadyWorkspace } from './workspace.ts'

export interface LoadRun {
  readonly counters: Required<Progress>
  readonly lines: string[]
  readonly commits: number
}

interface Attempt {
  readonly runId?: number
  readonly rootCode?: string
  readonly request?: RunRequest
  readonly epoch?: number
  readonly signal?: AbortSignal
  readonly onCommit?: (commits: number) => void
  /** Filled with the log, also of an attempt that fails. */
  readonly lines?: string[]
}

let epochs = 0

export const writeStep = (changes: Partial<WriteStep> = {}): WriteStep => ({
  schema_name: 'data',
  table_name: 'ledger',
  strategy: 'Append',
  dataModel: null,
  schema_policy: 'evolve',
  bad_rows: { choice: 'stop', most: 0 },
  ...changes,
})

/** Without the runner: one call is one attempt. */
export async function makeLoads(app: TestApp, workspace: ReadyWorkspace) {
  const { account } = workspace
  const workspaceCode = workspace.integrationCode.replace(/-db$/, '')

  const addIntegration = async (connector: Pick<Connector, 'code' | 'name'>, settings: object = {}) => {
    const code = generateTrellisCode()
    await app.database.db
      .insertInto('integrations')
      .values({
        account_id: account.id,
        workspace_id: workspace.id,
        trellis_code: code,
        platform_code: connector.code,
        name: connector.name,
        description: '',
        settings: JSON.stringify(settings),
        state: 'ACTIVE',
        created_by: account.ownerId,
      })
      .execute()
    return code
  }

  const block = (integrationCode: string, ...subtasks: (Partial<Subtask> & { write: WriteStep })[]) => {
    const blockCode = generateTrellisCode()
    const settings = {
      integration_trellis_code: integrationCode,
      subtasks: subtasks.map((subtask, at) => ({ name: `part ${at}`, query: {}, is_incremental: false, ...subtask })),
    } as unknown as SourceSettings
    let blockId: Promise<number> | undefined
    return {
      code: blockCode,
      settings,
      readSettings: async () =>
        await readLive(app, await (blockId ??= makeBlockRow(app, workspace, { blockCode, settings }))),
      async publish(change: (write: WriteStep) => WriteStep, query?: Subtask['query']): Promise<void> {
        const id = await (blockId ??= makeBlockRow(app, workspace, { blockCode, settings }))
        const live = await readLive(app, id)
        const changed = live.subtasks.map((subtask) => ({
          ...subtask,
          query: query ?? subtask.query,
          write: subtask.write && change(subtask.write),
        }))
        const text = JSON.stringify({ ...live, subtasks: changed })
        await app.database.db
          .updateTable('task_block_versions')
          .set({ settings: text })
          .where('block_id', '=', id)
          .execute()
      },
      async run(attempt: Attempt = {}): Promise<LoadRun & { rootCode: string }> {
        const counters = { rows_read: 0, rows_written: 0, rows_updated: 0, rows_rejected: 0, bytes: 0 }
        const { lines = [] } = attempt
        let commits = 0
        const id = await (blockId ??= makeBlockRow(app, workspace, { blockCode, settings }))
        const rootCode = attempt.rootCode ?? generateTrellisCode()
        const work: RunWork<SourceSettings> = {
          ctx: app.ctx,
          account: { id: account.id },
          workspace: { id: workspace.id, code: workspaceCode },
          block: { id, code: blockCode, name: 'Ledger', settings: await readLive(app, id) },
          run: {
            id: attempt.runId ?? 1,
            code: rootCode,
            rootCode,
            epoch: attempt.epoch ?? (epochs += 1),
            attempt: 1,
            nominalAt: null,
            request: attempt.request ?? {},
          },
          signal: attempt.signal ?? new AbortController().signal,
          log: (level, message) => void lines.push(`${level} ${message}`),
          count: (progress) => {
            for (const [name, value] of Object.entries(progress)) counters[name as keyof typeof counters] += value ?? 0
          },
          markCommitted: () => attempt.onCommit?.((commits += 1)),
          setLoadTotals: () => undefined,
          markWorking: async () => undefined,
        }
        await runSource(work)
        await assertSameKeys(workspace, rootCode)
        return { counters, lines, commits, rootCode }
      },
    }
  }
  return { addIntegration, block, nextEpoch: () => (epochs += 1) }
}

async function makeBlockRow(
  app: TestApp,
  { account, id: workspaceId }: ReadyWorkspace,
  { blockCode, settings }: { blockCode: string; settings: SourceSettings },
): Promise<number> {
  const { db } = app.database
  const owned = { account_id: account.id, workspace_id: workspaceId }
  const flow = await db
    .insertInto('dataflows')
    .values({ ...owned, trellis_code: generateTrellisCode(), name: 'Ledger' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const text = JSON.stringify(settings)
  const values = { ...owned, dataflow_id: flow.id, kind: 'Source' as const, name: 'Ledger', settings: text }
  const { id } = await db
    .insertInto('task_blocks')
    .values({ ...values, trellis_code: blockCode, version: 1, live_version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('task_block_versions')
    .values({ account_id: account.id, block_id: id, version: 1, settings: text })
    .execute()
  return id
}

async function readLive(app: TestApp, blockId: number): Promise<SourceSettings> {
  const row = await app.database.db
    .selectFrom('task_blocks as b')
    .innerJoin('task_block_versions as v', (join) =>
      join.onRef('v.block_id', '=', 'b.id').onRef('v.version', '=', 'b.live_version'),
    )
    .select('v.settings')
    .where('b.id', '=', blockId)
    .executeTakeFirstOrThrow()
  return row.settings as unknown as SourceSettings
}

/** Open transactions of other tests in the cluster hold back the cursor. */
export async function runSettled(block: { run(): Promise<LoadRun> }): Promise<void> {
  for (let lines = ['still open']; lines.some((line) => line.includes('still open'));) ({ lines } = await block.run())
}

/** Keys at the destination must equal those at the source. */
async function assertSameKeys({ sql }: ReadyWorkspace, rootCode: string): Promise<void> {
  const other = await sql(
    `select subtask, source_hash, target_hash from trellis_loads.receipts where run_code = '${rootCode}' and is_done
        and source_hash is distinct from target_hash and coalesce(source_hash <> 'NaN' and target_hash <> 'NaN', true)`,
  )
  if (other.length > 0) throw new Error(`The keys differ: ${JSON.stringify(other)}`)
}

export async function makeRunRow(app: TestApp, { account, id }: ReadyWorkspace, code: string): Promise<void> {
  const { db } = app.database
  const owned = { account_id: account.id, workspace_id: id }
  const flow = await db
    .insertInto('dataflows')
    .values({ ...owned, trellis_code: generateTrellisCode(), name: 'Ledger' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = { ...owned, dataflow_id: flow.id }
  const block = await db
    .insertInto('task_blocks')
    .values({ ...made, trellis_code: generateTrellisCode(), kind: 'Source', name: 'Ledger', settings: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('task_runs')
    .values({
      ...made,
      block_id: block.id,
      trellis_code: code,
      block_version: 1,
      status: 'SUCCESS',
      started_by: 'person',
      due_at: new Date(),
    })
    .execute()
}

const once = { id: 'test', job: 'runs.take-back', attempt: 1, isLastAttempt: true }

export async function carryOutUndo(
  app: TestApp,
  rootCode: string,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const { id } = await app.database.db
    .selectFrom('run_undos')
    .select('id')
    .where('root_code', '=', rootCode)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  await handleUndoRun(app.ctx, { undo_id: id }, { ...once, signal })
}
