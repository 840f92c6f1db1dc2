import type { Metric } from '../schema/metrics.ts'
import type { Model } from '../schema/model.ts'
import { EMPTY_PLAN } from './plan.ts'
import { buildPlanSql } from './to-sql.ts'

/** Evaluated over all rows as one group, so that Postgres refuses a column that is not aggregated. */
export function buildMetricQuery(model: Model, metric: Metric): string {
  const measures = [{ aggregate: 'sum', expression: { kind: 'metric', metric } }] as const
  return `${buildPlanSql(model, { ...EMPTY_PLAN, base: metric.base, measures }).sql}\nhaving true`
}
