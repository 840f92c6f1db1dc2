import type { Target } from '../schema/lexicon.ts'
import type { Column, Model } from '../schema/model.ts'
import { expandParts, splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Mention } from './link.ts'
import { type Question, getTable, isDateMention } from './question.ts'

/** "who filed the most motions": `filed_by` answers who, `filed_on` only when. */
export function preferDoers(question: Question): Question {
  const { tokens, mentions, model } = question
  const who = tokens.findIndex(({ lower }) => lower === 'who' || lower === 'whom')
  const verb = who < 0 ? undefined : mentions.find((mention) => mention.start === who + 1)
  if (!verb || (!isDateMention(verb) && !(getTable(verb) && isPastForm(verb.words)))) return question
  const target = isDateMention(verb) ? findDoer(model, verb) : findAgent(model, verb)
  if (!target) return question
  const doer: Mention = { ...verb, target, weight: 0.9, isAmbiguous: false }
  return { ...question, mentions: mentions.map((mention) => (mention === verb ? doer : mention)) }
}

function findDoer(model: Model, { target: { table }, words }: Mention): Target | undefined {
  const [column, second] = table.columns.filter((other) => isDoneBy(other, stemWord(words)))
  if (!column || second) return undefined
  const link = model.links.find(({ fromColumns: [first] }) => first === column)
  if (!link) return column.isIdentifier ? undefined : { kind: 'column', table, column }
  const isOnly = model.links.every((other) => other === link || other.from !== table || other.to !== link.to)
  const role = model.roles.find(
    (tableRole) => tableRole.links[0]?.fromColumns[0] === column && tableRole.of === link.to,
  )
  if (role) return { kind: 'table', table: role.table }
  return isOnly ? { kind: 'table', table: link.to } : undefined
}

function findAgent(model: Model, { target: { table }, words }: Mention): Target | undefined {
  const verb = stemWord(words)
  const [agent, second] = model.links.flatMap(({ from, to }) => {
    const isAgent =
      from === table && toStems(splitName(to.name)).some((stem) => /(?:er|or)$/.test(stem) && stem.startsWith(verb))
    return isAgent ? [to] : []
  })
  return agent && !second ? { kind: 'table', table: agent } : undefined
}

function isDoneBy({ name }: Column, verb: string): boolean {
  const [first = '', second] = splitName(name)
  return second === 'by' && toStems([first, ...expandParts([first])]).includes(verb)
}

/** "which club submitted the most": the verb, not the status of the same name. */
export function preferVerbs(question: Question): Question {
  const [superlative] = question.phrases.superlatives
  if (!superlative) return question
  const mentions = question.mentions.map((mention): Mention => {
    const { target, words, end, candidates } = mention
    const gap = question.tokens.slice(end, superlative.start).map(({ lower }) => lower)
    const isBefore = end <= superlative.start && gap.every((word) => word === 'the')
    if (target.kind !== 'value' || !isBefore || !isPastForm(words)) return mention
    const date = candidates.find(
      (candidate) => candidate.target.table === target.table && isDateMention({ ...mention, target: candidate.target }),
    )
    return date ? { ...mention, target: date.target, isAmbiguous: false } : mention
  })
  return { ...question, mentions }
}
