import type { ActivityKind, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { insertScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import { type SelectQueryBuilder, type Updateable, sql } from 'kysely'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { formatSettings } from './block-settings.ts'

export interface BlockRow {
  readonly id: number
  readonly trellis_code: string
  readonly dataflow_id: number
  readonly dataflow_code: string
  readonly is_paused: boolean
  readonly kind: ActivityKind
  readonly name: string
  readonly x: number
  readonly y: number
  readonly note: string
  readonly group_code: string | null
  readonly file_key: string | null
  readonly settings: Settings
  readonly version: number
  readonly live_version: number | null
  readonly live_number: number | null
  readonly live_trigger: TriggerForm | null
  readonly published_at: Date | null
  readonly is_same: boolean
  readonly updated_at: Date
  readonly updated_by: string | null
}

export const buildPersonName = (table: string) =>
  sql<string | null>`nullif(trim(concat(${sql.ref(`${table}.first_name`)}, ' ', ${sql.ref(`${table}.surname`)})), '')`

/** People see the number of publications, not of edits. */
export const buildVersionNumber = (block: string, version: string) =>
  sql<number>`(select count(*)::int from task_block_versions n
    where n.block_id = ${sql.ref(block)} and n.version <= ${sql.ref(version)})`

const selectBlockRows = (ctx: WorkspaceScope) =>
  scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .leftJoin('task_block_versions as live', (join) =>
      join.onRef('live.block_id', '=', 'task_blocks.id').onRef('live.version', '=', 'task_blocks.live_version'),
    )
    .leftJoin('canvas_groups', 'canvas_groups.id', 'task_blocks.group_id')
    .leftJoin('profiles', 'profiles.id', 'task_blocks.updated_by')
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('dataflows.deleted_at', 'is', null)
    .select(['task_blocks.id', 'task_blocks.trellis_code', 'task_blocks.dataflow_id', 'task_blocks.kind'])
    .select(['task_blocks.name', 'task_blocks.x', 'task_blocks.y', 'task_blocks.note', 'task_blocks.file_key'])
    .select(['task_blocks.version', 'task_blocks.live_version', 'task_blocks.updated_at'])
    .select(['dataflows.trellis_code as dataflow_code', 'dataflows.is_paused', 'live.published_at'])
    .select('canvas_groups.trellis_code as group_code')
    .select(
      sql<
        number | null
      >`case when live.version is not null then ${buildVersionNumber('task_blocks.id', 'live.version')} end`.as(
        'live_number',
      ),
    )
    .select(sql<TriggerForm | null>`live.settings -> 'trigger'`.as('live_trigger'))
    .select(sql<boolean>`coalesce(live.settings::text = task_blocks.settings::text, false)`.as('is_same'))
    .select(buildPersonName('profiles').as('updated_by'))

type Rows = SelectQueryBuilder<Tables, 'task_blocks', object>

async function executeBlockQuery(query: Rows): Promise<BlockRow[]> {
  return (await query.execute()) as BlockRow[]
}

export async function findBlocks(ctx: WorkspaceScope, dataflowId: number): Promise<BlockRow[]> {
  return await executeBlockQuery(
    selectBlockRows(ctx)
      .select('task_blocks.settings')
      .where('task_blocks.dataflow_id', '=', dataflowId)
      .where('task_blocks.deleted_at', 'is', null)
      .orderBy('task_blocks.id') as unknown as Rows,
  )
}

export async function findWorkspaceBlocks(
  ctx: WorkspaceScope,
  dataflowId?: number,
): Promise<(Omit<BlockRow, 'settings'> & { settings: Settings | null })[]> {
  return await executeBlockQuery(
    selectBlockRows(ctx)
      .select(sql`case when task_blocks.live_version is null then task_blocks.settings end`.as('settings'))
      .where('task_blocks.deleted_at', 'is', null)
      .$if(dataflowId !== undefined, (query) => query.where('task_blocks.dataflow_id', '=', dataflowId ?? 0))
      .orderBy('task_blocks.id') as unknown as Rows,
  )
}

export async function findBlock(ctx: WorkspaceScope, code: string): Promise<BlockRow | undefined> {
  const [row] = await executeBlockQuery(
    selectBlockRows(ctx)
      .select('task_blocks.settings')
      .where('task_blocks.trellis_code', '=', code)
      .where('task_blocks.deleted_at', 'is', null) as unknown as Rows,
  )
  return row
}

export async function findDeletedBlock(ctx: WorkspaceScope, code: string): Promise<BlockRow | undefined> {
  const [row] = await executeBlockQuery(
    selectBlockRows(ctx)
      .select('task_blocks.settings')
      .where('task_blocks.trellis_code', '=', code)
      .where('task_blocks.deleted_at', 'is not', null) as unknown as Rows,
  )
  return row
}

/** Fixed lock order (blocks, then ticks and events, by id) avoids a deadlock with schedulers. */
export async function lockBlockRows(
  ctx: WorkspaceScope,
  where: { readonly id: number } | { readonly dataflow_id: number },
): Promise<void> {
  const [column, value] = 'id' in where ? (['id', where.id] as const) : (['dataflow_id', where.dataflow_id] as const)
  await scoped(ctx, 'task_blocks').select('id').where(column, '=', value).orderBy('id').forNoKeyUpdate().execute()
}

export interface NewBlock {
  readonly trellis_code: string
  readonly dataflow_id: number
  readonly kind: ActivityKind
  readonly name: string
  readonly x: number
  readonly y: number
  readonly note: string
  readonly group_id: number | null
  readonly file_key: string | null
  readonly settings: Settings
  readonly integration_id: number | null
}

export async function insertBlock(
  ctx: WorkspaceScope & { actor: { profileId: number } },
  block: NewBlock,
): Promise<void> {
  await insertScoped(ctx, 'task_blocks', {
    ...block,
    settings: formatSettings(block.settings),
    workspace_id: ctx.workspace.id,
    live_version: null,
    ticks_until: null,
    deleted_at: null,
    updated_by: ctx.actor.profileId,
  }).execute()
}

export async function updateDraft(
  ctx: WorkspaceScope & { actor: { profileId: number } },
  id: number,
  draft: { settings: Settings; version: number; integration_id?: number | null },
): Promise<void> {
  await updateBlock(ctx, id, {
    ...draft,
    settings: formatSettings(draft.settings),
    updated_by: ctx.actor.profileId,
    updated_at: new Date(),
  })
}

export async function updateBlock(
  ctx: WorkspaceScope,
  id: number,
  values: Updateable<Tables['task_blocks']>,
): Promise<void> {
  await updateScoped(ctx, 'task_blocks').set(values).where('id', '=', id).execute()
}

export async function updateFileKeys(
  ctx: WorkspaceScope,
  keys: readonly { readonly id: number; readonly key: string }[],
): Promise<void> {
  if (keys.length === 0) return
  await updateScoped(ctx, 'task_blocks')
    .set({
      file_key: sql<string>`(select k.key from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(id bigint, key text)
        where k.id = task_blocks.id)`,
    })
    .where('id', '=', anyOfIds(keys.map(({ id }) => id)))
    .execute()
}

export interface LastRun {
  readonly block_id: number
  readonly dataflow_id: number
  readonly trellis_code: string
  readonly status: RunStatus
  readonly needs_decision: boolean
  readonly due_at: Date
  readonly started_at: Date | null
  readonly finished_at: Date | null
}

const anyOfIds = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`

export async function findLastRuns(ctx: WorkspaceScope, ids: readonly number[]): Promise<Map<number, LastRun>> {
  if (ids.length === 0) return new Map()
  const rows = await scoped(ctx, 'task_blocks')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('task_runs')
          .select(['block_id', 'task_runs.dataflow_id', 'task_runs.trellis_code', 'status', 'due_at', 'started_at'])
          .select('finished_at')
          .select(sql<boolean>`coalesce(problem #> '{question,decision}' = 'null'::jsonb, false)`.as('needs_decision'))
          .whereRef('block_id', '=', 'task_blocks.id')
          .where('is_shadow', '=', false)
          .orderBy('task_runs.id', 'desc')
          .limit(1)
          .as('run'),
      (join) => join.onTrue(),
    )
    .selectAll('run')
    .where('task_blocks.id', '=', anyOfIds(ids))
    .execute()
  return new Map(rows.map((row) => [row.block_id, row]))
}

export async function findNextTicks(
  ctx: WorkspaceScope,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await scoped(ctx, 'schedule_ticks')
    .innerJoin('task_blocks', (join) =>
      join
        .onRef('task_blocks.id', '=', 'schedule_ticks.block_id')
        .onRef('task_blocks.live_version', '=', 'schedule_ticks.block_version'),
    )
    .select(['schedule_ticks.block_id', ({ fn }) => fn.min('nominal_at').as('at')])
    .where('outcome', 'is', null)
    .where('nominal_at', '>', now)
    .where('schedule_ticks.block_id', '=', anyOfIds(ids))
    .groupBy('schedule_ticks.block_id')
    .execute()
  return new Map(rows.map(({ block_id, at }) => [block_id, at]))
}

const OPEN_STATUSES = [
  'QUEUED',
  'SYSTEM_DEQUEUED',
  'SYSTEM_BLOCKED',
  'PROVISIONING',
  'INITIALIZING',
  'RUNNING',
] as const

export async function findBusyBlockNames(
  ctx: WorkspaceScope,
  where: { dataflowId: number } | { blockIds: readonly number[] },
): Promise<string[]> {
  const rows = await scoped(ctx, 'task_runs')
    .innerJoin('task_blocks', 'task_blocks.id', 'task_runs.block_id')
    .select('task_blocks.name')
    .distinct()
    .where('task_runs.status', 'in', OPEN_STATUSES)
    .$if('dataflowId' in where, (query) =>
      query.where('task_runs.dataflow_id', '=', 'dataflowId' in where ? where.dataflowId : 0),
    )
    .$if('blockIds' in where, (query) =>
      query.where('task_runs.block_id', '=', anyOfIds('blockIds' in where ? where.blockIds : [])),
    )
    .execute()
  return rows.map(({ name }) => name)
}
