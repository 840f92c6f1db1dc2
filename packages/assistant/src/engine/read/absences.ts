import type { Filter } from '../plan/plan.ts'
import { findJoinPath } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure, listDateColumns } from '../schema/model.ts'
import { stemWord } from '../words/stem.ts'
import type { Mention } from './find-mentions.ts'
import type { Negation } from './find-phrases.ts'
import { type Question, getColumn, getTable, isDateMention, isNearby } from './scan-question.ts'
import { isArticle } from './stop-words.ts'
import { CLEAR_MATCH } from '../schema/match-scores.ts'

/** What the question negates, and the tokens and mentions that this used up. */
export interface Absences {
  readonly usedMentions: ReadonlySet<Mention>
  readonly usedTokens: ReadonlySet<number>
  /** "no order in December": the time belongs to the absent rows. */
  readonly hasTime: boolean
  readonly firstTable: Table | undefined
  /** Negations that became no filter: the answer would be the opposite of the question. */
  readonly unreadNegations: readonly Negation[]
  toFilters(firstTable: Table): Filter[]
}

/** A negated mention, with stored values that narrow it: "no cancelled orders". */
interface Absence {
  readonly mention: Mention
  readonly valueMentions: readonly Mention[]
  readonly isTimed: boolean
}

/** "never ordered", "without a note", "not cancelled", "except furniture" */
export function readAbsences(question: Question): Absences {
  const { mentions, phrases } = question
  const usedMentions = new Set<Mention>()
  const absences: Absence[] = []
  const unreadNegations: Negation[] = []
  const usedTokens = new Set<number>()
  const subject = mentions.find(({ target }) => target.kind === 'table')
  for (const negation of phrases.negations) {
    const missingColumn = findColumnBeforeMissing(question, negation)
    if (missingColumn) {
      usedMentions.add(missingColumn)
      absences.push({ mention: missingColumn, valueMentions: [], isTimed: false })
      continue
    }
    const searchStart = skipVerbBeforeObject(question, negation.end)
    const firstMention = mentions.find(
      (candidate) =>
        candidate.start >= searchStart &&
        !usedMentions.has(candidate) &&
        isNearby(question, { from: searchStart, to: candidate.start, maxTokens: 4 }),
    )
    if (firstMention && searchStart > negation.end) usedTokens.add(searchStart - 1)
    const unusedTable = firstMention ? undefined : findTableOfUsageVerb(question, negation, subject)
    if (unusedTable) {
      usedTokens.add(unusedTable.index)
      absences.push({ mention: unusedTable.mention, valueMentions: [], isTimed: false })
      continue
    }
    const mention = firstMention && findNegatedMention(question, { negation, firstMention, subject, usedMentions })
    if (!firstMention || !mention || isRequiredNumber(mention)) {
      if (!isRepeatedNegation(question, negation, usedMentions)) unreadNegations.push(negation)
      continue
    }
    const absence = toAbsence(question, { negation, mention, subject })
    const alternatives = listAlternatives(mentions, mention)
    absences.push(absence, ...alternatives.map((other) => ({ mention: other, valueMentions: [], isTimed: false })))
    for (const usedMention of [firstMention, mention, ...absence.valueMentions, ...alternatives])
      usedMentions.add(usedMention)
  }
  for (const { mention, index } of listUnknownColumns(question, usedMentions)) {
    usedTokens.add(index)
    usedMentions.add(mention)
    absences.push({ mention, valueMentions: [], isTimed: false })
  }
  return {
    usedMentions,
    usedTokens,
    unreadNegations,
    hasTime: absences.some(({ isTimed }) => isTimed),
    firstTable: absences[0]?.mention.target.table,
    toFilters: (base) => mergeExcludedValues(absences.flatMap((absence) => toFilters(question, absence, base))),
  }
}

/** "customers with email missing": the column before the word, at the end of the question. */
function findColumnBeforeMissing(question: Question, { start, end }: Negation): Mention | undefined {
  const isAtEnd = !question.mentions.some((mention) => mention.start >= end)
  if (question.tokens[start]?.lower !== 'missing' || !isAtEnd) return undefined
  return findNullableColumnBefore(question, start)
}

/** The nullable column that is mentioned within three tokens before. */
const findNullableColumnBefore = (question: Question, tokenIndex: number): Mention | undefined =>
  question.mentions.findLast(
    (mention) =>
      getColumn(mention)?.isNullable === true &&
      mention.end < tokenIndex &&
      isNearby(question, { from: mention.end, to: tokenIndex, maxTokens: 3 }),
  )

const UNKNOWN_WORDS = new Set(['unknown', 'empty', 'blank', 'null', 'undefined', 'unset'])

/** "where the amount is unknown", unless "unknown" is a stored value. */
function listUnknownColumns(
  question: Question,
  usedMentions: ReadonlySet<Mention>,
): { readonly mention: Mention; readonly index: number }[] {
  const { tokens, mentions } = question
  return tokens.flatMap(({ lower, index }) => {
    if (!UNKNOWN_WORDS.has(lower) || mentions.some(({ start, end }) => index >= start && index < end)) return []
    const columnAfter = mentions.find(
      (candidate) => candidate.start === index + 1 && getColumn(candidate)?.isNullable === true,
    )
    const mention = columnAfter ?? findNullableColumnBefore(question, index)
    return mention && !usedMentions.has(mention) ? [{ mention, index }] : []
  })
}

const LIGHT_VERBS = new Set(
  [
    'left',
    'leave',
    'wrote',
    'write',
    'post',
    'gave',
    'give',
    'receive',
    'get',
    'submit',
    'file',
    'do',
    'done',
    'perform',
    'send',
    'make',
    'made',
    'raise',
    'report',
    'record',
    'pay',
  ].map((verb) => stemWord(verb)),
)

/** "did not leave a review": the verb says nothing, so that the search begins after it. */
function skipVerbBeforeObject({ tokens, mentions }: Question, tokenIndex: number): number {
  const [verb, tokenAfter] = tokens.slice(tokenIndex, tokenIndex + 2)
  const isInMention = mentions.some(({ start, end }) => tokenIndex >= start && tokenIndex < end)
  const hasObject = tokenAfter !== undefined && (isArticle(tokenAfter.lower) || tokenAfter.lower === 'any')
  return verb && !isInMention && hasObject && LIGHT_VERBS.has(verb.stem) ? tokenIndex + 1 : tokenIndex
}

const USAGE_VERBS = new Set(
  [
    'order',
    'book',
    'use',
    'used',
    'sell',
    'buy',
    'purchase',
    'request',
    'choose',
    'rent',
    'borrow',
    'take',
    'visit',
    'attend',
  ].map((verb) => stemWord(verb)),
)

/** "services that were never ordered": NOT EXISTS on the one table that references them. */
function findTableOfUsageVerb(
  { tokens, model }: Question,
  { end, isAbsence }: Negation,
  subject: Mention | undefined,
): { readonly mention: Mention; readonly index: number } | undefined {
  const verb = tokens.slice(end, end + 2).find((token) => USAGE_VERBS.has(token.stem))
  const [foreignKey, secondForeignKey] = model.foreignKeys.filter(({ to }) => to === subject?.target.table)
  if (!isAbsence || !subject || !verb || !foreignKey || secondForeignKey) return undefined
  const target = { kind: 'table', table: foreignKey.from } as const
  const mention = {
    start: verb.index,
    end: verb.index + 1,
    words: verb.text,
    candidates: [],
    target,
    matchScore: CLEAR_MATCH,
    isAmbiguous: false,
  }
  return { mention, index: verb.index }
}

/** "not without a note": the negated words were read already. */
const isRepeatedNegation = (question: Question, { end }: Negation, usedMentions: ReadonlySet<Mention>): boolean =>
  [...usedMentions].some(({ start }) => start >= end && isNearby(question, { from: end, to: start, maxTokens: 4 }))

/** A negation and the first mention after it. */
interface NegatedPhrase {
  readonly negation: Negation
  readonly firstMention: Mention
  readonly subject: Mention | undefined
  readonly usedMentions: ReadonlySet<Mention>
}

/** What the negation is about: a stored value, or the table that follows, rather than the column beside it. */
function findNegatedMention(
  { mentions }: Question,
  { negation, firstMention, subject, usedMentions }: NegatedPhrase,
): Mention {
  // "not made by Bayer": the column only says which value is meant.
  const column = getColumn(firstMention)
  const valueMention = mentions.find(
    ({ target, start }) =>
      target.kind === 'value' && target.column === column && start >= firstMention.end && start - firstMention.end <= 2,
  )
  if (valueMention) return valueMention
  const table = mentions.find(
    (mention) =>
      mention.start >= negation.end &&
      !usedMentions.has(mention) &&
      getTable(mention) &&
      mention.target.table !== subject?.target.table,
  )
  const isValueOfTable =
    firstMention.target.kind === 'value' && negation.isAbsence && table?.target.table === firstMention.target.table
  return isValueOfTable && table && table.start - firstMention.end <= 2 ? table : firstMention
}

/** Decides whether the time and the stored values of the question belong to the absent rows. */
function toAbsence(
  { mentions, times }: Question,
  { negation, mention, subject }: { negation: Negation; mention: Mention; subject: Mention | undefined },
): Absence {
  const { table } = mention.target
  const hasTimeAfter = times.some(({ start }) => start >= negation.end)
  // "not seen in the last 90 days": seen, but not then.
  if (isDateMention(mention) && hasTimeAfter) return { mention, valueMentions: [], isTimed: true }
  if (getTable(mention) === undefined || table === subject?.target.table)
    return { mention, valueMentions: [], isTimed: false }
  const valueMentions = mentions.filter(
    ({ target, start }) =>
      target.kind === 'value' && target.table === table && start >= negation.end && Math.abs(start - mention.end) <= 4,
  )
  const isTimed = hasTimeAfter && listDateColumns(table).length > 0
  return { mention, valueMentions, isTimed }
}

/** "not cancelled or returned" */
function listAlternatives(mentions: readonly Mention[], { target, end }: Mention): Mention[] {
  if (target.kind !== 'value') return []
  return mentions.filter(
    (mention) =>
      mention.target.kind === 'value' &&
      mention.target.column === target.column &&
      mention.start > end &&
      mention.start - end <= 2,
  )
}

/** "without orders" becomes NOT EXISTS, or IS NULL on the foreign key; a value becomes "is not". */
function toFilters({ model, times }: Question, { mention, valueMentions, isTimed }: Absence, base: Table): Filter[] {
  const { target } = mention
  if (target.kind === 'value') return [{ kind: 'in', column: target.column, values: [target.value], isNegated: true }]
  if (target.kind === 'column') return toColumnFilters({ model, times }, { column: target.column, isTimed }, base)
  const [step, secondStep] = findJoinPath(model, base, target.table)?.steps ?? []
  const [foreignKeyColumn] = step?.foreignKey.fromColumns ?? []
  if (step?.isManyToOne && !secondStep && foreignKeyColumn && valueMentions.length === 0)
    return [{ kind: 'null', column: foreignKeyColumn, isNull: true }]
  const filters = valueMentions.flatMap(({ target: one }): Filter[] =>
    one.kind === 'value' ? [{ kind: 'in', column: one.column, values: [one.value], isNegated: false }] : [],
  )
  const [date] = listDateColumns(target.table)
  if (isTimed && date) filters.push({ kind: 'time', column: date, ranges: times.map(({ range }) => range) })
  return [{ kind: 'exists', table: target.table, filters, isNegated: true }]
}

/** A negated flag, date or nullable column as a condition on the base table or on its child rows. */
function toColumnFilters(
  { model, times }: Pick<Question, 'model' | 'times'>,
  { column, isTimed }: { column: Column; isTimed: boolean },
  base: Table,
): Filter[] {
  const ranges = times.map(({ range }) => range)
  if (isInChildTable(model, base, column)) {
    // "never borrowed": no row with a value here.
    const filters: Filter[] = isTimed ? [{ kind: 'time', column, ranges }] : []
    return [{ kind: 'exists', table: column.table, filters, isNegated: true }]
  }
  if (column.kind === 'boolean') return [{ kind: 'boolean', column, isTrue: false }]
  if (isTimed) return [{ kind: 'time', column, ranges, isNegated: true }]
  return [{ kind: 'null', column, isNull: true }]
}

/** A date of rows below the base table that is always filled: only the rows can be missing. */
function isInChildTable(model: Question['model'], base: Table, column: Column): boolean {
  if (column.table === base || column.isNullable || !isDate(column)) return false
  const path = findJoinPath(model, base, column.table)
  return path !== undefined && path.steps.every(({ isManyToOne }) => !isManyToOne)
}

/** A NOT NULL amount can not be absent. */
const isRequiredNumber = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && isMeasure(column) && !column.isNullable
}

/** Excluding two values of a column excludes both. */
function mergeExcludedValues(filters: readonly Filter[]): Filter[] {
  const mergedFilters: Filter[] = []
  for (const filter of filters) {
    const filterIndex = mergedFilters.findIndex(
      (candidate) =>
        candidate.kind === 'in' && filter.kind === 'in' && candidate.column === filter.column && candidate.isNegated,
    )
    const knownFilter = mergedFilters[filterIndex]
    if (knownFilter?.kind === 'in' && filter.kind === 'in')
      mergedFilters[filterIndex] = { ...knownFilter, values: [...knownFilter.values, ...filter.values] }
    else mergedFilters.push(filter)
  }
  return mergedFilters
}
