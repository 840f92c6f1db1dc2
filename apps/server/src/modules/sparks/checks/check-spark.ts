import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { QueryPlanCheck } from '../../ai/guarded-query.service.ts'
import { planSources } from '../content/plan-sources.ts'
import { type SparkRow, setSparkProblems } from '../sparks.repository.ts'
import { getVersionRow } from '../versions.ts'

export async function checkSpark(ctx: WorkspaceCtx, spark: SparkRow, onlyIn?: string): Promise<void> {
  const { content } = await getVersionRow(ctx, spark, spark.shown_code)
  const problems: Spark['problems'] = []
  const present = new Set(content.sources.map(({ key }) => key))
  const checked = spark.problems.flatMap(({ source }) => (present.has(source) ? [] : [source]))
  for (const code of new Set(content.sources.map((source) => source.integration_trellis_code))) {
    if (onlyIn !== undefined && code !== onlyIn) continue
    for (const [source, check] of await planIn(ctx, spark, { content, code })) {
      checked.push(source)
      if ('problem' in check) problems.push({ source, message: check.problem.message })
    }
  }
  await setSparkProblems(ctx, spark.id, { sources: checked, problems, now: ctx.clock.now() })
}

/** An unreachable database says nothing about its columns. */
async function planIn(ctx: WorkspaceCtx, spark: SparkRow, { content, code }: { content: SparkContent; code: string }) {
  const sources = content.sources.filter((source) => source.integration_trellis_code === code)
  try {
    return await planSources(ctx, spark.project_id, { sources, parameters: content.parameters })
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof WorkspaceDbError)) throw error
    ctx.log.info({ err: error, spark: spark.trellis_code }, 'sources of a spark could not be checked')
    return new Map<string, QueryPlanCheck>()
  }
}
