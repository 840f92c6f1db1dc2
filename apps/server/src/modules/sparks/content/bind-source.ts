import { createHash } from 'node:crypto'
import type { SparkParameter, SparkSource } from '@trellis/contract/sparks/spark-content.schemas'
import { bindParameters, toSourceOffset } from '@trellis/sql-grammar/bind-parameters'

export interface BoundSource {
  readonly sql: string
  readonly values: readonly (string | null)[]
  toOffset(offset: number): number
}

/** `:name` becomes a typed `$n`: viewers' values are never part of the SQL. */
export async function bindSource(
  { sql }: Pick<SparkSource, 'sql'>,
  parameters: readonly SparkParameter[],
  values: ReadonlyMap<string, string | null>,
): Promise<BoundSource> {
  const boundSql = await bindParameters(sql, new Map(parameters.map(({ key, type }) => [key, type])))
  return {
    sql: boundSql.text,
    values: boundSql.names.map((name) => values.get(name) ?? null),
    toOffset: (offset) => toSourceOffset(boundSql.pieces, offset),
  }
}

const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

export const toQueryHash = (source: SparkSource, parameters: readonly SparkParameter[]): string =>
  hash([source.integration_trellis_code, source.sql, parameters.map(({ key, type }) => `${key} ${type}`).toSorted()])

export const toParametersHash = (values: readonly (string | null)[]): string => hash(values)
