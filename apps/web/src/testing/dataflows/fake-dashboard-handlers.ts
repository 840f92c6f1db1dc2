import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import { daysFromNow } from '../fake-company.ts'
import { FAKE_DATABASE } from '../fake-explorer.ts'
import type { Handler } from '../fake-handler.ts'

const DAYS = Array.from({ length: 30 }, (_, at) => ({
  day: daysFromNow(at - 29).slice(0, 10),
  succeeded: at % 5,
  failed: at === 29 ? 1 : 0,
}))

export const dashboardHandlers: Record<string, Handler> = {
  getWorkspaceDashboard: ({ sparks }): Dashboard => ({
    managed_database: FAKE_DATABASE,
    dataflows: {
      dataflow_count: 1,
      running: 0,
      queued: 0,
      last_24_hours: { succeeded: 4, failed: 1, rows: 12_400 },
      days: DAYS,
      failures: [
        {
          task_run_trellis_code: 'r-failed',
          task_block_trellis_code: 'b-orders',
          block_name: 'Orders',
          dataflow_trellis_code: 'd-revenue',
          dataflow_name: 'Revenue',
          message: 'The column "total" is gone.',
          at: daysFromNow(-0.1),
        },
      ],
      next_due: [{ dataflow_trellis_code: 'd-revenue', name: 'Revenue', at: daysFromNow(0.1) }],
      table_counts: { late: 1, new: 0, paused: 0, fresh: 3 },
      tables: [
        {
          schema_name: 'shop',
          table_name: 'orders',
          dataflow_trellis_code: 'd-revenue',
          dataflow_name: 'Revenue',
          freshness: 'late',
          loaded_at: daysFromNow(-3),
          usual_gap_seconds: 3600,
        },
      ],
    },
    storage: { used_bytes: 300_000_000, limit_bytes: 1024 ** 3 },
    credits: { remaining: 90, available: 100 },
    recent_worksheets: [],
    recent_tables: [],
    recent_chats: [{ conversation_trellis_code: 'c-1', name: 'Revenue by country', updated_at: daysFromNow(-1) }],
    sparks: sparks.sparks
      .filter((spark) => spark.is_on_dashboard)
      .map(({ spark_trellis_code, name, stale_since, shown_version }) => ({
        spark_trellis_code,
        name,
        stale_since,
        spark_version_trellis_code: shown_version.spark_version_trellis_code,
      })),
    tile_order: [],
    getting_started: { data: true, query: false, dataflow: true, question: false, invite: true },
  }),
}
