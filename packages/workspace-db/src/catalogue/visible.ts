import type { Session } from '../session.ts'

const HIDDEN = {
  workspace: '^(pg_|trellis|information_schema$|public$)',
  outside: '^(pg_|information_schema$)',
}

/**
 * Schemas of Postgres, and in a workspace those of the platform itself, answer like schemas that are not there; for a row
 * of pg_namespace. What a login may not enter is not shown to it either.
 */
export const visibleSchema = ({ place }: Pick<Session, 'place'>, n: string) =>
  `(${n}.nspname !~* '${HIDDEN[place]}' and has_schema_privilege(${n}.oid, 'usage'))`

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
