import { DASHBOARD_DAYS, type DataflowHealth } from '@trellis/contract/dashboard/dashboard.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { countDataflows } from '../dataflows.repository.ts'
import { countRuns, countRunsByDay, findLastFailures, findNextDue, findWriters } from './dashboard.repository.ts'
import { countFreshness, toLoadedTables } from './table-freshness.ts'

const DAY_MS = 86_400_000
const MAX_LISTED = 6

/** How the dataflows of a workspace do: what ran, what failed and was not fixed, what comes next, which tables are late. */
export async function getDataflowHealth(ctx: WorkspaceCtx): Promise<DataflowHealth> {
  const now = ctx.clock.now()
  const [writers, days, { runs, ...lists }] = await Promise.all([
    findWriters(ctx),
    listDays(ctx, now),
    readLists(ctx, now),
  ])
  const tables = toLoadedTables(writers, now)
  const { running, queued, succeeded, failed, rows } = runs
  return {
    ...lists,
    running,
    queued,
    last_24_hours: { succeeded, failed, rows },
    days,
    table_counts: countFreshness(tables),
    tables: tables.slice(0, MAX_LISTED),
  }
}

/** What few rows tell, one after the other: a dashboard must not take all connections. */
async function readLists(ctx: WorkspaceCtx, now: Date) {
  return {
    runs: await countRuns(ctx, new Date(now.getTime() - DAY_MS)),
    dataflow_count: await countDataflows(ctx),
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

async function listDays(ctx: WorkspaceCtx, now: Date): Promise<DataflowHealth['days']> {
  const names = Array.from({ length: DASHBOARD_DAYS }, (_, at) =>
    new Date(now.getTime() - (DASHBOARD_DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )
  const counted = new Map((await countRunsByDay(ctx, `${names[0]}T00:00:00Z`)).map((row) => [row.day, row]))
  return names.map((day) => ({
    day,
    succeeded: counted.get(day)?.succeeded ?? 0,
    failed: counted.get(day)?.failed ?? 0,
  }))
}
