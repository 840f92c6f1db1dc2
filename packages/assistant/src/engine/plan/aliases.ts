import type { Column, Table } from '../schema/model.ts'
import { splitName } from '../schema/names.ts'
import { isReserved, quoteIdentifier, toNumber } from './quote.ts'

export interface Aliases {
  get(table: Table): string
}

export const toColumn = (column: Column, aliases: Aliases): string =>
  `${aliases.get(column.table)}.${quoteIdentifier(column.name)}`

export const toValue = (column: Column, aliases: Aliases): string =>
  column.isNumericText ? toNumber(toColumn(column, aliases)) : toColumn(column, aliases)

/** Inside EXISTS only `outer` keeps its alias, because the same table may be joined again there. */
export function createAliases(takenAliases?: Aliases, outer: ReadonlySet<Table> = new Set()): Aliases {
  const names = new Map<Table, string>()
  const used = new Set<string>()
  for (const table of outer) {
    const name = takenAliases?.get(table) ?? ''
    names.set(table, name)
    used.add(name)
  }
  return {
    get(table) {
      const known = names.get(table)
      if (known !== undefined) return known
      const initials = splitName(table.name)
        .map((part) => part[0] ?? '')
        .join('')
      const base = /^[a-z]+$/.test(initials) ? initials : 't'
      const suffix = takenAliases ? 'x' : ''
      let name = `${base}${suffix}`
      for (
        let at = 2;
        used.has(name) || isReserved(name) || /^(?:as|or|is|on|in|to|do|by|of|at|if)$/.test(name);
        at += 1
      )
        name = `${base}${suffix}${at}`
      used.add(name)
      names.set(table, name)
      return name
    },
  }
}
