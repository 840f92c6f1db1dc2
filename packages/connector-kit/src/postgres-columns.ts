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
  readonly select: (column: string) => string
}

const asItIs = (column: string) => column

/** Maps a source column by type name and category; types without a counterpart become text. */
export function getColumnKind(typeName: string, category: string): ColumnKind {
  if (category === 'A' || category === 'C') return { type: 'json', select: (column) => `pg_catalog.to_json(${column})` }
  // As text it would have the currency sign and separators of the server's locale.
  if (typeName === 'money') return { type: 'decimal', select: (column) => `${column}::numeric` }
  return { type: TYPES[typeName] ?? 'text', select: asItIs }
}
