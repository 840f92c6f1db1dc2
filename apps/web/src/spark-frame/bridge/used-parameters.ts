import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'

/** Only parameters in the SQL: others don't need a new query. `::type` is a cast. */
export function pickUsedParameters(
  content: SparkContent | undefined,
  source: string,
  parameters: ParameterValues,
): ParameterValues {
  const sql = content?.sources.find(({ key }) => key === source)?.sql ?? ''
  const declared = content?.parameters ?? []
  return Object.fromEntries(
    declared
      .filter(({ key }) => new RegExp(`(?<!:):${key}(?![a-z0-9_])`).test(sql))
      .map(({ key, initial }) => [key, key in parameters ? (parameters[key] ?? null) : initial]),
  )
}
