export type TypeName =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'real'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'time'
  | 'interval'
  | 'uuid'
  | 'json'
  | 'bytea'

export const isMoment = (type: TypeName | undefined): boolean =>
  type === 'date' || type === 'timestamp' || type === 'timestamptz'
