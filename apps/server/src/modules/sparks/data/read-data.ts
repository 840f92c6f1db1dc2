import type { SparkData } from '@trellis/contract/sparks/sparks.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { runProjectQuery } from '../../ai/guarded-query.service.ts'
import { type BoundSource, bindSource, toParametersHash } from '../content/bind-source.ts'
import { parseValues, readValues } from '../content/parameter-values.ts'
import { setSparkProblems } from '../sparks.repository.ts'
import { type KeyedSource, findSourceByKey } from '../versions.repository.ts'
import { createSharedRequests } from './shared-requests.ts'
import { getRightsKey } from './rights.ts'
import { type CachedRows, type RowsKey, findRows, saveRows, setRowsStale, markRowsRead } from './rows.repository.ts'

type CachedData = Pick<SparkData, 'columns' | 'rows' | 'is_cut' | 'tables' | 'account'>
type Outcome = { readonly data: SparkData } | { readonly problem: string; readonly isSchema: boolean }

const shareRequest = createSharedRequests<Outcome>()

export async function getSparkData(
  ctx: WorkspaceCtx,
  basedKey: string,
  query: { parameters?: string | undefined; fresh: boolean },
): Promise<SparkData> {
  const source = await findSourceByKey(ctx, basedKey)
  const definition = source?.content.sources.find(({ key }) => key === source.key)
  if (!source || !definition) {
    throw new AppError('not_found', 'There is nothing at this address, or you have no access to it.')
  }
  const { parameters } = source.content
  const boundSource = await bindSource(definition, parameters, readValues(parameters, parseValues(query.parameters)))
  const key: RowsKey = {
    project_id: source.project_id,
    query_hash: source.query_hash,
    parameters_hash: toParametersHash(boundSource.values),
    rights_key: await getRightsKey(ctx, source.project_id, source),
  }
  const cached = await findRows(ctx, key)
  const now = ctx.clock.now()
  const isFresh = cached && now.getTime() - cached.queried_at.getTime() < definition.max_age_seconds * 1000
  if (cached && isFresh && !cached.stale_since && !query.fresh) {
    await markRowsRead(ctx, cached.id, now)
    return toData(cached, null)
  }
  const flight = JSON.stringify([ctx.account.id, key])
  const outcome = await shareRequest(flight, ctx.http.signal, (signal) =>
    queryAndCache(ctx, { source, bound: boundSource, key, signal }),
  )
  await saveStaleState(ctx, source, outcome)
  if ('data' in outcome) return outcome.data
  if (!cached) throw new AppError('statement_failed', outcome.problem)
  return toData({ ...cached, stale_since: await setRowsStale(ctx, cached.id, now) }, outcome.problem)
}

interface SourceQuery {
  readonly source: KeyedSource
  readonly bound: BoundSource
  readonly key: RowsKey
  readonly signal: AbortSignal
}

/** Throws permission errors; for others, cached rows stand in. */
async function queryAndCache(ctx: WorkspaceCtx, { source, bound, key, signal }: SourceQuery): Promise<Outcome> {
  const place = { projectId: source.project_id, integrationCode: source.integration_code, signal }
  try {
    const { account, columns, rows, isCut, tables } = await runProjectQuery(ctx, place, bound)
    if (account.refusal) {
      const { code, message } = account.refusal
      if (code === 'no_right') throw new AppError('forbidden', 'You have no access to a table that this source reads.')
      return { problem: message, isSchema: code !== 'too_expensive' }
    }
    const data: CachedData = { columns, rows, is_cut: isCut, tables, account }
    const now = ctx.clock.now()
    await saveRows(ctx, key, { data: JSON.stringify(data), now })
    return { data: { ...data, queried_at: now.toISOString(), stale_since: null, problem: null } }
  } catch (error) {
    const problem = toProblem(error)
    if (!problem) throw error
    return problem
  }
}

const UNDEFINED_NAMES = /^42/

function toProblem(error: unknown): Extract<Outcome, { problem: string }> | undefined {
  if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'integration_problem')) {
    return { problem: error.message, isSchema: false }
  }
  if (!(error instanceof WorkspaceDbError) || error.code === 'cancelled' || error.code === 'refused') return undefined
  return { problem: error.message, isSchema: UNDEFINED_NAMES.test(error.sqlState ?? '') }
}

/** Stale: a query of the shown version no longer fits the tables. */
async function saveStaleState(ctx: WorkspaceCtx, source: KeyedSource, outcome: Outcome): Promise<void> {
  if (source.version_id !== source.shown_id) return
  const isBroken = 'problem' in outcome
  if (isBroken ? !outcome.isSchema : source.spark_stale_since === null) return
  const problems = isBroken ? [{ source: source.key, message: outcome.problem }] : []
  await setSparkProblems(ctx, source.spark_id, { sources: [source.key], problems, now: ctx.clock.now() })
}

const toData = ({ data, queried_at, stale_since }: CachedRows, problem: string | null): SparkData => ({
  ...(JSON.parse(data) as CachedData),
  queried_at: queried_at.toISOString(),
  stale_since: stale_since?.toISOString() ?? null,
  problem,
})
