import type { ColumnRef, Node } from 'libpg-query'
import type { TableUse } from './found.ts'

export interface Relation {
  readonly schema: string | null
  readonly alias: string
  readonly tables: readonly TableUse[]
  readonly columns: readonly string[] | undefined
  readonly isRenamed?: boolean
}

export interface Scope {
  readonly parent: Scope | undefined
  readonly commonTables: Map<string, readonly string[] | undefined>
  readonly relations: Relation[]
}

export const createScope = (parent: Scope | undefined): Scope => ({ parent, commonTables: new Map(), relations: [] })

export function findCommonTable(
  scope: Scope | undefined,
  name: string,
): { columns: readonly string[] | undefined } | undefined {
  for (let one = scope; one; one = one.parent) {
    if (one.commonTables.has(name)) return { columns: one.commonTables.get(name) }
  }
  return undefined
}

export function readColumn({ fields = [] }: ColumnRef, scope: Scope): void {
  const names = fields.map(toName)
  if (names.length === 1 && names[0] === undefined) {
    for (const relation of scope.relations) readWholeRow(relation)
    return
  }
  if (names.length === 1) return readBareColumn(names[0] as string, scope)
  const [column, relationName, schema] = names.toReversed()
  const relation = findRelation(scope, relationName as string, schema ?? null)
  if (!relation) {
    // In `a.b`, `a` may be a column of a composite type.
    if (names.length === 2) readBareColumn(names[0] as string, scope)
    return
  }
  if (column === undefined || relation.isRenamed || relation.tables.length > 1) readWholeRow(relation)
  else readFrom(relation, column)
}

const toName = (field: Node): string | undefined => ('String' in field ? (field.String.sval ?? '') : undefined)

function findRelation(scope: Scope, alias: string, schema: string | null): Relation | undefined {
  for (let one: Scope | undefined = scope; one; one = one.parent) {
    const relation = one.relations.find(
      (knownRelation) =>
        knownRelation.alias === alias &&
        (schema === null || knownRelation.schema === null || knownRelation.schema === schema),
    )
    if (relation) return relation
  }
  return undefined
}

/** The nearest relation known to have the column, otherwise every one that may. */
function readBareColumn(name: string, scope: Scope): void {
  const possible: Relation[] = []
  for (let one: Scope | undefined = scope; one; one = one.parent) {
    const owners = one.relations.filter(({ columns }) => columns?.includes(name))
    const [owner] = owners
    if (owner && possible.length === 0) {
      if (owners.length === 1) return readFrom(owner, name)
      return owners.forEach((relation) => readPossibly(relation, name))
    }
    const row = one.relations.find(({ alias }) => alias === name)
    if (row && possible.length === 0) return readWholeRow(row)
    possible.push(...(owner ? owners : one.relations.filter(({ columns }) => columns === undefined)))
    if (owner) break
  }
  const [only] = possible
  if (only && possible.length === 1) return readFrom(only, name)
  for (const relation of possible) readPossibly(relation, name)
}

function readFrom(relation: Relation, column: string): void {
  if (relation.isRenamed || relation.tables.length > 1) return readWholeRow(relation)
  for (const table of relation.tables) {
    table.isRead = true
    table.columns.add(column)
  }
}

function readPossibly(relation: Relation, column: string): void {
  for (const table of relation.tables) table.possibleColumns.add(column)
}

export function readWholeRow({ tables }: Relation): void {
  for (const table of tables) {
    table.isRead = true
    table.readsAllColumns = true
  }
}
