import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'

interface WantedColumn {
  /** As the source calls it. */
  readonly field: string
  readonly name: string
  readonly type: ColumnType
}

/** A column that is written, with the type it really has in the table. */
export interface WrittenColumn {
  /** As the source calls it. */
  readonly field: string
  readonly name: string
  readonly postgres: string
}

export interface LoadColumn extends WantedColumn, WrittenColumn {}

export const postgresType = (type: ColumnType): string => COLUMN_TYPES[type].postgres

/** The table a data model asks for. */
export interface WantedTable {
  readonly columns: readonly WantedColumn[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly { readonly column: string; readonly type: 'btree' | 'hash' | 'brin' }[]
  /** Of rows with the same key the one that is greatest here stays; without it the one read last. */
  readonly newestBy: string | null
}

/** The table as the catalogue knows it. */
export interface ExistingTable {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly isNullable: boolean }[]
  readonly primaryKey: readonly string[]
  /** Views, foreign keys or triggers hold on to it. */
  readonly isHeld: boolean
  /** Columns whose type can't change, because something uses them. */
  readonly heldColumns: readonly string[]
}

/** Columns in the order of the fields; two fields that were given the same name are refused. */
export function wantedTable(model: SourceDataModel, newestBy: string | null = null): WantedTable {
  const toColumnName = (field: string) => model.column_mapping[field] ?? field
  const columns = Object.entries(model.fields).map(([field, type]) => ({ field, name: toColumnName(field), type }))
  const names = columns.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two fields are called ${twice}. Give one of them another name.`)
  return {
    columns,
    primaryKey: model.primary_keys.map(toColumnName),
    indexes: Object.entries(model.indexes).map(([field, type]) => ({ column: toColumnName(field), type })),
    newestBy: newestBy === null ? null : toColumnName(newestBy),
  }
}
