import type { ColumnType, Generated } from 'kysely'
import type { Json } from './explorer.ts'
import type { Stamp } from './identity.ts'

export interface AiTables {
  ai_projects: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    trellis_code: string
    name: string
    description: Generated<string>
    created_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  ai_project_tables: {
    project_id: number
    account_id: number
    integration_code: string
    schema_name: string
    table_name: string
  }
  ai_contexts: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    project_id: number | null
    trellis_code: string
    kind: 'text' | 'synonym' | 'verified_question' | 'metric'
    name: string
    text: Generated<string>
    sql: string | null
    integration_code: string | null
    problem: string | null
    checked_shape: string | null
    created_by: number | null
    created_at: Stamp
    updated_at: Stamp
  }
  ai_conversations: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    project_id: number
    profile_id: number
    trellis_code: string
    name: string
    created_at: Stamp
    updated_at: Stamp
  }
  ai_messages: {
    id: Generated<number>
    account_id: number
    conversation_id: number
    trellis_code: string
    role: 'user' | 'assistant'
    status: 'creating' | 'responding' | 'completed' | 'failed' | 'cancelled'
    text: string
    choices: Json<object>
    parts: Json<object[]>
    sha: string
    credits_spent: Generated<number>
    engine: Generated<'rules' | 'model'>
    credits_reserved: Generated<number>
    input_tokens: Generated<number>
    output_tokens: Generated<number>
    heartbeat_at: Stamp
    attempt: Generated<number>
    cancel_requested_at: Date | null
    created_at: Stamp
    finished_at: Date | null
  }
  ai_feedback: {
    message_id: number
    account_id: number
    rating: 'up' | 'down' | null
    reasons: Json<string[]>
    comment: Generated<string>
    updated_at: Stamp
  }
  ai_action_items: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    profile_id: number
    message_id: number | null
    trellis_code: string
    action_type: string
    arguments: Json<object>
    title: string
    summary: string
    preview: Json<object[]>
    status: 'proposed' | 'accepted' | 'declined' | 'failed' | 'undone'
    effect: Json<object> | null
    undo: Json<object> | null
    problem: string | null
    log: Json<object[]>
    created_at: Stamp
  }
  ai_documents: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    profile_id: number | null
    project_id: number | null
    conversation_id: number | null
    trellis_code: string
    task_code: string
    name: string
    size_bytes: number
    content: Buffer | null
    status: 'in_progress' | 'completed' | 'failed'
    problem: string | null
    page_count: number | null
    passage_count: Generated<number>
    is_cut: Generated<boolean>
    deleted_at: Date | null
    created_at: Stamp
    finished_at: Date | null
  }
  ai_passages: {
    id: Generated<number>
    account_id: number
    document_id: number
    page: number | null
    heading: string | null
    text: string
    search: ColumnType<string, never, never>
  }
  ai_models: {
    account_id: number
    protocol: 'anthropic' | 'openai'
    base_url: string
    model: string
    sealed_key: string | null
    can_stream: boolean
    can_use_tools: boolean
    context_tokens: number | null
    checked_at: Stamp
  }
  ai_scheduled_questions: {
    id: Generated<number>
    account_id: number
    workspace_id: number
    project_id: number
    profile_id: number
    conversation_id: number | null
    trellis_code: string
    question: string
    schedule: Json<object>
    only_if_changed: Generated<boolean>
    is_paused: Generated<boolean>
    next_at: Date | null
    queued_at: Date | null
    last_asked_at: Date | null
    last_outcome: 'mailed' | 'unchanged' | 'failed' | null
    last_problem: string | null
    last_rows: string | null
    created_at: Stamp
  }
}
