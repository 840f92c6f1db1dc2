import type { ColumnType } from '@trellis/contract/explorer/column-types'

const TYPES: Record<string, ColumnType> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  money: 'decimal',
  float4: 'float',
  float8: 'float',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  time: 'time',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
}

export interface ColumnKind {
  readonly type: ColumnType
  /** What stands in the select list for the column. */
  readonly select: (column: string) => string
}

const asItIs = (column: string) => column

/** What a column is here, by the name and category of its type there. What has no counterpart is text as the server writes it. */
export function columnKind(typeName: string, category: string): ColumnKind {
  // Lists and records have no counterpart, but JSON holds them.
  if (category === 'A' || category === 'C') return { type: 'json', select: (column) => `pg_catalog.to_json(${column})` }
  // Written with the sign and the commas of the server's country otherwise.
  if (typeName === 'money') return { type: 'decimal', select: (column) => `${column}::numeric` }
  return { type: TYPES[typeName] ?? 'text', select: asItIs }
}
