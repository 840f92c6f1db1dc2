import type { Target } from '../schema/lexicon.ts'
import type { Column, Model } from '../schema/model.ts'
import { expandParts, splitName, toStems } from '../schema/names.ts'
import { stem } from '../words/stem.ts'
import type { Mention } from './link.ts'
import { type Question, isDateMention } from './question.ts'

/** "who filed the most motions": `filed_by` says who did it, where `filed_on` only says when. */
export function preferDoers(question: Question): Question {
  const { tokens, mentions, model } = question
  const who = tokens.findIndex(({ lower }) => lower === 'who' || lower === 'whom')
  const verb = who < 0 ? undefined : mentions.find((one) => one.start === who + 1)
  if (!verb || !isDateMention(verb)) return question
  const target = findDoer(model, verb)
  if (!target) return question
  const doer: Mention = { ...verb, target, weight: 0.9, isAmbiguous: false }
  return { ...question, mentions: mentions.map((one) => (one === verb ? doer : one)) }
}

function findDoer(model: Model, { target: { table }, words }: Mention): Target | undefined {
  const [column, second] = table.columns.filter((one) => isDoneBy(one, stem(words)))
  if (!column || second) return undefined
  const link = model.links.find(({ fromColumns: [first] }) => first === column)
  if (!link) return column.isIdentifier ? undefined : { kind: 'column', table, column }
  const isOnly = model.links.every((one) => one === link || one.from !== table || one.to !== link.to)
  const role = model.roles.find((one) => one.links[0]?.fromColumns[0] === column && one.of === link.to)
  if (role) return { kind: 'table', table: role.table }
  return isOnly ? { kind: 'table', table: link.to } : undefined
}

function isDoneBy({ name }: Column, verb: string): boolean {
  const [first = '', second] = splitName(name)
  return second === 'by' && toStems([first, ...expandParts([first])]).includes(verb)
}
