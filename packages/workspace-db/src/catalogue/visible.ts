/** Schemas of Postgres and of the platform itself answer like schemas that are not there. */
export function isHiddenSchema(name: string): boolean {
  return /^(?:pg_|trellis|information_schema$|public$)/i.test(name)
}

/** The same in SQL, for a row of pg_namespace; what a login may not enter is not shown to it either. */
export const visibleSchema = (n: string) =>
  `(${n}.nspname !~* '^(pg_|trellis|information_schema$|public$)' and has_schema_privilege(${n}.oid, 'usage'))`

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
