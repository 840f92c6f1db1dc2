import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { ExplorerHome } from '../explorer/explorer.schemas.ts'
import { FlowRun } from '../runs/flow-runs.schemas.ts'
import { MAX_DASHBOARD_SPARKS } from '../sparks/sparks.schemas.ts'

export const DASHBOARD_DAYS = 30

/** A flow run whose failed blocks have not run again since. */
const Failure = z.object({
  flow_run_trellis_code: z.string(),
  dataflow_trellis_code: z.string(),
  dataflow_name: z.string(),
  state: z.enum(['failed', 'needs_decision']),
  block_names: z.array(z.string()),
  message: z.nullable(z.string()),
  at: Instant,
})

/** `late`: older than its usual interval. `paused`: its dataflow is paused. */
export const TABLE_FRESHNESS = ['late', 'new', 'paused', 'fresh'] as const

const LoadedTable = z.object({
  schema_name: z.string(),
  table_name: z.string(),
  dataflow_trellis_code: z.string(),
  dataflow_name: z.string(),
  freshness: z.enum(TABLE_FRESHNESS),
  loaded_at: z.nullable(Instant),
  /** Median interval between loads; null before the third load. */
  usual_gap_seconds: z.nullable(z.int()),
})

export const DataflowHealth = z.object({
  dataflow_count: z.int(),
  /** All counts on the dashboard are flow runs. */
  running: z.int(),
  queued: z.int(),
  last_24_hours: z.object({ succeeded: z.int(), failed: z.int(), rows: z.int() }),
  days: z.array(z.object({ day: z.iso.date(), succeeded: z.int(), failed: z.int() })),
  failures: z.array(Failure),
  next_due: z.array(z.object({ dataflow_trellis_code: z.string(), name: z.string(), at: Instant })),
  table_counts: z.record(z.enum(TABLE_FRESHNESS), z.int()),
  tables: z.array(LoadedTable),
})
export type DataflowHealth = z.infer<typeof DataflowHealth>

const SparkTile = z.object({
  spark_trellis_code: z.string(),
  name: z.string(),
  stale_since: z.nullable(Instant),
  spark_version_trellis_code: z.string(),
})

const TilePlace = z.object({ spark_trellis_code: z.string().check(z.maxLength(40)), is_wide: z.boolean() })
export type TilePlace = z.infer<typeof TilePlace>
export const TileOrder = z.array(TilePlace).check(z.maxLength(MAX_DASHBOARD_SPARKS))

const RecentChat = z.object({ conversation_trellis_code: z.string(), name: z.string(), updated_at: Instant })

const RecentFlowRun = z.extend(
  z.pick(FlowRun, {
    flow_run_trellis_code: true,
    dataflow_trellis_code: true,
    state: true,
    cause: true,
    because: true,
    created_at: true,
    started_at: true,
    finished_at: true,
    rows_written: true,
    rows_rejected: true,
  }),
  { dataflow_name: z.string() },
)

export const GETTING_STARTED = ['data', 'query', 'dataflow', 'question', 'invite'] as const
export type GettingStartedStep = (typeof GETTING_STARTED)[number]

export const Dashboard = z.object({
  managed_database: z.string(),
  dataflows: DataflowHealth,
  storage: z.object({ used_bytes: z.int(), limit_bytes: z.nullable(z.int()) }),
  credits: z.object({ remaining: z.int(), available: z.int() }),
  recent_flow_runs: z.array(RecentFlowRun),
  recent_worksheets: ExplorerHome.shape.recent_worksheets,
  recent_tables: ExplorerHome.shape.recent_tables,
  recent_chats: z.array(RecentChat),
  sparks: z.array(SparkTile),
  tile_order: TileOrder,
  getting_started: z.record(z.enum(GETTING_STARTED), z.boolean()),
})
export type Dashboard = z.infer<typeof Dashboard>
