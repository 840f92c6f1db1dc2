import type { SchemaTarget } from '../schema/lexicon.ts'
import type { Column, Model } from '../schema/model.ts'
import { expandNameParts, splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Mention } from './find-mentions.ts'
import { type Question, getTable, isDateMention } from './scan-question.ts'
import { SURE_MATCH } from '../schema/match-scores.ts'

/** "who filed the most motions": `filed_by` answers who, `filed_on` only when. */
export function preferDoerColumns(question: Question): Question {
  const { tokens, mentions, model } = question
  const whoIndex = tokens.findIndex(({ lower }) => lower === 'who' || lower === 'whom')
  const verbMention = whoIndex < 0 ? undefined : mentions.find((mention) => mention.start === whoIndex + 1)
  if (!verbMention || (!isDateMention(verbMention) && !(getTable(verbMention) && isPastForm(verbMention.words))))
    return question
  const target = isDateMention(verbMention) ? findDoerTarget(model, verbMention) : findAgentTable(model, verbMention)
  if (!target) return question
  const doerMention: Mention = { ...verbMention, target, matchScore: SURE_MATCH, isAmbiguous: false }
  return { ...question, mentions: mentions.map((mention) => (mention === verbMention ? doerMention : mention)) }
}

/** The column `filed_by`, or the table that it references, for "who filed". */
function findDoerTarget(model: Model, { target: { table }, words }: Mention): SchemaTarget | undefined {
  const [column, secondColumn] = table.columns.filter((other) => isColumnOfDoer(other, stemWord(words)))
  if (!column || secondColumn) return undefined
  const foreignKey = model.foreignKeys.find(({ fromColumns: [firstColumn] }) => firstColumn === column)
  if (!foreignKey) return column.isIdentifier ? undefined : { kind: 'column', table, column }
  const isOnlyForeignKey = model.foreignKeys.every(
    (other) => other === foreignKey || other.from !== table || other.to !== foreignKey.to,
  )
  const role = model.tableRoles.find(
    (tableRole) => tableRole.foreignKeys[0]?.fromColumns[0] === column && tableRole.originalTable === foreignKey.to,
  )
  if (role) return { kind: 'table', table: role.aliasTable }
  return isOnlyForeignKey ? { kind: 'table', table: foreignKey.to } : undefined
}

/** "who donated": the referenced table called donors. */
function findAgentTable(model: Model, { target: { table }, words }: Mention): SchemaTarget | undefined {
  const verb = stemWord(words)
  const [agent, secondAgent] = model.foreignKeys.flatMap(({ from, to }) => {
    const isAgent =
      from === table && toStems(splitName(to.name)).some((stem) => /(?:er|or)$/.test(stem) && stem.startsWith(verb))
    return isAgent ? [to] : []
  })
  return agent && !secondAgent ? { kind: 'table', table: agent } : undefined
}

/** `filed_by` for the verb "filed". */
function isColumnOfDoer({ name }: Column, verb: string): boolean {
  const [verbPart = '', secondPart] = splitName(name)
  return secondPart === 'by' && toStems([verbPart, ...expandNameParts([verbPart])]).includes(verb)
}

/** "which club submitted the most": the verb, not the status of the same name. */
export function preferDateOverStatus(question: Question): Question {
  const [superlative] = question.phrases.superlatives
  if (!superlative) return question
  const mentions = question.mentions.map((mention): Mention => {
    const { target, words, end, candidates } = mention
    const wordsBetween = question.tokens.slice(end, superlative.start).map(({ lower }) => lower)
    const isRightBeforeSuperlative = end <= superlative.start && wordsBetween.every((word) => word === 'the')
    if (target.kind !== 'value' || !isRightBeforeSuperlative || !isPastForm(words)) return mention
    const dateCandidate = candidates.find(
      (candidate) => candidate.target.table === target.table && isDateMention({ ...mention, target: candidate.target }),
    )
    return dateCandidate ? { ...mention, target: dateCandidate.target, isAmbiguous: false } : mention
  })
  return { ...question, mentions }
}
