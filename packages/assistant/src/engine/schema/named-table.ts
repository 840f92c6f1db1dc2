import type { Lexicon } from './lexicon.ts'
import type { Model, Table } from './model.ts'
import { splitName, toStems } from './names.ts'
import { CLEAR_MATCH } from './match-scores.ts'

const toStemKey = (name: string): string => toStems(splitName(name)).join(' ')

/** The table with that name, with the same words in singular or plural, or with a close synonym. */
export function findTableByName(
  { model, lexicon }: { model: Model; lexicon: Lexicon },
  spokenName: string,
): Table | undefined {
  const tableWithName = model.tables.find(({ schema, name }) =>
    [name, `${schema}.${name}`].includes(spokenName.toLowerCase()),
  )
  if (tableWithName) return tableWithName
  const spokenKey = toStemKey(spokenName)
  const tableWithStems = model.tables.find((table) => toStemKey(table.name) === spokenKey)
  if (tableWithStems) return tableWithStems
  const [candidate] = lexicon.findNames(spokenKey)
  return candidate?.target.kind === 'table' && candidate.matchScore >= CLEAR_MATCH ? candidate.target.table : undefined
}
