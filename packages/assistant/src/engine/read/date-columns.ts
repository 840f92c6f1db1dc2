import type { Filter } from '../plan/plan.ts'
import { countJoinSteps, findJoinPath, isManyToOnePath } from '../schema/join-paths.ts'
import { type Column, type Table, hasTwoMainDates, isLateDate, listDateColumns } from '../schema/model.ts'
import { expandNameParts, isGenericPart, splitName, toEnglishName, toStems } from '../schema/names.ts'
import { stemWord } from '../words/stem.ts'
import type { Mention } from './find-mentions.ts'
import { getColumn, getTable, isDateMention } from './scan-question.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { isMinorWord } from './stop-words.ts'
import { buildYearFilters, findSingleYearColumn } from './year-comparisons.ts'
import { ASK_BACK_PENALTY, UNREAD_WORD_PENALTY } from './confidence/penalties.ts'

/**
 * The date that "in March" or "per month" refers to: a mentioned one, the main date of the table, or the nearest of
 * its parents.
 */
export function chooseDateColumn(
  { question, mentionRoles, lowerConfidence }: PlanBuilder,
  base: Table,
): Column | undefined {
  const { model, mentions } = question
  const dateMention = mentions.find(
    (mention) => isDateMention(mention) && countJoinSteps(model, base, mention.target.table) < 4,
  )
  if (dateMention) {
    mentionRoles.set(dateMention, 'date')
    return getColumn(dateMention)
  }
  const [mainDate] = listDateColumns(base)
  const eventDate = mainDate && (findDateOfStatusValue(question, base) ?? findDateNamedInQuestion(question, base))
  if (mainDate && !eventDate && (hasTwoMainDates(base) || (isLateDate(mainDate) && mainDate.isNullable)))
    lowerConfidence('which date is meant', UNREAD_WORD_PENALTY)
  if (mainDate) return eventDate ?? mainDate
  const parentDates = model.tables
    .flatMap((table) => {
      const [date] = listDateColumns(table)
      const joinPath = findJoinPath(model, base, table)
      if (!date || !joinPath || !isManyToOnePath(joinPath)) return []
      return [
        {
          date,
          rank: joinPath.steps.length + (isLifeEventDate(date) ? 2 : 0),
        },
      ]
    })
    .toSorted((a, b) => a.rank - b.rank)
  const [nearestDate, secondNearest] = parentDates
  if (nearestDate && secondNearest && nearestDate.rank === secondNearest.rank)
    lowerConfidence('which date is meant', UNREAD_WORD_PENALTY)
  // The hiring date of a teacher is not the date of a course.
  if (nearestDate && isLifeEventDate(nearestDate.date)) lowerConfidence('which date is meant', UNREAD_WORD_PENALTY)
  return nearestDate?.date
}

const LIFE_EVENT_NAME = /birth|hire|join|regist|found|launch|since|install|built|onboard|born/i
/** `born_on`, `hire_date`: says when something began, hardly when something happened. */
const isLifeEventDate = ({ name }: Column): boolean =>
  LIFE_EVENT_NAME.test(name) || LIFE_EVENT_NAME.test(toEnglishName(name))

/** `paid_at` → pay */
const listEventStems = ({ name }: Column): string[] =>
  toStems(expandNameParts(splitName(name)).filter((part) => !isGenericPart(part)))

/** "cancelled bookings per month": by the cancellation date, where one exists. */
function findDateOfStatusValue({ mentions }: PlanBuilder['question'], base: Table | undefined): Column | undefined {
  if (!base) return undefined
  const valueStems = mentions.flatMap((mention) => (mention.target.table === base ? listValueStems(mention) : []))
  return listDateColumns(base).find((dateColumn) => {
    const eventStems = listEventStems(dateColumn)
    return eventStems.length === 1 && valueStems.includes(eventStems[0] ?? '')
  })
}

/** Stems of a stored value and of the words for it. */
const listValueStems = ({ target, words }: Mention): string[] =>
  target.kind === 'value' ? [stemWord(target.value), stemWord(words)] : []

/** "bookings by quarter": by the booking date. */
function findDateNamedInQuestion({ tokens }: PlanBuilder['question'], base: Table): Column | undefined {
  const questionStems = new Set(tokens.map((token) => token.stem))
  const [dateColumn, secondDateColumn] = listDateColumns(base).filter(({ name }) => {
    const eventStems = toStems(splitName(name).filter((part) => !isGenericPart(part)))
    return eventStems.length === 1 && questionStems.has(eventStems[0] ?? '')
  })
  return secondDateColumn ? undefined : dateColumn
}

/** "cancelled bookings in May" by `cancelled_at`: the date implies the status, whose filter is removed. */
export function removeFilterImpliedByDate(
  { question }: PlanBuilder,
  filters: Filter[],
  timedFilters: readonly Filter[],
): void {
  const eventDate = findDateOfStatusValue(question, findTableOfTimeFilter(timedFilters))
  const valueMention = question.mentions.find(
    (mention) =>
      eventDate !== undefined &&
      mention.target.table === eventDate.table &&
      listValueStems(mention).some((item) => listEventStems(eventDate).includes(item)) &&
      question.mentions.some((other) => getTable(other) === eventDate.table && other.end === mention.start),
  )
  if (valueMention?.target.kind !== 'value') return
  const { column } = valueMention.target
  const filterIndex = filters.findIndex(
    (filter) => filter.kind === 'in' && filter.column === column && filter.values.length === 1,
  )
  if (filterIndex >= 0) filters.splice(filterIndex, 1)
}

/** The table whose date is filtered. */
const findTableOfTimeFilter = (timedFilters: readonly Filter[]): Table | undefined => {
  const [firstFilter] = timedFilters
  return firstFilter?.kind === 'time' ? firstFilter.column.table : undefined
}

/** The times of the question as a filter on a year column, on the chosen date, or on a child table's date. */
export function buildTimeFilters(builder: PlanBuilder, base: Table): Filter[] {
  const { times, model } = builder.question
  if (times.length === 0) return []
  const ranges = times.map(({ range }) => range)
  const yearColumn = listDateColumns(base).length === 0 ? findSingleYearColumn(base) : undefined
  const [time, secondTime] = times
  const yearFilters = yearColumn && time && !secondTime ? buildYearFilters(yearColumn, time) : []
  if (yearFilters.length > 0) return yearFilters
  const column = chooseDateColumn(builder, base)
  if (column) flagTimeOfValueRows(builder, base, column)
  if (column) flagSumOverOtherTableDate(builder, base, column)
  if (column) return [{ kind: 'time', column, ranges }]
  const childTable = model.tables.find(
    (table) => listDateColumns(table).length > 0 && countJoinSteps(model, base, table) === 1,
  )
  const date = childTable && listDateColumns(childTable)[0]
  builder.lowerConfidence('the date', ASK_BACK_PENALTY)
  return date ? [{ kind: 'time', column: date, ranges }] : []
}

/** "vessels detained in 2025": the date of detention, not a date of the vessel. */
function flagTimeOfValueRows({ question, lowerConfidence }: PlanBuilder, base: Table, column: Column): void {
  const { model, mentions } = question
  const isDateMentioned = mentions.some((mention) => getColumn(mention) === column)
  const hasValueOfChildTable = mentions.some(({ words, target: { kind, table } }) => {
    if (kind !== 'value' || isMinorWord(words.toLowerCase()) || table === base || listDateColumns(table).length === 0)
      return false
    return !isManyToOnePath(findJoinPath(model, base, table))
  })
  if (!isDateMentioned && hasValueOfChildTable && column.table === base) lowerConfidence('the date', ASK_BACK_PENALTY)
}

/** "how much rent was paid in May": the contract's amount is not the sum of its payments in May. */
function flagSumOverOtherTableDate(
  { measures, question, lowerConfidence }: PlanBuilder,
  base: Table,
  { table }: Column,
): void {
  const isSummed = measures.some(({ expression, aggregate }) => expression.kind === 'column' && aggregate === 'sum')
  if (isSummed && table !== base && !isManyToOnePath(findJoinPath(question.model, base, table)))
    lowerConfidence('the date', ASK_BACK_PENALTY)
}

/** A NOT NULL column is never absent: something else was meant. */
export function flagRequiredColumns({ lowerConfidence }: PlanBuilder, absenceFilters: readonly Filter[]): void {
  for (const filter of absenceFilters) {
    if (filter.kind === 'null' && filter.isNull && !filter.column.isNullable)
      lowerConfidence(filter.column.name, ASK_BACK_PENALTY)
  }
}

/** "unpaid": without a payment date, or any other status? */
export function flagNegatedStatus({ lowerConfidence, question }: PlanBuilder, absenceFilters: readonly Filter[]): void {
  for (const filter of absenceFilters) {
    if (filter.kind !== 'in' || !filter.isNegated) continue
    const valueMentions = question.mentions.filter(
      ({ target }) => target.kind === 'value' && target.column === filter.column,
    )
    const statusStems = [...filter.values, ...valueMentions.map(({ words }) => words)].map((value) => stemWord(value))
    const hasDateOfStatus = listDateColumns(filter.column.table).some((dateColumn) => {
      const eventStems = listEventStems(dateColumn)
      return dateColumn.isNullable && eventStems.length === 1 && statusStems.includes(eventStems[0] ?? '')
    })
    if (hasDateOfStatus) lowerConfidence('what is not done', ASK_BACK_PENALTY)
  }
}
