import { NO_TRIGGER, type TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { generateTrellisCode } from '../platform/trellis-code.ts'
import type { Db } from '@trellis/control-db/database'

type WithDatabase = { readonly database: { readonly db: Db } }

export interface TestFlow {
  readonly id: number
  readonly code: string
  readonly accountId: number
  readonly workspaceId: number
}

export interface TestBlock {
  readonly id: number
  readonly code: string
  readonly name: string
}

type Flow = { misfire?: 'latest' | 'all' | 'none'; overlap?: 'queue' | 'skip' | 'parallel'; is_paused?: boolean }

export async function makeFlow(
  { database: { db } }: WithDatabase,
  { accountId, workspaceId }: { accountId: number; workspaceId: number },
  more: Flow = {},
): Promise<TestFlow> {
  const code = generateTrellisCode()
  const { id } = await db
    .insertInto('dataflows')
    .values({ account_id: accountId, workspace_id: workspaceId, trellis_code: code, name: `Flow ${code}`, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code, accountId, workspaceId }
}

interface BlockOptions {
  trigger?: TriggerForm
  settings?: Partial<TransformationSettings>
  publishedAt?: Date
  isPublished?: boolean
  ticksUntil?: Date
}

const buildSettings = ({ trigger = NO_TRIGGER, settings = {} }: BlockOptions): TransformationSettings => ({
  trigger,
  attempts: 3,
  most_minutes: 60,
  integration_trellis_code: null,
  language: 'sql',
  code: 'select 1',
  input: null,
  write: null,
  packages: [],
  ...settings,
})

export async function queueRun(
  { database: { db } }: WithDatabase,
  flow: TestFlow,
  block: Pick<TestBlock, 'id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('task_runs')
    .values({
      account_id: flow.accountId,
      workspace_id: flow.workspaceId,
      dataflow_id: flow.id,
      block_id: block.id,
      trellis_code: `run${block.id}`,
      block_version: 1,
      started_by: 'person',
      due_at: new Date(),
      request: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function makeBlock(
  { database: { db } }: WithDatabase,
  flow: TestFlow,
  options: BlockOptions = {},
): Promise<TestBlock> {
  const code = generateTrellisCode()
  const name = `Block ${code}`
  const settings = JSON.stringify(buildSettings(options))
  const { id } = await db
    .insertInto('task_blocks')
    .values({
      account_id: flow.accountId,
      workspace_id: flow.workspaceId,
      dataflow_id: flow.id,
      trellis_code: code,
      kind: 'Transformation',
      name,
      settings,
      live_version: options.isPublished === false ? null : 1,
      ...(options.ticksUntil && { ticks_until: options.ticksUntil }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (options.isPublished !== false) {
    await db
      .insertInto('task_block_versions')
      .values({
        block_id: id,
        account_id: flow.accountId,
        version: 1,
        settings,
        ...(options.publishedAt && { published_at: options.publishedAt }),
      })
      .execute()
    await writeWaits({ database: { db } }, { id, flow, trigger: options.trigger ?? NO_TRIGGER })
  }
  return { id, code, name }
}

async function writeWaits(
  { database: { db } }: WithDatabase,
  { id, flow, trigger }: { id: number; flow: TestFlow; trigger: TriggerForm },
): Promise<void> {
  for (const action of Object.values(trigger.actions)) {
    if (action.action !== 'Activity') continue
    const upstream = await db
      .selectFrom('task_blocks')
      .select('id')
      .where('trellis_code', '=', action.actionValue.taskBlockTrellisCode)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('live_waits')
      .values({ block_id: id, upstream_id: upstream.id, account_id: flow.accountId })
      .execute()
  }
}

export function triggerOn(
  scope: 'Or' | 'And',
  { after = [], cron }: { after?: readonly { code: string }[]; cron?: string },
): TriggerForm {
  const activities = after.map(
    ({ code }, order) =>
      [`a${order}`, { action: 'Activity' as const, order, actionValue: { taskBlockTrellisCode: code } }] as const,
  )
  const schedule =
    cron === undefined
      ? []
      : [
          [
            'clock',
            {
              action: 'Schedule' as const,
              order: after.length,
              actionValue: {
                scheduleType: 'Cron Schedule' as const,
                scheduleArgs: { cronExpression: cron, timeStandard: 'UTC' },
              },
            },
          ] as const,
        ]
  return {
    eventEvaluationType: scope,
    actions: Object.fromEntries([...activities, ...schedule]),
    isFormaComplete: true,
  }
}
