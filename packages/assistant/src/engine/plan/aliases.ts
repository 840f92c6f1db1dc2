import type { Column, Table } from '../schema/model.ts'
import { splitName } from '../schema/names.ts'
import { isReservedWord, quoteIdentifier, castTextToNumber } from './quote.ts'

/** Gives each table one alias per query, such as `oi` for order_items. */
export interface Aliases {
  get(table: Table): string
}

/** `o.total` */
export const quoteColumn = (column: Column, aliases: Aliases): string =>
  `${aliases.get(column.table)}.${quoteIdentifier(column.name)}`

/** The column, cast to a number if numbers are stored as text. */
export const buildValueSql = (column: Column, aliases: Aliases): string =>
  column.isNumericText ? castTextToNumber(quoteColumn(column, aliases)) : quoteColumn(column, aliases)

/** Inside EXISTS only `outer` keeps its alias, because the same table may be joined again there. */
export function createAliases(outerAliases?: Aliases, outerTables: ReadonlySet<Table> = new Set()): Aliases {
  const aliasByTable = new Map<Table, string>()
  const usedAliases = new Set<string>()
  for (const table of outerTables) {
    const alias = outerAliases?.get(table) ?? ''
    aliasByTable.set(table, alias)
    usedAliases.add(alias)
  }
  return {
    get(table) {
      const existingAlias = aliasByTable.get(table)
      if (existingAlias !== undefined) return existingAlias
      const initials = splitName(table.name)
        .map((part) => part[0] ?? '')
        .join('')
      const prefix = /^[a-z]+$/.test(initials) ? initials : 't'
      const suffix = outerAliases ? 'x' : ''
      let alias = `${prefix}${suffix}`
      for (
        let counter = 2;
        usedAliases.has(alias) || isReservedWord(alias) || /^(?:as|or|is|on|in|to|do|by|of|at|if)$/.test(alias);
        counter += 1
      )
        alias = `${prefix}${suffix}${counter}`
      usedAliases.add(alias)
      aliasByTable.set(table, alias)
      return alias
    },
  }
}
