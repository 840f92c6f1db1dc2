import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { WorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { readPlanUsage } from '../utilization.service.ts'
import * as repository from './workspace-usage.repository.ts'

const DAY_MS = 86_400_000
const MAX_HOURLY_DAYS = 7
const GROWTH_DAYS = 14
const MIN_GROWTH_HOURS = 24
const MAX_FORECAST_DAYS = 3650
const NO_PROJECT = 'Deleted chats'

export async function getWorkspaceUtilization(ctx: WorkspaceCtx, days: number): Promise<WorkspaceUtilization> {
  const now = ctx.clock.now()
  const unit = days <= MAX_HOURLY_DAYS ? 'hour' : 'day'
  const from = new Date(now.getTime() - days * DAY_MS)
  const since = unit === 'hour' ? from : new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS)
  const points = await repository.findPoints(ctx, { since, unit })
  return {
    unit,
    points: points.map((point) => ({ ...point, at: point.at.toISOString() })),
    schemas: groupBySchema(await repository.findSchemaSizes(ctx, { since, unit })),
    tables: (await repository.findTableSizes(ctx, since)).map((row) => ({
      ...row,
      table_name: row.table_name === '' ? null : row.table_name,
    })),
    people: await listPeople(ctx, since),
    projects: (await repository.sumCreditsByProject(ctx, since)).map(({ name, credits_spent }) => ({
      name: name ?? NO_PROJECT,
      credits_spent,
    })),
    storage: await getStorage(ctx, now),
  }
}

function groupBySchema(rows: readonly repository.SizeRow[]): WorkspaceUtilization['schemas'] {
  const lastAt = rows.at(-1)?.at.getTime()
  return [...Map.groupBy(rows, (row) => row.schema_name)]
    .map(([schema_name, sizes]) => ({
      schema_name,
      bytes: sizes.find(({ at }) => at.getTime() === lastAt)?.bytes ?? 0,
      points: sizes.map(({ at, bytes }) => ({ at: at.toISOString(), bytes })),
    }))
    .toSorted((item, other) => other.bytes - item.bytes)
}

async function listPeople(ctx: WorkspaceCtx, since: Date): Promise<WorkspaceUtilization['people']> {
  const only = ctx.workspace.role === 'workspace_admin' ? null : ctx.actor.profileId
  const people = new Map<number | null, WorkspaceUtilization['people'][number]>()
  for (const { profile_id, name, amount } of await repository.countQueries(ctx, since, only)) {
    people.set(profile_id, { name, queries: amount, credits_spent: 0 })
  }
  for (const { profile_id, name, amount } of await repository.sumCreditsByPerson(ctx, since, only)) {
    people.set(profile_id, { name, queries: people.get(profile_id)?.queries ?? 0, credits_spent: amount })
  }
  return [...people.values()].toSorted(
    (person, other) => other.credits_spent - person.credits_spent || other.queries - person.queries,
  )
}

async function getStorage(ctx: WorkspaceCtx, now: Date): Promise<WorkspaceUtilization['storage']> {
  const { storage: used } = await readPlanUsage(ctx, ctx.account.id)
  const limit = getPlanLimits(ctx.account.type).storage
  const { bytesPerDay, hours } = await repository.findGrowth(ctx, new Date(now.getTime() - GROWTH_DAYS * DAY_MS))
  const daysLeft = limit === null || !bytesPerDay ? Number.NaN : (limit - used) / bytesPerDay
  const willFill = daysLeft >= 0 && daysLeft <= MAX_FORECAST_DAYS
  return {
    used_bytes: used,
    limit_bytes: limit,
    forecast:
      hours < MIN_GROWTH_HOURS
        ? null
        : {
            bytes_per_day: Math.round(bytesPerDay ?? 0),
            full_on: willFill ? new Date(now.getTime() + daysLeft * DAY_MS).toISOString().slice(0, 10) : null,
          },
  }
}
