import type { CatalogueMetric } from '@trellis/assistant/engine/schema/catalogue'
import { parseExpression } from '@trellis/sql-grammar/parse-expression'
import type { ContextRow } from '../contexts.repository.ts'

export async function readMetrics(
  contexts: readonly ContextRow[],
  integrationCode: string,
): Promise<CatalogueMetric[]> {
  const metrics: CatalogueMetric[] = []
  for (const { kind, name, sql, trellis_code: code, problem, integration_code } of contexts) {
    if (kind !== 'metric' || sql === null || integration_code !== integrationCode) continue
    metrics.push(await readMetric({ code, name, sql, problem }))
  }
  return metrics
}

interface MetricText {
  readonly code: string
  readonly name: string
  readonly sql: string
  readonly problem: string | null
}

export async function readMetric({ code, name, sql, problem }: MetricText): Promise<CatalogueMetric> {
  const parsed = await parseExpression(sql)
  if ('problem' in parsed) return { code, name, pieces: [], problem: parsed.problem }
  return { code, name, pieces: parsed.pieces, problem }
}
