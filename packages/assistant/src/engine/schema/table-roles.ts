import { isStopWord } from '../read/stop-words.ts'
import type { Column, Link, Table, TableRole } from './model.ts'
import { expandParts, isKindPart, splitName, toStems } from './names.ts'

/** Joins onwards from a role: the region of the shipping address is one. */
const MAX_ONWARDS = 2

export function listTableRoles(links: readonly Link[]): TableRole[] {
  return links.flatMap((link) => {
    const beside = links.filter(({ from, to }) => from === link.from && to === link.to)
    if (beside.length < 2) return []
    const others = new Set(beside.filter((other) => other !== link).flatMap((other) => listNameParts(other)))
    const parts = listNameParts(link).filter((part) => !others.has(part))
    return parts.length === 0 ? [] : toRoles(link, { parts, links })
  })
}

function listNameParts({ fromColumns, to }: Link): string[] {
  const table = new Set(toStems(expandParts(splitName(to.name))))
  const parts = fromColumns.flatMap(({ name }) => expandParts(splitName(name)))
  return parts.filter((part) => !isKindPart(part) && !toStems([part]).some((stem) => table.has(stem)))
}

function toRoles(link: Link, { parts, links }: { parts: readonly string[]; links: readonly Link[] }): TableRole[] {
  const suffix = `@${link.fromColumns.map(({ name }) => name).join()}`
  const onwards = listOnwards(link, links)
  const tables = [...new Set([link.to, ...onwards.map(({ to }) => to)])]
  const copies = new Map(tables.map((of) => [of, copyTable(of, { name: parts.join(' '), suffix })]))
  const toCopy = (table: Table) => copies.get(table) ?? table
  const toOwn = (column: Column) => toCopy(column.table).columns[column.table.columns.indexOf(column)] ?? column
  const ownLinks = [
    { ...link, to: toCopy(link.to), toColumns: link.toColumns.map(toOwn) },
    ...onwards.map(({ from, fromColumns, to, toColumns }) => ({
      from: toCopy(from),
      fromColumns: fromColumns.map(toOwn),
      to: toCopy(to),
      toColumns: toColumns.map(toOwn),
    })),
  ]
  const telling = parts.filter((part) => !isStopWord(part))
  const words = toStems(telling.length > 0 ? telling : parts)
  return tables.map((of) => ({ of, table: toCopy(of), links: ownLinks, words }))
}

function listOnwards(link: Link, links: readonly Link[]): Link[] {
  const found: Link[] = []
  let level = [link.to]
  for (let length = 0; length < MAX_ONWARDS; length += 1) {
    const met = new Set([link.from, link.to, ...found.map(({ to }) => to)])
    const next = links.filter(({ from, to }) => level.includes(from) && !met.has(to))
    found.push(...next)
    level = next.map(({ to }) => to)
  }
  return found
}

function copyTable(of: Table, { name, suffix }: { name: string; suffix: string }): Table {
  const key = `${of.key}${suffix}`
  const table: { -readonly [K in keyof Table]: Table[K] } = { ...of, key, columns: [], role: { name, of } }
  table.columns = of.columns.map((column) => ({ ...column, table, key: `${key}.${column.name}` }))
  return table
}
