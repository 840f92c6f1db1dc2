import type { Engine } from '../answer.ts'
import type { Table } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'

const PROFILE =
  /^(?:please\s+)?(?:profile|describe|summari[sz]e|(?:give me )?an? (?:profile|overview|summary) of|(?:show (?:me )?)?(?:the )?(?:profile|structure|columns|overview|summary) of|what(?:'s|’s| is)? in|tell me about|which columns (?:are in|does))\s+(?:the\s+)?(?:table\s+)?@?(.+?)(?:\s+(?:table|data))?(?:\s+have)?[?.!\s]*$/i

const toKey = (name: string): string => toStems(splitName(name)).join(' ')

/** “profile orders”, “what is in shop.orders?”: the table that is to be described. */
export function findProfiledTable({ model, lexicon }: Engine, text: string): Table | undefined {
  const named = PROFILE.exec(text.trim())?.[1]?.replaceAll(/["“”]/g, '')
  if (named === undefined) return undefined
  const exact = model.tables.find(({ schema, name }) => [name, `${schema}.${name}`].includes(named.toLowerCase()))
  if (exact) return exact
  const key = toKey(named)
  const same = model.tables.find((table) => toKey(table.name) === key)
  if (same) return same
  const [candidate] = lexicon.find(key)
  return candidate?.target.kind === 'table' && candidate.weight >= 0.8 ? candidate.target.table : undefined
}
