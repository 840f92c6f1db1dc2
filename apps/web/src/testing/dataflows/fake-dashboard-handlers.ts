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
          flow_run_trellis_code: 'f-failed',
          dataflow_trellis_code: 'd-revenue',
          dataflow_name: 'Revenue',
          state: 'failed',
          block_names: ['Orders', 'Spend'],
          message: 'The column "total" is gone.',
          at: daysFromNow(-0.1),
        },
        {
          flow_run_trellis_code: 'f-asked',
          dataflow_trellis_code: 'd-spend',
          dataflow_name: 'Spend',
          state: 'needs_decision',
          block_names: ['Costs'],
          message: 'The source has a new column fee.',
          at: daysFromNow(-0.2),
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
    recent_flow_runs: [
      {
        flow_run_trellis_code: 'f-failed',
        dataflow_trellis_code: 'd-revenue',
        dataflow_name: 'Revenue',
        state: 'failed',
        cause: 'schedule',
        because: 'It was due today, 06:00 UTC.',
        created_at: daysFromNow(-0.1),
        started_at: '2026-01-01T06:00:00.000Z',
        finished_at: '2026-01-01T06:01:05.000Z',
        rows_written: 1200,
        rows_rejected: 0,
      },
    ],
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
