import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { DELETED_AT } from '../../database-query.ts'

const TIMESTAMPTZ_ID = 1184

/** Always null in rows that are read; set by deletes of the log. */
const DELETED_AT_COLUMN = {
  name: DELETED_AT,
  type: 'timestamptz',
  sqlType: 'pg_catalog.timestamptz',
  reference: 'null::timestamptz',
  select: 'null::timestamptz',
  isNullable: true,
  typeId: TIMESTAMPTZ_ID,
  collation: '',
  convert: null,
} as const

export function withDeletedAt<C extends { readonly name: string }>(columns: readonly C[]) {
  if (!columns.some(({ name }) => name === DELETED_AT)) return [...columns, DELETED_AT_COLUMN]
  throw new ConnectorError(
    'configuration',
    `The table has a column ${DELETED_AT} of its own, where deletes would be marked.`,
    {
      field: 'query.deletes',
      advice: `Name the columns to read without ${DELETED_AT}, or have deleted rows deleted here.`,
    },
  )
}
