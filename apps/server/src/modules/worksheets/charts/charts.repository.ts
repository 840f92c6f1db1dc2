import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { type AccountScope, deleteScoped, insertScoped, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

type PersonScope = AccountScope & {
  readonly actor: { readonly profileId: number }
  readonly clock: { now(): Date }
}

export interface ChartLocation {
  readonly projectId: number
  readonly fileId: string
  readonly statement: number
}
export interface ChartRow {
  readonly statement: number
  readonly profile_id: number | null
  readonly spec: ChartSpec
  readonly saved_at: Date
  readonly first_name: string | null
  readonly surname: string | null
}

export async function findCharts(
  ctx: PersonScope,
  { projectId, fileId }: { projectId: number; fileId: string },
): Promise<ChartRow[]> {
  const rows = await scoped(ctx, 'worksheet_charts')
    .leftJoin('profiles', 'profiles.id', 'worksheet_charts.saved_by')
    .select(['statement', 'profile_id', 'spec', 'saved_at', 'profiles.first_name', 'profiles.surname'])
    .where('project_id', '=', projectId)
    .where('file_id', '=', fileId)
    .where((where) => where.or([where('profile_id', '=', ctx.actor.profileId), where('profile_id', 'is', null)]))
    .orderBy('statement')
    .orderBy('profile_id', (order) => order.asc().nullsLast())
    .execute()
  return rows as unknown as ChartRow[]
}

export async function putChart(ctx: PersonScope, location: ChartLocation, spec: ChartSpec): Promise<void> {
  await upsertChart(ctx, location, { spec, profileId: ctx.actor.profileId })
}

async function upsertChart(
  ctx: PersonScope,
  { projectId, fileId, statement }: ChartLocation,
  { spec, profileId }: { spec: ChartSpec; profileId: number | null },
): Promise<void> {
  const values = { spec: JSON.stringify(spec), saved_by: ctx.actor.profileId, saved_at: ctx.clock.now() }
  await insertScoped(ctx, 'worksheet_charts', {
    project_id: projectId,
    file_id: fileId,
    statement,
    profile_id: profileId,
    ...values,
  })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'file_id', 'statement', 'profile_id']).doUpdateSet(values),
    )
    .execute()
}

export async function deleteOwnChart(ctx: PersonScope, { projectId, fileId, statement }: ChartLocation): Promise<void> {
  await deleteScoped(ctx, 'worksheet_charts')
    .where('project_id', '=', projectId)
    .where('file_id', '=', fileId)
    .where('statement', '=', statement)
    .where('profile_id', '=', ctx.actor.profileId)
    .execute()
}

export async function shareCharts(
  ctx: PersonScope,
  { projectId, fileIds, statement }: { projectId: number; fileIds: readonly string[]; statement?: number },
): Promise<number> {
  let query = deleteScoped(ctx, 'worksheet_charts')
    .where('project_id', '=', projectId)
    .where('profile_id', '=', ctx.actor.profileId)
    .where(sql<boolean>`file_id = any(${fileIds}::text[])`)
  if (statement !== undefined) query = query.where('statement', '=', statement)
  const own = await query.returning(['file_id', 'statement', 'spec']).execute()
  for (const { file_id: fileId, statement: at, spec } of own) {
    await upsertChart(ctx, { projectId, fileId, statement: at }, { spec: spec as ChartSpec, profileId: null })
  }
  return own.length
}
