import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type QueryPlanCheck, planProjectQueries } from '../../ai/guarded-query.service.ts'
import type { UsedTable } from '../versions.repository.ts'
import { bindSource } from './bind-source.ts'
import { readValues } from './parameter-values.ts'

/** EXPLAIN only, with initial parameter values. By source key. */
export async function planSources(
  ctx: WorkspaceCtx,
  projectId: number,
  { sources, parameters }: Pick<SparkContent, 'sources' | 'parameters'>,
): Promise<ReadonlyMap<string, QueryPlanCheck>> {
  const values = readValues(parameters, {})
  const checks = new Map<string, QueryPlanCheck>()
  for (const integrationCode of new Set(sources.map((source) => source.integration_trellis_code))) {
    const ownSources = sources.filter((source) => source.integration_trellis_code === integrationCode)
    const boundSources = await Promise.all(ownSources.map((source) => bindSource(source, parameters, values)))
    const place = { projectId, integrationCode, signal: ctx.http.signal }
    for (const [at, check] of (await planProjectQueries(ctx, place, boundSources)).entries()) {
      const source = ownSources[at]
      if (source) checks.set(source.key, check)
    }
  }
  return checks
}

export async function listTablesOfSources(
  ctx: WorkspaceCtx,
  projectId: number,
  content: SparkContent,
): Promise<ReadonlyMap<string, readonly UsedTable[]>> {
  const tables = new Map<string, readonly UsedTable[]>()
  const checks = await planSources(ctx, projectId, content)
  for (const [at, { key, name }] of content.sources.entries()) {
    const check = checks.get(key)
    if (!check) continue
    if ('problem' in check) {
      const pointer = `/content/sources/${at}/sql`
      throw new AppError('invalid_request', `${name || key}: ${check.problem.message}`, { source: { pointer } })
    }
    tables.set(key, check.tables)
  }
  return tables
}
