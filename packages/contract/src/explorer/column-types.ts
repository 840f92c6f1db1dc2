export const COLUMN_TYPES = {
  text: { label: 'Text', postgres: 'text' },
  integer: { label: 'Whole number', postgres: 'bigint' },
  decimal: { label: 'Decimal number', postgres: 'numeric' },
  float: { label: 'Floating number', postgres: 'double precision' },
  real: { label: 'Floating number, 32 bit', postgres: 'real' },
  boolean: { label: 'Yes / no', postgres: 'boolean' },
  date: { label: 'Date', postgres: 'date' },
  timestamp: { label: 'Date and time', postgres: 'timestamp' },
  timestamptz: { label: 'Date and time with zone', postgres: 'timestamptz' },
  time: { label: 'Time of day', postgres: 'time' },
  interval: { label: 'Duration', postgres: 'interval' },
  uuid: { label: 'UUID', postgres: 'uuid' },
  json: { label: 'JSON', postgres: 'jsonb' },
  bytea: { label: 'Binary', postgres: 'bytea' },
} as const

export const MAX_COLUMNS = 1600

export type ColumnType = keyof typeof COLUMN_TYPES
export const COLUMN_TYPE_NAMES = Object.keys(COLUMN_TYPES) as [ColumnType, ...ColumnType[]]
