import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Result, Session } from '@trellis/workspace-db/session'
import { type QueryScope, type Refusal, checkQuery } from './check-query.ts'

export interface GuardLimits {
  readonly maxRows: number
  readonly maxBytes: number
  readonly statementMs: number
  /** In planner units: reading one page sequentially costs 1. */
  readonly maxCost: number
}

export const GUARD_LIMITS: GuardLimits = {
  maxRows: 1_000,
  maxBytes: 1024 * 1024,
  statementMs: 30_000,
  maxCost: 5_000_000,
}

export interface GuardAccount {
  /** `tables`: a role that can read only these tables. `connection`: the login of a connected database. */
  readonly role: 'tables' | 'connection'
  readonly tables: readonly { readonly schema: string; readonly name: string }[]
  readonly estimatedCost: number | null
  readonly estimatedRows: number | null
  readonly limits: GuardLimits
  readonly rows: number
  readonly cutAt: 'rows' | 'bytes' | null
  readonly durationMs: number
  readonly refusal: Refusal | null
}

export interface GuardedResult {
  readonly account: GuardAccount
  readonly result: Result | null
}

export interface GuardedQuery {
  readonly sql: string
  readonly values?: readonly (string | null)[]
  readonly scope: QueryScope
  readonly limits: GuardLimits
}

/** Open the session with the same limits, since it enforces rows, bytes and time. */
export async function runGuarded(
  session: Session,
  { sql, values = [], scope, limits }: GuardedQuery,
): Promise<GuardedResult> {
  const started = performance.now()
  const base = {
    role: session.databaseKind === 'workspace' ? ('tables' as const) : ('connection' as const),
    tables: [],
    estimatedCost: null,
    estimatedRows: null,
    limits,
    rows: 0,
    cutAt: null,
  }
  const finish = (more: Partial<GuardAccount>, result: Result | null = null): GuardedResult => ({
    account: { ...base, refusal: null, ...more, durationMs: performance.now() - started },
    result,
  })
  const check = await checkQuery(sql, scope)
  if (!check.isAllowed) return finish({ refusal: check.refusal })
  const { tables, isExplain } = check.query
  const schemas = [...new Set(scope.tables.map(({ schema }) => schema))]
  try {
    return await withReadOnlyTransaction(session, schemas, async () => {
      const estimate = isExplain ? { cost: null, rows: null } : await estimateCost(session, { text: sql, values })
      const known = { tables, estimatedCost: estimate.cost, estimatedRows: estimate.rows }
      if (estimate.cost !== null && estimate.cost > limits.maxCost) {
        return finish({ ...known, refusal: toCostRefusal(estimate.cost, limits.maxCost) })
      }
      const result = await session.query({ text: sql, values })
      return finish({ ...known, rows: result.rows.length, cutAt: result.cutAt ?? null }, result)
    })
  } catch (error) {
    const refusal = toRefusal(error)
    if (!refusal) throw error
    return finish({ tables, refusal })
  }
}

export async function withReadOnlyTransaction<T>(
  session: Session,
  schemas: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // A connected database is already in a read-only transaction.
  if (session.databaseKind === 'workspace') await session.query({ text: 'begin read only' })
  try {
    const path = schemas.map((schema) => quoteName(schema)).join(', ')
    await session.query({ text: `set local search_path = ${path === '' ? 'pg_catalog' : path}` })
    return await work()
  } finally {
    if (session.databaseKind === 'workspace') await session.query({ text: 'rollback' }).catch(() => undefined)
  }
}

const EXPLAIN = 'explain (format json) '

async function estimateCost(
  session: Session,
  { text, values }: { text: string; values: readonly (string | null)[] },
): Promise<{ cost: number | null; rows: number | null }> {
  const { rows } = await session.query({ text: `${EXPLAIN}${text}`, values }).catch((error: unknown) => {
    throw error instanceof WorkspaceDbError ? withoutPrefix(error) : error
  })
  const [plan] = JSON.parse(rows[0]?.[0] ?? '[]') as { Plan?: { 'Total Cost'?: number; 'Plan Rows'?: number } }[]
  return { cost: plan?.Plan?.['Total Cost'] ?? null, rows: plan?.Plan?.['Plan Rows'] ?? null }
}

/** Postgres counts from the start of EXPLAIN, users from the start of their query. */
function withoutPrefix({ code, message, sqlState, position, hint, cause }: WorkspaceDbError): WorkspaceDbError {
  const index = position === undefined ? undefined : Math.max(1, position - EXPLAIN.length)
  return new WorkspaceDbError({ code, message, sqlState, position: index, hint, cause })
}

const toCostRefusal = (cost: number, ceiling: number): Refusal => ({
  code: 'too_expensive',
  message: `The planner estimates a cost of ${Math.round(cost).toLocaleString('en')}, more than the ${ceiling.toLocaleString('en')} allowed.`,
  hint: 'Narrow the query down with a filter, or read fewer tables.',
  position: null,
})

function toRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof WorkspaceDbError) || error.code !== 'refused') return undefined
  return { code: 'no_right', message: error.message, hint: null, position: null }
}
