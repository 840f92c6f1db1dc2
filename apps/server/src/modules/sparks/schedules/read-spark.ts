import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { SparkData } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getSparkData } from '../data/read-data.ts'
import { getSparkRow, getSparkVersion } from '../versions.ts'

export interface ReadSpark {
  readonly code: string
  readonly name: string
  readonly content: SparkContent
  readonly parameters: ParameterValues
  readonly rows: readonly { readonly source: string; readonly data: SparkData }[]
}

export async function readSpark(ctx: WorkspaceCtx, code: string, parameters: ParameterValues): Promise<ReadSpark> {
  const spark = await getSparkRow(ctx, code)
  const { content, based_keys } = await getSparkVersion(ctx, code, spark.shown_code)
  const rows: { source: string; data: SparkData }[] = []
  for (const { key } of content.sources) {
    const basedKey = based_keys[key]
    if (basedKey === undefined) continue
    const data = await getSparkData(ctx, basedKey, { parameters: JSON.stringify(parameters), fresh: false })
    rows.push({ source: key, data })
  }
  return { code, name: spark.name, content, parameters, rows }
}
