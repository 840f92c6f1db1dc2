type ValueKind = 'integer' | 'number' | 'text' | 'boolean' | 'date' | 'timestamp' | 'other'

export interface CatalogueColumn {
  readonly name: string
  readonly kind: ValueKind
  readonly comment: string | null
  readonly isNullable: boolean
  /** Sample values from pg_stats: common values and histogram bounds. */
  readonly values: readonly string[]
  /** n_distinct of pg_stats: a count above 0, a share of the rows below 0, 0 if unknown. */
  readonly distinct: number
}

export interface CatalogueTable {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  readonly labels: readonly string[]
  readonly rows: number | null
  readonly columns: readonly CatalogueColumn[]
  readonly primaryKey: readonly string[]
}

interface ForeignKey {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
  readonly otherSchema: string
  readonly otherTable: string
  readonly otherColumns: readonly string[]
}

interface Synonym {
  readonly term: string
  readonly words: readonly string[]
}

/** A metric of the business context: its SQL expression, split at the columns it uses. */
export interface CatalogueMetric {
  readonly code: string
  readonly name: string
  readonly pieces: readonly (string | readonly string[])[]
  readonly problem: string | null
}

/** What the engine knows about a database: no rows, apart from sample values. */
export interface Catalogue {
  readonly tables: readonly CatalogueTable[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly synonyms: readonly Synonym[]
  readonly metrics?: readonly CatalogueMetric[]
}
