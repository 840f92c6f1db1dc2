import type { ColumnType, Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

export interface UploadTables {
  upload_files: {
    id: Generated<string>
    account_id: number
    workspace_id: number
    profile_id: number | null
    integration_code: string
    schema_name: string
    table_name: string | null
    mode: Generated<'new' | 'append' | 'replace' | 'upsert'>
    original_filename: string
    size_bytes: number
    parts: ColumnType<Record<string, number>, string | undefined, string>
    state: Generated<'uploading' | 'uploaded' | 'profiled' | 'validated' | 'delivered' | 'failed'>
    dialect: Json<object | null> | null
    profile: Json<object | null> | null
    data_model: Json<object | null> | null
    on_bad_rows: Generated<'stop' | 'quarantine' | 'set_null'>
    rows: number | null
    validation: Json<object | null> | null
    staged_from: string | null
    load_id: string | null
    created_at: Stamp
    updated_at: Stamp
    delivered_at: Date | null
  }
  upload_jobs: {
    id: Generated<string>
    account_id: number
    workspace_id: number
    profile_id: number | null
    kind: 'pre_process' | 'validate' | 'deliver' | 'undo'
    status: Generated<'in_progress' | 'completed' | 'failed' | 'cancelled'>
    file_id: string | null
    integration_code: string
    schema_name: string
    table_name: string | null
    request: ColumnType<object, string | undefined, string>
    progress: ColumnType<object, string | undefined, string>
    error: string | null
    load: Json<object | null> | null
    beat_at: Stamp
    is_cancel_wanted: Generated<boolean>
    created_at: Stamp
    finished_at: Date | null
  }
  upload_bad_rows: {
    account_id: number
    file_id: string
    row_number: number
    line_number: number
    column_name: string | null
    value: string | null
    reason: string
    raw: Generated<string>
  }
}
