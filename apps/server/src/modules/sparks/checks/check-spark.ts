import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { planSources } from '../content/plan-sources.ts'
import { type SparkRow, setSparkProblems } from '../sparks.repository.ts'
import { getVersionRow } from '../versions.ts'

/** Plans the sources of the shown version again: the spark is stale while one of them can't be read. */
export async function checkSpark(ctx: WorkspaceCtx, spark: SparkRow): Promise<void> {
  const { content } = await getVersionRow(ctx, spark, spark.shown_code)
  const checks = await planSources(ctx, spark.project_id, content)
  const problems: Spark['problems'] = []
  for (const [source, check] of checks)
    if ('problem' in check) problems.push({ source, message: check.problem.message })
  const stale = new Set(spark.problems.map(({ source }) => source))
  const sources = [...new Set([...checks.keys(), ...stale])]
  await setSparkProblems(ctx, spark.id, { sources, problems, now: ctx.clock.now() })
}
