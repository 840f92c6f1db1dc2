import { type Column, isDate, isNumeric } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import { isPastForm, stemWord } from '../words/stem.ts'
import type { Mention } from './link.ts'
import { type Question, getColumn } from './question.ts'
import type { Reader } from './reader.ts'

/** A named flag is a filter, and so is a nullable date. */
export function readFlags({ free, roles, filters, question, isRanked }: Reader): void {
  const isDated = question.times.length > 0 || question.phrases.units.length > 0 || isRanked
  for (const mention of free()) {
    const column = getColumn(mention)
    if (!column) continue
    const isDone = !isDated && isDate(column) && column.isNullable && isCompletionMention(question, mention, column)
    if (column.kind !== 'boolean' && !isDone) continue
    roles.set(mention, 'filter')
    // "not reported to the insurance" of `insurance_reported`: both words name one flag.
    if ([...roles].some(([one, role]) => role === 'absent' && getColumn(one) === column)) continue
    filters.push(isDone ? { kind: 'null', column, isNull: false } : { kind: 'boolean', column, isTrue: true })
  }
}

/** "closed deals" with a flag and a NOT NULL date: only the flag tells rows apart. */
export function preferFlags(question: Question): Question {
  if (question.times.length > 0 || question.phrases.units.length > 0) return question
  const mentions = question.mentions.map((mention) => {
    const column = getColumn(mention)
    if (!column || !isDate(column) || column.isNullable || !isPastForm(mention.words)) return mention
    const flag = mention.candidates.find(
      ({ target, weight }) =>
        target.kind === 'column' &&
        target.column.kind === 'boolean' &&
        target.table === column.table &&
        weight >= mention.weight - 0.1,
    )
    return flag ? { ...mention, target: flag.target, isAmbiguous: false } : mention
  })
  return { ...question, mentions }
}

/** "delay in minutes", "delayed by more than 60 minutes": part of the column's name, not a value. */
export function skipNameParts({ free, roles, question }: Reader): void {
  for (const mention of free()) {
    const { target } = mention
    if (target.kind !== 'value') continue
    const isPart = question.mentions.some((other) => {
      const column = getColumn(other)
      if (!column || !isNumeric(column) || column.table !== target.table || Math.abs(other.start - mention.end) > 5)
        return false
      return toStems(splitName(column.name)).includes(stemWord(mention.words))
    })
    if (isPart) roles.set(mention, 'filter')
  }
}

const DONE = /ed$|^(?:given|paid|sent|sold|left|made|taken|written|built|held|kept|begun|drawn|lent|lost|met|won)$/i

const isCompletionMention = ({ tokens }: Question, { words }: Mention, { name }: Column): boolean =>
  isPastForm(words) || splitName(name).some((part) => DONE.test(part) && tokens.some(({ lower }) => lower === part))

/** "surname Keller", "the night shift": the column only says which value is meant. */
export function skipNamedColumns({ free, roles, question }: Reader): void {
  for (const mention of free()) {
    const column = getColumn(mention)
    const value = question.mentions.find(
      ({ target, start, end }) =>
        column &&
        target.kind === 'value' &&
        target.column === column &&
        (end === mention.start || (start >= mention.end && start - mention.end <= 2)),
    )
    if (value) roles.set(mention, 'filter')
  }
}
