import { type JoinPath, findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import type { Column, Model, Table } from '../schema/model.ts'
import { type Aliases, createAliases, quoteColumn } from './aliases.ts'
import { buildFilterSql } from './filter-text.ts'
import { type Filter, findTableOfFilter } from './plan.ts'
import { quoteIdentifier } from './quote.ts'

/** Collects the joins of one query from its base table, each table once. */
export interface JoinBuilder {
  readonly aliases: Aliases
  readonly joinClauses: string[]
  readonly usedTables: Set<Table>
  /** The joins can repeat a row of the base table. */
  repeatsBaseRows: boolean
  /** Several join paths existed and one was picked. */
  isPathAmbiguous: boolean
  /** A table that was named cannot be joined. */
  hasUnconnectedTable: boolean
  addJoin(table: Table): void
  /** Filters on tables that would repeat rows become EXISTS. */
  buildCondition(filter: Filter): string
}

export const quoteTableName = (table: Table): string =>
  `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`

/** Starts a query from the base table; without a join path a table is cross joined, which marks the query as bad. */
export function createJoinBuilder(model: Model, base: Table): JoinBuilder {
  const aliases = createAliases()
  const joinedTables = new Set<Table>([base])
  aliases.get(base)
  const joins: JoinBuilder = {
    aliases,
    joinClauses: [],
    usedTables: new Set([base]),
    repeatsBaseRows: false,
    isPathAmbiguous: false,
    hasUnconnectedTable: false,
    addJoin(table) {
      if (joinedTables.has(table)) return
      const joinPath = findJoinPath(model, base, table)
      if (!joinPath) {
        joins.hasUnconnectedTable = true
        joinedTables.add(table)
        joins.joinClauses.push(`cross join ${quoteTableName(table)} ${aliases.get(table)}`)
        return
      }
      joins.isPathAmbiguous ||= joinPath.isAmbiguous
      for (const { to, isManyToOne, foreignKey } of joinPath.steps) {
        joins.usedTables.add(to)
        joins.repeatsBaseRows ||= !isManyToOne
        if (joinedTables.has(to)) continue
        joinedTables.add(to)
        joins.joinClauses.push(
          `join ${quoteTableName(to)} ${aliases.get(to)} on ${buildJoinCondition(foreignKey, aliases)}`,
        )
      }
    },
    buildCondition(filter) {
      const table = findTableOfFilter(filter)
      const joinPath = findJoinPath(model, base, table)
      joins.usedTables.add(table)
      if (filter.kind === 'exists') return buildExistsSql(model, { joins, base, filter, path: joinPath })
      if (!joinedTables.has(table) && joinPath && isManyToOnePath(joinPath)) joins.addJoin(table)
      if (joinedTables.has(table)) return buildFilterSql(filter, aliases.get(table))
      return buildExistsSql(model, {
        joins,
        base,
        filter: { kind: 'exists', table, filters: [filter], isNegated: false },
        path: joinPath,
      })
    },
  }
  return joins
}

interface ExistsFilterInput {
  readonly joins: JoinBuilder
  readonly base: Table
  readonly filter: Filter & { kind: 'exists' }
  readonly path: JoinPath | undefined
}

/** `exists (select from orders … where …)`: whether a row has, or lacks, related rows. */
function buildExistsSql(model: Model, { joins, base, filter, path: joinPath }: ExistsFilterInput): string {
  const [firstStep, ...laterSteps] = joinPath?.steps ?? []
  if (!joinPath || !firstStep) {
    joins.hasUnconnectedTable = true
    return 'true'
  }
  joins.isPathAmbiguous ||= joinPath.isAmbiguous
  const ownAliases = createAliases(joins.aliases, new Set([base]))
  const fromClauses = [`from ${quoteTableName(firstStep.to)} ${ownAliases.get(firstStep.to)}`]
  const addStepJoin = ({ to, foreignKey }: (typeof laterSteps)[number]) =>
    fromClauses.push(
      `join ${quoteTableName(to)} ${ownAliases.get(to)} on ${buildJoinCondition(foreignKey, ownAliases)}`,
    )
  for (const step of laterSteps) addStepJoin(step)
  for (const step of joinPath.steps) joins.usedTables.add(step.to)
  const conditions = [buildJoinCondition(firstStep.foreignKey, ownAliases)]
  for (const innerFilter of filter.filters) {
    const table = findTableOfFilter(innerFilter)
    const isOnPath = joinPath.steps.some((step) => step.to === table)
    for (const step of isOnPath ? [] : (findJoinPath(model, filter.table, table)?.steps ?? [])) {
      joins.usedTables.add(step.to)
      addStepJoin(step)
    }
    conditions.push(buildFilterSql(innerFilter, ownAliases.get(table)))
  }
  return `${filter.isNegated ? 'not ' : ''}exists (select ${fromClauses.join(' ')} where ${conditions.join(' and ')})`
}

/** `c.id = o.customer_id` */
function buildJoinCondition(
  foreignKey: { fromColumns: readonly Column[]; toColumns: readonly Column[] },
  aliases: Aliases,
): string {
  return foreignKey.fromColumns
    .map((column, columnIndex) => {
      const referencedColumn = foreignKey.toColumns[columnIndex]
      return referencedColumn ? `${quoteColumn(referencedColumn, aliases)} = ${quoteColumn(column, aliases)}` : 'true'
    })
    .join(' and ')
}
