type ValueKind = 'integer' | 'number' | 'text' | 'boolean' | 'date' | 'timestamp' | 'other'

export interface CatalogueColumn {
  readonly name: string
  readonly kind: ValueKind
  readonly comment: string | null
  readonly isNullable: boolean
  /** Values the statistics know: common ones, and the bounds between which the rest lies. */
  readonly values: readonly string[]
  /** Above 0 a count, below 0 the share of rows that differ, 0 when nothing is known. */
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

/** Other words for a table, a column or a value, as the business context gives them. */
interface Synonym {
  readonly term: string
  readonly words: readonly string[]
}

/** A definition of the business context: an SQL expression cut at its columns, each with table and schema if given. */
export interface CatalogueMetric {
  readonly code: string
  readonly name: string
  readonly pieces: readonly (string | readonly string[])[]
  /** Why it can not be used, when that is known. */
  readonly problem: string | null
}

/** All the engine knows of a database: nothing in here is a row, but for sample values. */
export interface Catalogue {
  readonly tables: readonly CatalogueTable[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly synonyms: readonly Synonym[]
  readonly metrics?: readonly CatalogueMetric[]
}
