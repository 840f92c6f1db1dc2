import type { Catalogue, Table } from '../catalogue/catalogue.ts'
import { quoteName } from '../text/keywords.ts'
import type { Scope } from '../text/scope.ts'
import { createItem, type Item, matchName } from './item.ts'
import type { CompletionContext } from './completion-context.ts'

export const MAX_TABLES = 100

const KIND_WORDS: Record<Table['kind'], string> = {
  table: 'table',
  partitioned_table: 'partitioned table',
  view: 'view',
  materialized_view: 'materialized view',
  foreign_table: 'foreign table',
}

const toTableKind = ({ kind }: Table): 'table' | 'view' =>
  kind === 'view' || kind === 'materialized_view' ? 'view' : 'table'

export function writeTable(table: Table, catalogue: Catalogue): string {
  const isPlain = catalogue.findTable(null, table.name) === table
  return isPlain ? quoteName(table.name) : `${quoteName(table.schema)}.${quoteName(table.name)}`
}

export function listTables({ typed, owners, isQuoted }: CompletionContext, scope: Scope, catalogue: Catalogue): Item[] {
  const [owner] = owners
  const lower = typed.toLowerCase()
  const fitting: { table: Table; fit: number }[] = []
  const others: { table: Table; fit: number }[] = []
  for (const table of catalogue.tables) {
    if (owner !== undefined && table.schema !== owner) continue
    const fit = lower === '' ? 0 : matchName(table.lowerName, lower)
    if (fit === undefined) continue
    if (fit === 0) {
      fitting.push({ table, fit })
      if (fitting.length >= MAX_TABLES) break
    } else if (others.length < MAX_TABLES) others.push({ table, fit })
  }
  const tables = [...fitting, ...others.toSorted((a, b) => a.fit - b.fit)].slice(0, MAX_TABLES)
  const items = tables.map(({ table, fit }) =>
    createItem({
      label: table.name,
      kind: toTableKind(table),
      detail: owner === undefined ? `${table.schema} · ${KIND_WORDS[table.kind]}` : KIND_WORDS[table.kind],
      insert: owner === undefined && !isQuoted ? writeTable(table, catalogue) : quote(table.name, isQuoted),
      comment: table.comment,
      // Of equal matches the shorter name first.
      rank: 20 + fit + (catalogue.searchPath.includes(table.schema) ? 0 : 0.5) + table.name.length / 1000,
    }),
  )
  if (owner !== undefined) return items
  const common = scope.named.map(({ name }) =>
    createItem({
      label: name,
      kind: 'table',
      detail: 'common table expression',
      insert: quote(name, isQuoted),
      rank: 10,
    }),
  )
  const schemas = catalogue.schemas
    .filter((name) => lower === '' || matchName(name.toLowerCase(), lower) !== undefined)
    .map((name) =>
      createItem({ label: name, kind: 'schema', detail: 'schema', insert: quote(name, isQuoted), rank: 26 }),
    )
  return [...common, ...items, ...schemas]
}

/** Once a quote was typed, the name is quoted. */
export const quote = (name: string, isQuoted: boolean): string =>
  isQuoted ? `"${name.replaceAll('"', '""')}"` : quoteName(name)
