import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'

interface WantedColumn {
  readonly field: string
  readonly name: string
  readonly type: ColumnType
}

export interface WrittenColumn {
  readonly field: string
  readonly name: string
  readonly postgres: string
}

export interface LoadColumn extends WantedColumn, WrittenColumn {}

export const toPostgresType = (type: ColumnType): string => COLUMN_TYPES[type].postgres

export interface WantedTable {
  readonly columns: readonly WantedColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly { readonly column: string; readonly type: 'btree' | 'hash' | 'brin' }[]
  /** The row with the greatest value wins per key; by default the last one read. */
  readonly newestBy: string | null
}

export interface ExistingTable {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isNullable: boolean }[]
  readonly primaryKey: readonly string[]
  readonly hasDependents: boolean
  /** Columns whose type cannot change, because of dependents. */
  readonly fixedTypeColumns: readonly string[]
}

export function getWantedTable(model: SourceDataModel, newestBy: string | null = null): WantedTable {
  const toColumnName = (field: string) => model.column_mapping[field] ?? field
  const columns = Object.entries(model.fields).map(([field, type]) => ({ field, name: toColumnName(field), type }))
  const names = columns.map(({ name }) => name)
  const duplicateName = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicateName !== undefined)
    throw new Error(`Two fields are called ${duplicateName}. Give one of them another name.`)
  return {
    columns,
    primaryKey: model.primary_keys.map(toColumnName),
    indexes: Object.entries(model.indexes).map(([field, type]) => ({ column: toColumnName(field), type })),
    newestBy: newestBy === null ? null : toColumnName(newestBy),
  }
}
