import { type Column, isDate, isNumeric } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Mention } from './find-mentions.ts'
import { type Question, getColumn } from './scan-question.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** A named flag is a filter, and so is a nullable date. */
export function addFlagFilters({
  listUnassignedMentions,
  mentionRoles,
  filters,
  question,
  isRanking,
}: PlanBuilder): void {
  const hasTimeOrRanking = question.times.length > 0 || question.phrases.timeUnits.length > 0 || isRanking
  for (const mention of listUnassignedMentions()) {
    const column = getColumn(mention)
    if (!column) continue
    const meansEventHappened =
      !hasTimeOrRanking && isDate(column) && column.isNullable && isParticiple(question, mention, column)
    if (column.kind !== 'boolean' && !meansEventHappened) continue
    mentionRoles.set(mention, 'filter')
    // "not reported to the insurance" of `insurance_reported`: both words name one flag.
    if ([...mentionRoles].some(([otherMention, role]) => role === 'absent' && getColumn(otherMention) === column))
      continue
    filters.push(
      meansEventHappened ? { kind: 'null', column, isNull: false } : { kind: 'boolean', column, isTrue: true },
    )
  }
}

const MAX_FLAG_SCORE_GAP = 0.1

/** "closed deals" with a flag and a NOT NULL date: only the flag tells rows apart. */
export function preferFlagOverDate(question: Question): Question {
  if (question.times.length > 0 || question.phrases.timeUnits.length > 0) return question
  const mentions = question.mentions.map((mention) => {
    const column = getColumn(mention)
    if (!column || !isDate(column) || column.isNullable || !isPastForm(mention.words)) return mention
    const flagCandidate = mention.candidates.find(
      ({ target, matchScore }) =>
        target.kind === 'column' &&
        target.column.kind === 'boolean' &&
        target.table === column.table &&
        matchScore >= mention.matchScore - MAX_FLAG_SCORE_GAP,
    )
    return flagCandidate ? { ...mention, target: flagCandidate.target, isAmbiguous: false } : mention
  })
  return { ...question, mentions }
}

/** "delay in minutes", "delayed by more than 60 minutes": part of the column's name, not a value. */
export function ignoreValuesInColumnNames({ listUnassignedMentions, mentionRoles, question }: PlanBuilder): void {
  for (const mention of listUnassignedMentions()) {
    const { target } = mention
    if (target.kind !== 'value') continue
    const isPartOfColumnName = question.mentions.some((other) => {
      const column = getColumn(other)
      if (!column || !isNumeric(column) || column.table !== target.table || Math.abs(other.start - mention.end) > 5)
        return false
      return toStems(splitName(column.name)).includes(stemWord(mention.words))
    })
    if (isPartOfColumnName) mentionRoles.set(mention, 'filter')
  }
}

const PARTICIPLE =
  /ed$|^(?:given|paid|sent|sold|left|made|taken|written|built|held|kept|begun|drawn|lent|lost|met|won)$/i

/** "closed", or a column such as `paid_at` whose participle is in the question. */
const isParticiple = ({ tokens }: Question, { words }: Mention, { name }: Column): boolean =>
  isPastForm(words) ||
  splitName(name).some((part) => PARTICIPLE.test(part) && tokens.some(({ lower }) => lower === part))

/** "surname Keller", "the night shift": the column only says which value is meant. */
export function ignoreColumnsBesideTheirValue({ listUnassignedMentions, mentionRoles, question }: PlanBuilder): void {
  for (const mention of listUnassignedMentions()) {
    const column = getColumn(mention)
    const valueBeside = question.mentions.find(
      ({ target, start, end }) =>
        column &&
        target.kind === 'value' &&
        target.column === column &&
        (end === mention.start || (start >= mention.end && start - mention.end <= 2)),
    )
    if (valueBeside) mentionRoles.set(mention, 'filter')
  }
}
