import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

type Settings = ColumnType<Record<string, unknown>, string, string>
type WorkspaceOwned = { account_id: number; workspace_id: number }

interface CanvasTables {
  dataflow_folders: WorkspaceOwned & {
    id: Generated<number>
    trellis_code: string
    parent_id: number | null
    name: string
    position: Generated<number>
    created_at: Stamp
  }
  dataflows: WorkspaceOwned & {
    id: Generated<number>
    trellis_code: string
    folder_id: number | null
    name: string
    description: Generated<string>
    position: Generated<number>
    alerts: ColumnType<Record<string, unknown>, string | undefined, string>
    webhook_key_number: Generated<number>
    misfire: Generated<'latest' | 'all' | 'none'>
    overlap: Generated<'queue' | 'skip' | 'parallel'>
    is_paused: Generated<boolean>
    deleted_at: Date | null
    created_by: number | null
    updated_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  canvas_groups: {
    id: Generated<number>
    account_id: number
    dataflow_id: number
    trellis_code: string
    name: string
    color: string
    note: Generated<string>
    is_folded: Generated<boolean>
  }
  task_blocks: WorkspaceOwned & {
    id: Generated<number>
    dataflow_id: number
    trellis_code: string
    kind: 'Source' | 'Transformation' | 'Destination'
    name: string
    x: Generated<number>
    y: Generated<number>
    group_id: number | null
    note: Generated<string>
    settings: Settings
    version: Generated<number>
    live_version: number | null
    ticks_until: Date | null
    file_key: string | null
    deleted_at: Date | null
    integration_id: number | null
    updated_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  task_block_versions: {
    block_id: number
    account_id: number
    version: number
    settings: Settings
    written_schemas: GeneratedAlways<string[]>
    written_tables: GeneratedAlways<string[]>
    sessions: GeneratedAlways<number>
    message: Generated<string>
    published_by: number | null
    published_at: Stamp
  }
  live_waits: { block_id: number; upstream_id: number; account_id: number }
}

interface RunTables {
  block_loads: WorkspaceOwned & { block_id: number; loaded_at: Date; usual_gap_ms: number | null }
  source_columns: WorkspaceOwned & {
    block_id: number
    subtask: string
    fields: ColumnType<Record<string, string>, string, string>
    answers: ColumnType<Record<string, 'change' | 'keep'>, string | undefined, string>
    updated_at: Stamp
  }
  run_days: WorkspaceOwned & { day: string; succeeded: number; failed: number }
  task_runs: WorkspaceOwned & {
    id: Generated<number>
    dataflow_id: number
    block_id: number
    trellis_code: string
    block_version: number
    status: Generated<
      | 'QUEUED'
      | 'SYSTEM_DEQUEUED'
      | 'SYSTEM_BLOCKED'
      | 'PROVISIONING'
      | 'INITIALIZING'
      | 'RUNNING'
      | 'SUCCESS'
      | 'FAILED'
      | 'EXCEPTION'
    >
    status_since: Stamp
    started_by: 'schedule' | 'activity' | 'person' | 'retry' | 'backfill' | 'api' | 'inbound_webhook'
    profile_id: number | null
    request: ColumnType<Record<string, unknown>, string | undefined, string>
    nominal_at: Date | null
    due_at: Date
    started_at: Date | null
    finished_at: Date | null
    retry_at: Date | null
    attempt: Generated<number>
    epoch: Generated<number>
    worker: string | null
    lease_until: Date | null
    is_cancel_wanted: Generated<boolean>
    retry_of: number | null
    root_code: string | null
    integration_id: number | null
    counters: ColumnType<Record<string, number>, string | undefined, string>
    problem: Json<object | null> | null
    is_shadow: ColumnType<boolean, never, never>
    draft: ColumnType<Record<string, unknown> | null, string | null | undefined, never>
    flow_run_id: number | null
  }
  flow_runs: WorkspaceOwned & {
    id: Generated<number>
    dataflow_id: number
    trellis_code: string
    cause: 'schedule' | 'event' | 'person' | 'api' | 'backfill' | 'inbound_webhook'
    cause_key: string | null
    profile_id: number | null
    cause_run_id: number | null
    nominal_at: Date | null
    request: ColumnType<Record<string, unknown>, string | undefined, string>
    cancelled_at: Date | null
    created_at: Stamp
  }
  inbound_webhooks: WorkspaceOwned & {
    dataflow_id: number
    trellis_code: string
    secret_hash: Buffer
    created_by: number | null
    created_at: Stamp
    rotated_at: Date | null
  }
  change_slots: WorkspaceOwned & {
    id: Generated<number>
    block_code: string
    subtask: string
    integration_code: string
    slot_name: string
    kept_bytes: number | null
    checked_at: Date | null
    dropped_because: string | null
    created_at: Stamp
  }
  task_run_attempts: {
    run_id: number
    account_id: number
    number: number
    status: string
    worker: string
    started_at: Stamp
    finished_at: Date | null
    problem: string | null
    message: string | null
    has_progressed: Generated<boolean>
    retry_after_ms: number | null
  }
  schedule_ticks: {
    id: Generated<number>
    account_id: number
    block_id: number
    block_version: number
    action_id: string
    nominal_at: Date
    outcome: string | null
    claimed_at: Date | null
    run_id: number | null
  }
  trigger_events: {
    id: Generated<number>
    account_id: number
    block_id: number
    action_id: string
    tick_id: number | null
    source_run_id: number | null
    happened_at: Stamp
    run_id: number | null
    dropped: string | null
  }
  task_run_logs: {
    run_id: number
    account_id: number
    number: number
    at: Stamp
    level: 'INFO' | 'DEBUG' | 'WARNING' | 'ERROR'
    attempt: number
    subtask: string | null
    message: string
  }
  run_undos: WorkspaceOwned & {
    id: Generated<string>
    dataflow_id: number
    block_id: number
    run_id: number
    root_code: string
    profile_id: number | null
    status: Generated<'in_progress' | 'completed' | 'failed'>
    load_ids: string[]
    progress: ColumnType<Record<string, unknown>, string | undefined, string>
    error: string | null
    beat_at: Stamp
    created_at: Stamp
    finished_at: Date | null
  }
  sent_alerts: {
    run_id: number
    account_id: number
    kind: 'failure' | 'recovery' | 'later_than_usual' | 'columns_changed' | 'slot_dropped'
    detail: string
    sent_at: Stamp
    problem: string | null
  }
}

export type DataflowTables = CanvasTables & RunTables
