import { DASHBOARD_DAYS, type DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { countFlowRunsByDay } from '../flow-runs/flow-run-states.repository.ts'
import { countHealth, findLastFailures, findNextDue, saveRunDays } from './dashboard.repository.ts'
import { rateTables } from './table-freshness.repository.ts'

const DAY_MS = 86_400_000
const MAX_LISTED = 6

export async function getDataflowHealth(ctx: WorkspaceCtx): Promise<DataflowHealth> {
  const now = ctx.clock.now()
  const [freshness, lists] = await Promise.all([rateTables(ctx, now, MAX_LISTED), readLists(ctx, now)])
  return { ...lists, ...freshness }
}

/** Sequential: a dashboard must not take all connections. */
async function readLists(ctx: WorkspaceCtx, now: Date): Promise<Omit<DataflowHealth, 'tables' | 'table_counts'>> {
  return {
    ...(await readCounts(ctx, now)),
    failures: (await findLastFailures(ctx, MAX_LISTED)).map(({ at, ...failure }) => ({
      ...failure,
      at: at.toISOString(),
    })),
    next_due: (await findNextDue(ctx, now, MAX_LISTED)).map(({ dataflow_code, name, at }) => ({
      dataflow_trellis_code: dataflow_code,
      name,
      at: at.toISOString(),
    })),
  }
}

/** Each complete day is counted once; a day stays open for one more, for late writes. */
async function readCounts(ctx: WorkspaceCtx, now: Date) {
  const names = Array.from({ length: DASHBOARD_DAYS }, (_, at) =>
    toDay(now.getTime() - (DASHBOARD_DAYS - 1 - at) * DAY_MS),
  )
  const [firstDay = ''] = names
  const today = toDay(now.getTime())
  const dayAgo = new Date(now.getTime() - DAY_MS)
  const yesterday = toDay(dayAgo.getTime())
  const { counted, ...counts } = await countHealth(ctx, {
    firstDay,
    dayAgo,
    yesterday: new Date(yesterday),
    today: new Date(today),
  })
  const byDay = new Map(counted.map((row) => [row.day, row]))
  byDay.set(yesterday, { day: yesterday, ...counts.yesterday }).set(today, { day: today, ...counts.today })
  const [since] = names.filter((day) => !byDay.has(day))
  if (since !== undefined) {
    const range = { since: new Date(since), until: new Date(yesterday) }
    for (const row of await countFlowRunsByDay(ctx, range)) if (!byDay.has(row.day)) byDay.set(row.day, row)
  }
  const days = names.map((day) => byDay.get(day) ?? { day, succeeded: 0, failed: 0 })
  if (since !== undefined)
    await saveRunDays(
      ctx,
      days.filter(({ day }) => day >= since && day < yesterday),
    )
  const { running, queued, succeeded, failed, rows } = counts
  return {
    dataflow_count: counts.dataflows,
    running,
    queued,
    last_24_hours: { succeeded, failed, rows },
    days,
  }
}

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10)
