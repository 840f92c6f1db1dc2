import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { trimStatementEnd } from '@trellis/sql-grammar/trim-end'
import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'

const MAX_AGE_SECONDS = 300

interface Query {
  readonly integration_trellis_code: string
  readonly sql: string
  readonly chart: ChartSpec | null
  readonly key?: string
  readonly name?: string
}

export function buildFromQuery({
  integration_trellis_code,
  sql,
  chart,
  key: source = 'result',
  name = 'Result',
}: Query): SparkContent {
  const table = { kind: 'table' as const, source, title: chart ? 'Rows' : '', width: 'full' as const, columns: [] }
  const drawn = chart && { kind: 'chart' as const, source, title: chart.title, width: 'full' as const, chart }
  return {
    sources: [
      { key: source, name, integration_trellis_code, sql: trimStatementEnd(sql), max_age_seconds: MAX_AGE_SECONDS },
    ],
    parameters: [],
    body: { kind: 'blocks', blocks: drawn ? [drawn, table] : [table] },
  }
}

/** A trailing semicolon would be a second statement. */
