import { type Path, findPath, isUpwards } from '../schema/join-paths.ts'
import type { Column, Model, Table } from '../schema/model.ts'
import { type Aliases, createAliases, toColumn } from './aliases.ts'
import { toFilterText } from './filter-text.ts'
import { type Filter, getFilterTable } from './plan.ts'
import { quoteIdentifier } from './quote.ts'

export interface Joins {
  readonly aliases: Aliases
  readonly lines: string[]
  readonly tables: Set<Table>
  /** The joins can repeat a row of the base table. */
  isMultiplied: boolean
  /** Several join paths existed and one was picked. */
  isUncertain: boolean
  /** A table that was named cannot be joined. */
  hasBadJoin: boolean
  join(table: Table): void
  /** Filters on tables that would repeat rows become EXISTS. */
  toCondition(filter: Filter): string
}

export const toTableName = (table: Table): string => `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`

export function createJoins(model: Model, base: Table): Joins {
  const aliases = createAliases()
  const joinedTables = new Set<Table>([base])
  aliases.get(base)
  const joins: Joins = {
    aliases,
    lines: [],
    tables: new Set([base]),
    isMultiplied: false,
    isUncertain: false,
    hasBadJoin: false,
    join(table) {
      if (joinedTables.has(table)) return
      const path = findPath(model, base, table)
      if (!path) {
        joins.hasBadJoin = true
        joinedTables.add(table)
        joins.lines.push(`cross join ${toTableName(table)} ${aliases.get(table)}`)
        return
      }
      joins.isUncertain ||= path.isAmbiguous
      for (const { to, isUp, link } of path.steps) {
        joins.tables.add(to)
        joins.isMultiplied ||= !isUp
        if (joinedTables.has(to)) continue
        joinedTables.add(to)
        joins.lines.push(`join ${toTableName(to)} ${aliases.get(to)} on ${toLinkText(link, aliases)}`)
      }
    },
    toCondition(filter) {
      const table = getFilterTable(filter)
      const path = findPath(model, base, table)
      joins.tables.add(table)
      if (filter.kind === 'exists') return toExists(model, { joins, base, filter, path })
      if (!joinedTables.has(table) && path && isUpwards(path)) joins.join(table)
      if (joinedTables.has(table)) return toFilterText(filter, aliases.get(table))
      return toExists(model, {
        joins,
        base,
        filter: { kind: 'exists', table, filters: [filter], isNegated: false },
        path,
      })
    },
  }
  return joins
}

interface Existence {
  readonly joins: Joins
  readonly base: Table
  readonly filter: Filter & { kind: 'exists' }
  readonly path: Path | undefined
}

function toExists(model: Model, { joins, base, filter, path }: Existence): string {
  const [first, ...rest] = path?.steps ?? []
  if (!path || !first) {
    joins.hasBadJoin = true
    return 'true'
  }
  joins.isUncertain ||= path.isAmbiguous
  const ownAliases = createAliases(joins.aliases, new Set([base]))
  const text = [`from ${toTableName(first.to)} ${ownAliases.get(first.to)}`]
  const add = ({ to, link }: (typeof rest)[number]) =>
    text.push(`join ${toTableName(to)} ${ownAliases.get(to)} on ${toLinkText(link, ownAliases)}`)
  for (const step of rest) add(step)
  for (const step of path.steps) joins.tables.add(step.to)
  const conditions = [toLinkText(first.link, ownAliases)]
  for (const item of filter.filters) {
    const table = getFilterTable(item)
    const isThere = path.steps.some((step) => step.to === table)
    for (const step of isThere ? [] : (findPath(model, filter.table, table)?.steps ?? [])) {
      joins.tables.add(step.to)
      add(step)
    }
    conditions.push(toFilterText(item, ownAliases.get(table)))
  }
  return `${filter.isNegated ? 'not ' : ''}exists (select ${text.join(' ')} where ${conditions.join(' and ')})`
}

function toLinkText(link: { fromColumns: readonly Column[]; toColumns: readonly Column[] }, aliases: Aliases): string {
  return link.fromColumns
    .map((column, at) => {
      const other = link.toColumns[at]
      return other ? `${toColumn(other, aliases)} = ${toColumn(column, aliases)}` : 'true'
    })
    .join(' and ')
}
