import { type DeletedObjects, readDeletedObjects } from '../recycle-bin/deleted-objects.ts'
import type { Session } from '../session.ts'
import { readObjects } from './plain-session.ts'
import { TABLE_KINDS, buildVisibleSchemaCondition } from './visible.ts'

export interface Dependent {
  readonly kind: 'view' | 'materialized_view' | 'foreign_key' | 'table' | 'function' | 'object'
  /** Null if Postgres describes the object in its own words. */
  readonly schema: string | null
  readonly name: string
  readonly detail: string
}

export const readDependents = (
  session: Session,
  target: { kind: 'table' | 'schema'; oid: number },
): Promise<DeletedObjects> =>
  readDeletedObjects(
    (text, values) => readObjects(session, text, values),
    target,
    (namespaceAlias) => buildVisibleSchemaCondition(session, namespaceAlias),
  )

export function toDependents({ relations, functions, keys, blockers }: DeletedObjects): Dependent[] {
  const dependents: Dependent[] = [
    ...relations
      .filter(({ isNamed }) => !isNamed)
      .map(({ letter, schema, name, detail }) => ({ kind: toDependentKind(letter), schema, name, detail })),
    ...keys
      .filter(({ isIncoming }) => isIncoming)
      .map(({ schema, name, table, otherTable }) => ({
        kind: 'foreign_key' as const,
        schema,
        name,
        detail: `Of ${table}, points to ${otherTable}`,
      })),
    ...functions.map(({ schema, name, detail }) => ({ kind: 'function' as const, schema, name, detail })),
    ...blockers.map(({ what }) => ({ kind: 'object' as const, schema: null, name: what, detail: 'Change it first' })),
  ]
  const toKey = ({ kind, schema, name }: Dependent) => JSON.stringify([kind, schema, name])
  return dependents.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
}

function toDependentKind(letter: keyof typeof TABLE_KINDS): 'view' | 'materialized_view' | 'table' {
  const kind = TABLE_KINDS[letter]
  return kind === 'view' || kind === 'materialized_view' ? kind : 'table'
}
