import type { Catalogue, Table } from '../catalogue/catalogue.ts'
import { quoteName, RESERVED } from '../text/keywords.ts'
import type { Scope, ScopeRelation } from '../text/scope.ts'
import { createItem, type Item } from './item.ts'
import { writeTable } from './tables.ts'

interface Link {
  readonly relation: ScopeRelation
  readonly table: Table
  readonly pairs: readonly (readonly [string, string])[]
}

function listLinks({ relations }: Scope, catalogue: Catalogue): Link[] {
  return relations
    .filter(({ isOuter }) => !isOuter)
    .flatMap((relation) => {
      const { table } = relation
      if (!table) return []
      return catalogue.listForeignKeys(table).flatMap((key): Link[] => {
        const isOwn = key.schema === table.schema && key.table === table.name
        const other = isOwn
          ? catalogue.findTable(key.foreign_schema, key.foreign_table)
          : catalogue.findTable(key.schema, key.table)
        const [own, others] = isOwn ? [key.columns, key.foreign_columns] : [key.foreign_columns, key.columns]
        return other
          ? [{ relation, table: other, pairs: own.map((name, at) => [name, others[at] ?? ''] as const) }]
          : []
      })
    })
}

export function listJoins(scope: Scope, catalogue: Catalogue, hasJoin: boolean): Item[] {
  const used = new Set(scope.relations.map(({ alias }) => alias))
  const joinedTables = new Set(scope.relations.map(({ table }) => table))
  const seen = new Set<string>()
  return listLinks(scope, catalogue).flatMap(({ relation, table, pairs }) => {
    const alias = createAlias(table.name, used)
    const text = `${writeTable(table, catalogue)} ${alias} on ${writeCondition(relation.alias, alias, pairs)}`
    if (seen.has(text)) return []
    seen.add(text)
    return [
      createItem({
        label: hasJoin ? text : `join ${text}`,
        kind: 'join',
        detail: 'foreign key',
        filter: hasJoin ? `${table.name} ${table.schema}.${table.name}` : `join ${table.name}`,
        rank: joinedTables.has(table) ? 9 : 5,
      }),
    ]
  })
}

export function listConditions(scope: Scope, catalogue: Catalogue): Item[] {
  const inner = scope.relations.filter(({ isOuter }) => !isOuter)
  const links = listLinks(scope, catalogue)
  const found: Item[] = []
  for (const [at, later] of inner.entries()) {
    for (const earlier of inner.slice(0, at)) {
      for (const link of links.filter(({ relation, table }) => relation === earlier && table === later.table)) {
        const label = writeCondition(earlier.alias, later.alias, link.pairs)
        found.push(createItem({ label, kind: 'join', detail: 'foreign key', filter: label, rank: -at / 100 }))
      }
    }
  }
  return found
}

const writeCondition = (relation: string, table: string, pairs: Link['pairs']): string =>
  pairs
    .map(([own, other]) => `${quoteName(table)}.${quoteName(other)} = ${quoteName(relation)}.${quoteName(own)}`)
    .join(' and ')

/** Initials of the name's words, numbered when taken. */
function createAlias(name: string, used: ReadonlySet<string>): string {
  const letters = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.slice(0, 1))
    .join('')
  const base = /^[a-z]/.test(letters) ? letters : 't'
  const isFree = (alias: string) => !used.has(alias) && !RESERVED.has(alias)
  if (isFree(base)) return base
  for (let number = 2; ; number += 1) if (isFree(`${base}${number}`)) return `${base}${number}`
}
