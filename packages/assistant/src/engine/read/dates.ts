import type { Filter } from '../plan/plan.ts'
import { countSteps, findPath, isUpwards } from '../schema/join-paths.ts'
import { type Column, type Table, hasTwoMainDates, isLateDate, listDateColumns } from '../schema/model.ts'
import { expandParts, isKindPart, splitName, toEnglishName, toStems } from '../schema/names.ts'
import { stemWord } from '../words/stem.ts'
import type { Mention } from './link.ts'
import { getColumn, getTable, isDateMention } from './question.ts'
import type { Reader } from './reader.ts'
import { isLightWord } from './stop-words.ts'
import { compareYear, findOnlyYear } from './years.ts'

export function pickDate({ question, roles, doubt }: Reader, base: Table): Column | undefined {
  const { model, mentions } = question
  const namedMention = mentions.find(
    (mention) => isDateMention(mention) && countSteps(model, base, mention.target.table) < 4,
  )
  if (namedMention) {
    roles.set(namedMention, 'date')
    return getColumn(namedMention)
  }
  const [ownColumn] = listDateColumns(base)
  const done = ownColumn && (findDoneDate(question, base) ?? findNounDate(question, base))
  if (ownColumn && !done && (hasTwoMainDates(base) || (isLateDate(ownColumn) && ownColumn.isNullable)))
    doubt('which date is meant', 0.42)
  if (ownColumn) return done ?? ownColumn
  const near = model.tables
    .flatMap((table) => {
      const [date] = listDateColumns(table)
      const path = findPath(model, base, table)
      if (!date || !path || !isUpwards(path)) return []
      return [
        {
          date,
          rank: path.steps.length + (isBeginning(date) ? 2 : 0),
        },
      ]
    })
    .toSorted((a, b) => a.rank - b.rank)
  const [first, second] = near
  if (first && second && first.rank === second.rank) doubt('which date is meant', 0.42)
  // The hiring date of a teacher is not the date of a course.
  if (first && isBeginning(first.date)) doubt('which date is meant', 0.42)
  return first?.date
}

const BEGINNING = /birth|hire|join|regist|found|launch|since|install|built|onboard|born/i
const isBeginning = ({ name }: Column): boolean => BEGINNING.test(name) || BEGINNING.test(toEnglishName(name))

const listEventStems = ({ name }: Column): string[] =>
  toStems(expandParts(splitName(name)).filter((part) => !isKindPart(part)))

/** "cancelled bookings per month": by the cancellation date, where one exists. */
function findDoneDate({ mentions }: Reader['question'], base: Table | undefined): Column | undefined {
  if (!base) return undefined
  const said = mentions.flatMap((mention) => (mention.target.table === base ? listSaid(mention) : []))
  return listDateColumns(base).find((dateColumn) => {
    const parts = listEventStems(dateColumn)
    return parts.length === 1 && said.includes(parts[0] ?? '')
  })
}

const listSaid = ({ target, words }: Mention): string[] =>
  target.kind === 'value' ? [stemWord(target.value), stemWord(words)] : []

/** "bookings by quarter": by the booking date. */
function findNounDate({ tokens }: Reader['question'], base: Table): Column | undefined {
  const said = new Set(tokens.map((token) => token.stem))
  const [only, second] = listDateColumns(base).filter(({ name }) => {
    const parts = toStems(splitName(name).filter((part) => !isKindPart(part)))
    return parts.length === 1 && said.has(parts[0] ?? '')
  })
  return second ? undefined : only
}

export function skipDoneValues({ question }: Reader, filters: Filter[], timedFilters: readonly Filter[]): void {
  const done = findDoneDate(question, getTimedTable(timedFilters))
  const value = question.mentions.find(
    (mention) =>
      done !== undefined &&
      mention.target.table === done.table &&
      listSaid(mention).some((item) => listEventStems(done).includes(item)) &&
      question.mentions.some((other) => getTable(other) === done.table && other.end === mention.start),
  )
  if (value?.target.kind !== 'value') return
  const { column } = value.target
  const at = filters.findIndex(
    (filter) => filter.kind === 'in' && filter.column === column && filter.values.length === 1,
  )
  if (at >= 0) filters.splice(at, 1)
}

const getTimedTable = (timedFilters: readonly Filter[]): Table | undefined => {
  const [first] = timedFilters
  return first?.kind === 'time' ? first.column.table : undefined
}

export function readTimes(reader: Reader, base: Table): Filter[] {
  const { times, model } = reader.question
  if (times.length === 0) return []
  const ranges = times.map(({ range }) => range)
  const year = listDateColumns(base).length === 0 ? findOnlyYear(base) : undefined
  const [time, second] = times
  const byYear = year && time && !second ? compareYear(year, time) : []
  if (byYear.length > 0) return byYear
  const column = pickDate(reader, base)
  if (column) flagTimeOfRows(reader, base, column)
  if (column) flagFarTime(reader, base, column)
  if (column) return [{ kind: 'time', column, ranges }]
  const child = model.tables.find((table) => listDateColumns(table).length > 0 && countSteps(model, base, table) === 1)
  const date = child && listDateColumns(child)[0]
  reader.doubt('the date', 0.45)
  return date ? [{ kind: 'time', column: date, ranges }] : []
}

/** "vessels detained in 2025": the date of detention, not a date of the vessel. */
function flagTimeOfRows({ question, doubt }: Reader, base: Table, column: Column): void {
  const { model, mentions } = question
  const isNamed = mentions.some((mention) => getColumn(mention) === column)
  const isOfRows = mentions.some(({ words, target: { kind, table } }) => {
    if (kind !== 'value' || isLightWord(words.toLowerCase()) || table === base || listDateColumns(table).length === 0)
      return false
    return !isUpwards(findPath(model, base, table))
  })
  if (!isNamed && isOfRows && column.table === base) doubt('the date', 0.45)
}

/** "how much rent was paid in May": the contract's amount is not the sum of its payments in May. */
function flagFarTime({ measures, question, doubt }: Reader, base: Table, { table }: Column): void {
  const isAdded = measures.some(({ expression, aggregate }) => expression.kind === 'column' && aggregate === 'sum')
  if (isAdded && table !== base && !isUpwards(findPath(question.model, base, table))) doubt('the date', 0.45)
}

/** A NOT NULL column is never absent: something else was meant. */
export function flagFilledColumns({ doubt }: Reader, absent: readonly Filter[]): void {
  for (const filter of absent) {
    if (filter.kind === 'null' && filter.isNull && !filter.column.isNullable) doubt(filter.column.name, 0.45)
  }
}

/** "unpaid": without a payment date, or any other status? */
export function flagUndoneStatus({ doubt, question }: Reader, absent: readonly Filter[]): void {
  for (const filter of absent) {
    if (filter.kind !== 'in' || !filter.isNegated) continue
    const spoken = question.mentions.filter(({ target }) => target.kind === 'value' && target.column === filter.column)
    const said = [...filter.values, ...spoken.map(({ words }) => words)].map((value) => stemWord(value))
    const isDated = listDateColumns(filter.column.table).some((dateColumn) => {
      const parts = listEventStems(dateColumn)
      return dateColumn.isNullable && parts.length === 1 && said.includes(parts[0] ?? '')
    })
    if (isDated) doubt('what is not done', 0.45)
  }
}
