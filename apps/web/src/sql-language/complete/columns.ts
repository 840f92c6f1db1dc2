import type { Scope, ScopeRelation } from '../text/scope.ts'
import { quoteName } from '../text/keywords.ts'
import { createItem, type Item } from './item.ts'
import type { CompletionContext } from './completion-context.ts'
import { quote } from './tables.ts'

export function listColumnItems({ owners, isQuoted }: CompletionContext, { relations }: Scope): Item[] {
  const owner = owners.at(-1)
  if (owner !== undefined) {
    const of = relations.filter(({ alias }) => alias === owner)
    return [
      ...of.flatMap((relation) => createColumnItems(relation, (name) => quote(name, isQuoted))),
      ...(of.length > 0 && !isQuoted
        ? [createItem({ label: '*', kind: 'keyword', detail: 'all columns', rank: 30 })]
        : []),
    ]
  }
  const counts = new Map<string, number>()
  for (const { columns, isOuter } of relations)
    for (const { name } of columns ?? []) if (!isOuter) counts.set(name, (counts.get(name) ?? 0) + 1)
  return relations.flatMap((relation) =>
    createColumnItems(relation, (name) => {
      const isClear = (counts.get(name) ?? 0) <= 1 && !relation.isOuter
      return isClear || isQuoted ? quote(name, isQuoted) : `${quoteName(relation.alias)}.${quoteName(name)}`
    }),
  )
}

function createColumnItems(relation: ScopeRelation, write: (name: string) => string): Item[] {
  return (relation.columns ?? [])
    .filter(({ name }) => name !== '?column?')
    .map(({ name, type, comment }, at) =>
      createItem({
        label: name,
        kind: 'column',
        detail: [type, relation.alias].filter(Boolean).join(' · '),
        insert: write(name),
        comment,
        rank: (relation.isOuter ? 3 : 1) + at / 10_000,
      }),
    )
}

/** Without an alias: INSERT and SET take none. */
export function listTargetColumns({ isQuoted }: CompletionContext, { relations }: Scope): Item[] {
  const target = relations.find((relation) => relation.isTarget && !relation.isOuter)
  return target ? createColumnItems(target, (name) => quote(name, isQuoted)) : []
}

export const listAliases = ({ relations }: Scope): Item[] =>
  relations
    .filter(({ alias }) => alias !== '')
    .map(({ alias, table }) =>
      createItem({
        label: alias,
        kind: 'table',
        detail: table ? `${table.schema}.${table.name}` : 'subquery',
        insert: quoteName(alias),
        rank: 4,
      }),
    )
