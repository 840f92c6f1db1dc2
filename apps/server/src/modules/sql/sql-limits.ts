import { DEFAULT_ROW_LIMIT, DEFAULT_TIMEOUT_SECONDS, type SqlLimits } from '@trellis/contract/sql/sql.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findLimits, saveLimits } from './sql-limits.repository.ts'

/** The heartbeat is every second: after this the process is lost. */
export const LOST_MS = 30_000
export const MAX_GOING_PER_PERSON = 10
export const RESULT_HOURS = 24
const MAX_ROW_LIMIT = 1_000_000
const MAX_TIMEOUT_SECONDS = 900

export async function getSqlLimits(ctx: WorkspaceCtx): Promise<SqlLimits> {
  const set = await findLimits(ctx)
  const maxRows = set?.max_row_limit ?? MAX_ROW_LIMIT
  const maxSeconds = set?.max_timeout_seconds ?? MAX_TIMEOUT_SECONDS
  return {
    default_row_limit: Math.min(DEFAULT_ROW_LIMIT, maxRows),
    max_row_limit: maxRows,
    default_timeout_seconds: Math.min(DEFAULT_TIMEOUT_SECONDS, maxSeconds),
    max_timeout_seconds: maxSeconds,
    max_running_per_person: MAX_GOING_PER_PERSON,
    result_hours: RESULT_HOURS,
  }
}

export async function updateSqlLimits(
  ctx: WorkspaceCtx,
  patch: { max_row_limit?: number | undefined; max_timeout_seconds?: number | undefined },
): Promise<SqlLimits> {
  await saveLimits(ctx, patch)
  return await getSqlLimits(ctx)
}

export function applyLimits(
  limits: SqlLimits,
  { row_limit, timeout_seconds }: { row_limit?: number | undefined; timeout_seconds?: number | undefined },
): { rowLimit: number; timeoutSeconds: number } {
  if (row_limit !== undefined && row_limit > limits.max_row_limit) {
    throw new AppError('limit_reached', `This workspace reads at most ${limits.max_row_limit} rows of a result.`)
  }
  if (timeout_seconds !== undefined && timeout_seconds > limits.max_timeout_seconds) {
    throw new AppError('limit_reached', `A statement runs at most ${limits.max_timeout_seconds} s in this workspace.`)
  }
  return {
    rowLimit: row_limit ?? limits.default_row_limit,
    timeoutSeconds: timeout_seconds ?? limits.default_timeout_seconds,
  }
}
