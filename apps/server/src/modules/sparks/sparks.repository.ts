import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import {
  type AccountScope,
  deleteScoped,
  insertScoped,
  scoped,
  updateScoped,
  type WorkspaceScope,
} from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface SparkRow {
  readonly id: number
  readonly trellis_code: string
  readonly project_id: number
  readonly project_code: string
  readonly project_name: string
  readonly name: string
  readonly description: string
  readonly is_on_dashboard: boolean
  readonly stale_since: Date | null
  readonly problems: Spark['problems']
  readonly open_comments: number
  readonly created_by_name: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly pinned_code: string | null
  readonly latest_id: number
  readonly latest_code: string
  readonly latest_number: number
  readonly latest_note: string
  readonly latest_by: string | null
  readonly latest_at: Date
  readonly shown_id: number
  readonly shown_code: string
  readonly shown_number: number
  readonly shown_note: string
  readonly shown_by: string | null
  readonly shown_at: Date
}

const SHOWN_VERSION = sql<number>`coalesce(sparks.pinned_version_id, sparks.latest_version_id)`
const OPEN_COMMENTS = sql<number>`(select count(*)::int from spark_comments c where c.spark_id = sparks.id
  and c.resolved_at is null)`
export const toName = (alias: string) =>
  sql<
    string | null
  >`nullif(trim(concat_ws(' ', ${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.surname`)})), '')`

const selectSparks = (ctx: WorkspaceScope) =>
  scoped(ctx, 'sparks')
    .innerJoin('ai_projects', 'ai_projects.id', 'sparks.project_id')
    .innerJoin('spark_versions as latest', 'latest.id', 'sparks.latest_version_id')
    .innerJoin('spark_versions as shown', (join) => join.on('shown.id', '=', SHOWN_VERSION))
    .leftJoin('profiles as maker', 'maker.id', 'sparks.created_by')
    .leftJoin('profiles as latest_maker', 'latest_maker.id', 'latest.created_by')
    .leftJoin('profiles as shown_maker', 'shown_maker.id', 'shown.created_by')
    .where('sparks.workspace_id', '=', ctx.workspace.id)
    .select([
      'sparks.id',
      'sparks.trellis_code',
      'sparks.project_id',
      'ai_projects.trellis_code as project_code',
      'ai_projects.name as project_name',
      'sparks.name',
      'sparks.description',
      'sparks.is_on_dashboard',
      'sparks.stale_since',
      'sparks.problems',
      'sparks.created_at',
      'sparks.updated_at',
      'latest.id as latest_id',
      'latest.trellis_code as latest_code',
      'latest.number as latest_number',
      'latest.note as latest_note',
      'latest.created_at as latest_at',
      'shown.id as shown_id',
      'shown.trellis_code as shown_code',
      'shown.number as shown_number',
      'shown.note as shown_note',
      'shown.created_at as shown_at',
    ])
    .select([
      OPEN_COMMENTS.as('open_comments'),
      toName('maker').as('created_by_name'),
      toName('latest_maker').as('latest_by'),
      toName('shown_maker').as('shown_by'),
      sql<string | null>`case when sparks.pinned_version_id is not null then shown.trellis_code end`.as('pinned_code'),
    ])

export async function findSparks(ctx: WorkspaceScope, projectId?: number): Promise<SparkRow[]> {
  const rows = await selectSparks(ctx)
    .$if(projectId !== undefined, (query) => query.where('sparks.project_id', '=', projectId ?? 0))
    .orderBy('sparks.updated_at', 'desc')
    .orderBy('sparks.id', 'desc')
    .execute()
  return rows as unknown as SparkRow[]
}

export async function findSpark(ctx: WorkspaceScope, code: string): Promise<SparkRow | undefined> {
  const row = await selectSparks(ctx).where('sparks.trellis_code', '=', code).executeTakeFirst()
  return row as unknown as SparkRow | undefined
}

export async function findDashboardSparks(ctx: WorkspaceScope, limit: number) {
  return await scoped(ctx, 'sparks')
    .innerJoin('spark_versions as shown', (join) => join.on('shown.id', '=', SHOWN_VERSION))
    .select(['sparks.trellis_code', 'sparks.name', 'sparks.stale_since', 'shown.trellis_code as version_code'])
    .where('sparks.workspace_id', '=', ctx.workspace.id)
    .where('sparks.is_on_dashboard', '=', true)
    .orderBy('sparks.id')
    .limit(limit)
    .execute()
}

export async function countSparks(ctx: WorkspaceScope, { isOnDashboard }: { isOnDashboard?: true } = {}) {
  const row = await scoped(ctx, 'sparks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', ctx.workspace.id)
    .$if(isOnDashboard === true, (query) => query.where('is_on_dashboard', '=', true))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function lockSpark(ctx: WorkspaceScope, code: string): Promise<void> {
  await scoped(ctx, 'sparks')
    .select('id')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('trellis_code', '=', code)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertSpark(
  ctx: WorkspaceScope,
  spark: { trellis_code: string; project_id: number; name: string; description: string; created_by: number; now: Date },
): Promise<number> {
  const { now, ...row } = spark
  const stamps = { created_at: now, updated_at: now }
  const made = await insertScoped(ctx, 'sparks', {
    ...row,
    ...stamps,
    workspace_id: ctx.workspace.id,
    latest_version_id: null,
    pinned_version_id: null,
    stale_since: null,
    problems: '[]',
    checked_shape: null,
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

interface SparkChange {
  readonly name?: string
  readonly description?: string
  readonly latest_version_id?: number
  readonly pinned_version_id?: number | null
  readonly is_on_dashboard?: boolean
  readonly checked_shape?: string | null
  readonly updated_at?: Date
}

export async function updateSparkRow(ctx: AccountScope, id: number, change: SparkChange): Promise<void> {
  await updateScoped(ctx, 'sparks').set(change).where('id', '=', id).execute()
}

/** Keeps problems of other sources. The first sets the time, the last clears it. */
export async function setSparkProblems(
  ctx: AccountScope,
  id: number,
  { sources, problems, now }: { sources: readonly string[]; problems: Spark['problems']; now: Date },
): Promise<void> {
  const kept = sql`select p from jsonb_array_elements(problems) p where p ->> 'source' <> all(${[...sources]}::text[])
                   union all select jsonb_array_elements(${JSON.stringify(problems)}::jsonb)`
  const next = sql<string>`(select coalesce(jsonb_agg(p), '[]') from (${kept}) k(p))`
  await updateScoped(ctx, 'sparks')
    .set({
      problems: next,
      stale_since: sql<Date | null>`case when ${next} = '[]'::jsonb then null else coalesce(stale_since, ${now}) end`,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteSparkRow(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'sparks').where('id', '=', id).execute()
}
