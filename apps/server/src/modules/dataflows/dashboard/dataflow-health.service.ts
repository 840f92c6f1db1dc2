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
    ...(await readAndSaveCounts(ctx, now)),
    failures: (await findLastFailures(ctx, MAX_LISTED)).map(({ at: index, ...failure }) => ({
      ...failure,
      at: index.toISOString(),
    })),
    next_due: (await findNextDue(ctx, now, MAX_LISTED)).map(({ dataflow_code, name, at: index }) => ({
      dataflow_trellis_code: dataflow_code,
      name,
      at: index.toISOString(),
    })),
  }
}

/** Each complete day is counted once; a day stays open for one more, for late writes. */
async function readAndSaveCounts(ctx: WorkspaceCtx, now: Date) {
  const dayNames = Array.from({ length: DASHBOARD_DAYS }, (_, index) =>
    toDay(now.getTime() - (DASHBOARD_DAYS - 1 - index) * DAY_MS),
  )
  const [firstDay = ''] = dayNames
  const today = toDay(now.getTime())
  const dayAgo = new Date(now.getTime() - DAY_MS)
  const yesterday = toDay(dayAgo.getTime())
  const { counted, ...counts } = await countHealth(ctx, {
    firstDay,
    dayAgo,
    yesterday: new Date(yesterday),
    today: new Date(today),
  })
  const countsByDay = new Map(counted.map((row) => [row.day, row]))
  countsByDay.set(yesterday, { day: yesterday, ...counts.yesterday }).set(today, { day: today, ...counts.today })
  const [firstUncounted] = dayNames.filter((day) => !countsByDay.has(day))
  if (firstUncounted !== undefined) {
    const range = { since: new Date(firstUncounted), until: new Date(yesterday) }
    for (const row of await countFlowRunsByDay(ctx, range)) if (!countsByDay.has(row.day)) countsByDay.set(row.day, row)
  }
  const days = dayNames.map((day) => countsByDay.get(day) ?? { day, succeeded: 0, failed: 0 })
  if (firstUncounted !== undefined)
    await saveRunDays(
      ctx,
      days.filter(({ day }) => day >= firstUncounted && day < yesterday),
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
