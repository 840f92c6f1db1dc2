import type { ColumnType, Generated } from 'kysely'
import type { Stamp } from './identity.ts'

export type Json<T> = ColumnType<T, string, string>
interface OfWorkspace {
  account_id: number
  workspace_id: number
}

export interface ExplorerTables {
  table_labels: OfWorkspace & {
    id: Generated<number>
    name: string
    color: string
    created_by: number | null
    created_at: Stamp
  }
  labelled_tables: OfWorkspace & {
    label_id: number
    integration_code: string
    schema_name: string
    table_name: string
  }
  opened_tables: OfWorkspace & {
    profile_id: number
    integration_code: string
    schema_name: string
    table_name: string
    opened_at: Stamp
  }
  table_exports: OfWorkspace & {
    id: Generated<string>
    profile_id: number | null
    integration_code: string
    schema_name: string
    table_name: string
    request: Json<object>
    status: Generated<'in_progress' | 'completed' | 'failed' | 'cancelled'>
    rows_written: Generated<number>
    size_bytes: number | null
    error: string | null
    created_at: Stamp
    finished_at: Date | null
    expires_at: Date
  }
  row_edits: OfWorkspace & {
    id: Generated<string>
    profile_id: number
    integration_code: string
    schema_name: string
    table_name: string
    rows: number
    inverse: string
    applied_at: Date
    undone_at: Date | null
    expires_at: Date
  }
  recycle_bin: OfWorkspace & {
    code: string
    integration_code: string
    kind: 'table' | 'schema'
    schema_name: string
    table_name: string | null
    tables: number
    rows_estimate: number
    size_bytes: number
    labels: Json<readonly { schema: string; table: string; label_id: number }[]>
    is_moved: Generated<boolean>
    deleted_by: number | null
    deleted_at: Stamp
    purge_at: Date
  }
}
