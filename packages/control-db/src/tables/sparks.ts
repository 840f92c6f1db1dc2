import type { Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

export interface SparkTables {
  dashboard_tiles: {
    account_id: number
    workspace_id: number
    profile_id: number
    tiles: Json<{ spark_trellis_code: string; is_wide: boolean }[]>
  }
  sparks: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    project_id: number
    trellis_code: string
    name: string
    description: Generated<string>
    latest_version_id: number | null
    pinned_version_id: number | null
    is_on_dashboard: Generated<boolean>
    stale_since: Date | null
    problems: Json<object[]>
    checked_shape: string | null
    connected_checked_at: Generated<Date | null>
    created_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  spark_versions: {
    id: Generated<number>
    account_id: number
    spark_id: number
    trellis_code: string
    number: number
    note: Generated<string>
    content: Json<object>
    created_by: number | null
    created_at: Stamp
  }
  spark_sources: {
    based_key: string
    account_id: number
    version_id: number
    key: string
    integration_code: string
    query_hash: string
    tables: Json<object[]>
  }
  spark_rows: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    project_id: number
    query_hash: string
    parameters_hash: string
    rights_key: string
    data: string
    size_bytes: number
    queried_at: Date
    stale_since: Date | null
    used_at: Date
  }
  spark_schedules: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    spark_id: number
    profile_id: number
    schedule: Json<object>
    parameters: Json<object>
    only_if_changed: Generated<boolean>
    is_paused: Generated<boolean>
    next_at: Date | null
    last_sent_at: Date | null
    last_outcome: 'mailed' | 'unchanged' | 'failed' | null
    last_problem: string | null
    last_rows: string | null
    created_at: Stamp
  }
  spark_comments: {
    id: Generated<number>
    account_id: number
    spark_id: number
    trellis_code: string
    profile_id: number | null
    text: string
    created_at: Stamp
    edited_at: Date | null
    resolved_at: Date | null
    resolved_by: number | null
  }
  spark_comment_mentions: {
    comment_id: number
    account_id: number
    profile_id: number
  }
}
