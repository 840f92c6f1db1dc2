import type { Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

interface OfProject {
  project_id: number
  account_id: number
}
interface OfBranch {
  branch_id: number
  account_id: number
  file_id: string
}

export interface WorksheetTables {
  worksheet_projects: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    trellis_code: string
    name: string
    description: Generated<string>
    live_seq: Generated<number>
    object_bytes: Generated<number>
    created_by: number | null
    created_at: Stamp
    deleted_at: Date | null
  }
  worksheet_objects: OfProject & { id: string; kind: 'blob' | 'tree' | 'commit' | 'tag'; body: Buffer }
  worksheet_commits: OfProject & {
    seq: number
    commit_id: string
    message: string
    author_id: number | null
    author_name: string
    committed_at: Date
  }
  worksheet_changes: OfProject & {
    file_id: string
    seq: number
    change: 'added' | 'edited' | 'renamed' | 'deleted'
    path: string
    previous_path: string | null
    blob: string | null
  }
  worksheet_live_files: OfProject & { file_id: string; path: string; blob: string; seq: number }
  worksheet_branches: {
    id: Generated<number>
    account_id: number
    project_id: number
    profile_id: number
    base_seq: number
    head: string | null
    head_seq: number | null
    created_at: Stamp
  }
  opened_worksheets: {
    account_id: number
    workspace_id: number
    profile_id: number
    project_id: number
    file_id: string
    opened_at: Stamp
  }
  worksheet_drafts: OfBranch & {
    path: string | null
    content: string | null
    size_bytes: number
    version: Generated<number>
    kept_at: Stamp
    updated_at: Stamp
  }
  worksheet_draft_versions: OfBranch & {
    id: Generated<number>
    path: string
    content: string
    size_bytes: number
    reason: string
    saved_at: Stamp
  }
  worksheet_conflicts: OfBranch & {
    base_path: string | null
    base_blob: string | null
    theirs_path: string | null
    theirs_blob: string | null
  }
  worksheet_folders: { branch_id: number; account_id: number; path: string }
  worksheet_charts: {
    project_id: number
    account_id: number
    file_id: string
    statement: number
    /** Null: shared with everyone. */
    profile_id: number | null
    spec: Json<object>
    saved_by: number | null
    saved_at: Stamp
  }
  editor_settings: { account_id: number; profile_id: number; settings: Json<object> }
}
