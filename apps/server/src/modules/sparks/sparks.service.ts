import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import { MAX_DASHBOARD_SPARKS } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { parseValues } from './content/parameter-values.ts'
import { type ReadSpark, readSpark } from './schedules/read-spark.ts'
import { findDashboardSparks, findSparks } from './sparks.repository.ts'
import { createSpark, updateSpark } from './sparks.ts'
import { findSparkUsers } from './used-tables.repository.ts'
import type { UsedTable } from './versions.repository.ts'

export async function listDashboardSparks(ctx: WorkspaceCtx) {
  const rows = await findDashboardSparks(ctx, MAX_DASHBOARD_SPARKS)
  return rows.map(({ trellis_code, name, stale_since, version_code }) => ({
    spark_trellis_code: trellis_code,
    name,
    stale_since: stale_since?.toISOString() ?? null,
    spark_version_trellis_code: version_code,
  }))
}

interface SparkUser {
  readonly code: string
  readonly name: string
  readonly projectName: string
  readonly reads: readonly UsedTable[]
}

export async function listSparksReading(
  ctx: WorkspaceCtx,
  place: { integrationCode: string; tables: readonly UsedTable[]; wholeSchema?: string | undefined },
): Promise<SparkUser[]> {
  const wanted = new Set(place.tables.map(({ schema, name }) => JSON.stringify([schema, name])))
  const rows = await findSparkUsers(ctx, place.integrationCode)
  return rows.flatMap(({ code, name, projectName, tables }) => {
    const reads = tables.filter(
      (table) => wanted.has(JSON.stringify([table.schema, table.name])) || table.schema === place.wholeSchema,
    )
    return reads.length > 0 ? [{ code, name, projectName, reads }] : []
  })
}

export async function createSampleSpark(
  ctx: WorkspaceCtx,
  projectCode: string,
  { name, description, content }: { name: string; description: string; content: SparkContent },
): Promise<void> {
  if ((await findSparks(ctx)).some((spark) => spark.name === name)) return
  const origin = { kind: 'content' as const, content }
  const made = await createSpark(ctx, { project_trellis_code: projectCode, name, description, origin })
  await updateSpark(ctx, made.spark_trellis_code, { is_on_dashboard: true })
}

export async function listSparkNames(ctx: WorkspaceCtx) {
  return (await findSparks(ctx)).map(({ trellis_code, name, description, project_name, stale_since }) => ({
    spark: trellis_code,
    name,
    description,
    project: project_name,
    stale_since: stale_since?.toISOString() ?? null,
  }))
}

export async function readSparkRows(ctx: WorkspaceCtx, code: string, values: unknown): Promise<ReadSpark> {
  return await readSpark(ctx, code, parseValues(JSON.stringify(values ?? {})))
}
