import type { HistoryQuery, QueryHistory } from '@trellis/contract/sql/sql.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type HistoryRow, findHistory } from './sql-jobs.repository.ts'

const PAGE = 50

export async function listQueryHistory(ctx: WorkspaceCtx, query: HistoryQuery): Promise<QueryHistory> {
  if (query.of === 'workspace' && ctx.workspace.role !== 'workspace_admin') {
    throw new AppError('forbidden', "Only an admin of the workspace sees everybody's queries.")
  }
  const rows = await findHistory(ctx, query, PAGE + 1)
  const items = rows.slice(0, PAGE).map((row) => toHistoryLine(ctx, row))
  return { items, next_before: rows.length > PAGE ? (items.at(-1)?.job_id ?? null) : null }
}

function toHistoryLine(ctx: WorkspaceCtx, row: HistoryRow): QueryHistory['items'][number] {
  const problem = row.problem ?? row.statements.find((statement) => statement.problem)?.problem
  return {
    job_id: row.id,
    integration_trellis_code: row.integration_code,
    sql: row.sql,
    status: row.status,
    person: row.first_name === null ? null : `${row.first_name} ${row.surname ?? ''}`.trim(),
    is_mine: row.profile_id === ctx.actor.profileId,
    rows: row.statements.reduce((sum, statement) => sum + statement.rows, 0),
    duration_ms: row.finished_at && row.started_at ? row.finished_at.getTime() - row.started_at.getTime() : null,
    problem: problem?.message ?? null,
    has_results: row.results_deleted_at === null && row.profile_id === ctx.actor.profileId,
    file_id: row.file_id,
    created_at: row.created_at.toISOString(),
  }
}
