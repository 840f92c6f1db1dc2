import type { Lexicon } from './lexicon.ts'
import type { Model, Table } from './model.ts'
import { splitName, toStems } from './names.ts'

const toKey = (name: string): string => toStems(splitName(name)).join(' ')

export function findNamedTable(
  { model, lexicon }: { model: Model; lexicon: Lexicon },
  named: string,
): Table | undefined {
  const exact = model.tables.find(({ schema, name }) => [name, `${schema}.${name}`].includes(named.toLowerCase()))
  if (exact) return exact
  const key = toKey(named)
  const same = model.tables.find((table) => toKey(table.name) === key)
  if (same) return same
  const [candidate] = lexicon.find(key)
  return candidate?.target.kind === 'table' && candidate.weight >= 0.8 ? candidate.target.table : undefined
}
