import type { UsagePoint } from '@trellis/contract/utilization/utilization.endpoints'
import { scoped } from '@trellis/control-db/scoped'
import { type RawBuilder, sql } from 'kysely'
import type { AccountCtx, WorkspaceCtx } from '../../../platform/ctx.ts'

type Scope = Pick<WorkspaceCtx, 'db' | 'account' | 'workspace'>

export interface Period {
  readonly since: Date
  readonly unit: 'hour' | 'day'
}

const truncateTo = (unit: Period['unit']): RawBuilder<Date> =>
  sql<Date>`date_trunc(${sql.lit(unit)}, hour at time zone 'UTC') at time zone 'UTC'`

const FORMER_MEMBER = 'Former member'
const fullName = sql<string>`coalesce(nullif(trim(concat_ws(' ', profiles.first_name, profiles.surname)), ''), ${FORMER_MEMBER})`

export async function findPoints(
  ctx: Scope,
  { since, unit }: Period,
): Promise<(Omit<UsagePoint, 'at'> & { at: Date })[]> {
  const sum = (name: 'rows_moved' | 'run_seconds' | 'queries' | 'credits_spent') =>
    sql<number>`sum(${sql.ref(name)})::bigint`.as(name)
  return await scoped(ctx, 'usage_hours')
    .select(truncateTo(unit).as('at'))
    .select(sql<number>`(array_agg(storage_bytes order by hour desc))[1]`.as('storage_bytes'))
    .select([sum('rows_moved'), sum('run_seconds'), sum('queries'), sum('credits_spent')])
    .where('workspace_id', '=', ctx.workspace.id)
    .where('hour', '>=', since)
    .groupBy('at')
    .orderBy('at')
    .execute()
}

export interface SizeRow {
  readonly at: Date
  readonly schema_name: string
  readonly bytes: number
}

export async function findSchemaSizes(ctx: Scope, { since, unit }: Period): Promise<SizeRow[]> {
  const last = scoped(ctx, 'table_sizes')
    .select(sql<Date>`max(hour)`.as('hour'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('hour', '>=', since)
    .groupBy(truncateTo(unit))
  return await scoped(ctx, 'table_sizes')
    .select(truncateTo(unit).as('at'))
    .select('schema_name')
    .select(sql<number>`sum(bytes)::bigint`.as('bytes'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('hour', 'in', last)
    .groupBy(['at', 'schema_name'])
    .orderBy('at')
    .execute()
}

export interface TableSizeRow {
  readonly schema_name: string
  readonly table_name: string
  readonly bytes: number
  readonly bytes_before: number | null
}

export async function findTableSizes(ctx: Scope, since: Date): Promise<TableSizeRow[]> {
  const measured = (which: 'min' | 'max') =>
    scoped(ctx, 'table_sizes')
      .select(({ fn }) => fn[which]('hour').as('hour'))
      .where('workspace_id', '=', ctx.workspace.id)
      .where('hour', '>=', since)
  return await scoped(ctx, 'table_sizes')
    .leftJoin('table_sizes as before', (join) =>
      join
        .onRef('before.workspace_id', '=', 'table_sizes.workspace_id')
        .onRef('before.schema_name', '=', 'table_sizes.schema_name')
        .onRef('before.table_name', '=', 'table_sizes.table_name')
        .on('before.hour', '=', measured('min')),
    )
    .select(['table_sizes.schema_name', 'table_sizes.table_name', 'table_sizes.bytes', 'before.bytes as bytes_before'])
    .where('table_sizes.workspace_id', '=', ctx.workspace.id)
    .where('table_sizes.hour', '=', measured('max'))
    .orderBy('table_sizes.bytes', 'desc')
    .orderBy('table_sizes.schema_name')
    .orderBy('table_sizes.table_name')
    .execute()
}

interface PersonUse {
  readonly profile_id: number | null
  readonly name: string
  readonly amount: number
}

export async function countQueries(ctx: Scope, since: Date, profileId: number | null): Promise<PersonUse[]> {
  return await scoped(ctx, 'sql_jobs')
    .leftJoin('profiles', 'profiles.id', 'sql_jobs.profile_id')
    .select(['sql_jobs.profile_id', fullName.as('name')])
    .select(({ fn }) => fn.countAll<number>().as('amount'))
    .where('sql_jobs.workspace_id', '=', ctx.workspace.id)
    .where('sql_jobs.created_at', '>=', since)
    .$if(profileId !== null, (query) => query.where('sql_jobs.profile_id', '=', profileId))
    .groupBy(['sql_jobs.profile_id', 'name'])
    .execute()
}

export async function sumCreditsByPerson(ctx: Scope, since: Date, profileId: number | null): Promise<PersonUse[]> {
  return await scoped(ctx, 'credit_spends')
    .leftJoin('profiles', 'profiles.id', 'credit_spends.profile_id')
    .select(['credit_spends.profile_id', fullName.as('name')])
    .select(({ fn }) => fn.sum<number>('credit_spends.amount').as('amount'))
    .where('credit_spends.workspace_id', '=', ctx.workspace.id)
    .where('credit_spends.at', '>=', since)
    .$if(profileId !== null, (query) => query.where('credit_spends.profile_id', '=', profileId))
    .groupBy(['credit_spends.profile_id', 'name'])
    .execute()
}

export async function sumCreditsByProject(
  ctx: Scope,
  since: Date,
): Promise<{ name: string | null; credits_spent: number }[]> {
  return await scoped(ctx, 'credit_spends')
    .leftJoin('ai_messages', (join) =>
      join
        .onRef('ai_messages.trellis_code', '=', 'credit_spends.reference')
        .onRef('ai_messages.account_id', '=', 'credit_spends.account_id'),
    )
    .leftJoin('ai_conversations', 'ai_conversations.id', 'ai_messages.conversation_id')
    .leftJoin('ai_projects', 'ai_projects.id', 'ai_conversations.project_id')
    .select('ai_projects.name')
    .select(({ fn }) => fn.sum<number>('credit_spends.amount').as('credits_spent'))
    .where('credit_spends.workspace_id', '=', ctx.workspace.id)
    .where('credit_spends.at', '>=', since)
    .groupBy('ai_projects.id')
    .orderBy('credits_spent', 'desc')
    .execute()
}

/** Linear regression over hourly sizes of all workspaces. */
export async function findGrowth(
  ctx: Pick<AccountCtx, 'db' | 'account'>,
  since: Date,
): Promise<{ bytesPerDay: number | null; hours: number }> {
  const row = await ctx.db
    .selectFrom(
      scoped(ctx, 'usage_hours')
        .select('hour')
        .select(sql<number>`sum(storage_bytes)`.as('bytes'))
        .where('hour', '>=', since)
        .groupBy('hour')
        .as('sizes'),
    )
    .select(sql<number | null>`regr_slope(bytes, extract(epoch from hour)) * 86400`.as('bytesPerDay'))
    .select(sql<number>`coalesce(extract(epoch from max(hour) - min(hour)) / 3600, 0)::int`.as('hours'))
    .executeTakeFirstOrThrow()
  return row
}
