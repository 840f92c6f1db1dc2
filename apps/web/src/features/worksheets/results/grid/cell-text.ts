import type { ColumnKind } from '@trellis/contract/sql/sql.schemas'

/** Postgres prints booleans as one letter. */
export function toCellText(value: string | null, kind: ColumnKind | undefined): string | null {
  if (value === null || kind !== 'boolean') return value
  return value === 't' ? 'true' : 'false'
}
