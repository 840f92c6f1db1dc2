import type { Session } from '../session.ts'

const HIDDEN_SCHEMAS = {
  workspace: '^(pg_|trellis|information_schema$|public$)',
  outside: '^(pg_|information_schema$)',
}

/**
 * Hides Postgres' schemas, in a workspace the platform's, and those the login may not use. `n`: alias of pg_namespace.
 */
export const buildVisibleSchemaCondition = ({ databaseKind }: Pick<Session, 'databaseKind'>, namespaceAlias: string) =>
  `(${namespaceAlias}.nspname !~* '${HIDDEN_SCHEMAS[databaseKind]}' and has_schema_privilege(${namespaceAlias}.oid, 'usage'))`

export const TABLE_KINDS = {
  r: 'table',
  p: 'partitioned_table',
  v: 'view',
  m: 'materialized_view',
  f: 'foreign_table',
} as const

export type TableKind = (typeof TABLE_KINDS)[keyof typeof TABLE_KINDS]
export type KindLetter = keyof typeof TABLE_KINDS

export const TABLE_LETTERS = "('r', 'p', 'v', 'm', 'f')"
