import { translateGerman } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { listSynonyms } from '../words/synonyms.ts'
import { parseCodesFromComment } from './codes.ts'
import { expandNameParts, isGenericPart, isUnitPart, splitName, toStems } from './names.ts'
import type { Candidate, NameIndex, SchemaTarget } from './name-index.ts'
import { COLUMN_SCORES, COMMENT_SCORES, IDENTIFIER_PENALTY } from './name-scores.ts'
import { type Column, type Table, isMeasure } from './model.ts'

/** Remembers a part of a name for findSimilarNames(). */
export function addPart(candidatesByPart: Map<string, Candidate[]>, part: string, candidate: Candidate): void {
  candidatesByPart.set(part, [...(candidatesByPart.get(part) ?? []), candidate])
}

/** `invoice_total_amt` is found by its whole name, without the table, without generic parts and by synonyms. */
export function addColumnNames(
  names: NameIndex,
  candidatesByPart: Map<string, Candidate[]>,
  target: SchemaTarget & { kind: 'column' },
): void {
  const { column } = target
  const nameParts = splitName(column.name)
  const expandedParts = expandNameParts(nameParts)
  const identifierPenalty = column.isIdentifier ? IDENTIFIER_PENALTY : 0
  names.add(toStems(nameParts).join(' '), target, COLUMN_SCORES.exactName - identifierPenalty)
  names.add(toStems(expandedParts).join(' '), target, COLUMN_SCORES.expandedName - identifierPenalty)
  if (column.isIdentifier) return
  addGermanName(names, target, nameParts)
  const withoutTable = omitTablePrefix(target, nameParts, expandedParts)
  const partsWithoutKind = withoutTable.filter((part) => !isGenericPart(part))
  const isTimeUnitOnly = withoutTable.every((part) => TIME_UNITS.has(part))
  if (withoutTable.length < expandedParts.length) {
    names.add(
      toStems(withoutTable).join(' '),
      target,
      isTimeUnitOnly ? COLUMN_SCORES.timeUnitOnly : COLUMN_SCORES.withoutTableName,
    )
  }
  addTimeNames(names, target, expandedParts)
  if (partsWithoutKind.length > 0 && partsWithoutKind.length < withoutTable.length)
    names.add(toStems(partsWithoutKind).join(' '), target, COLUMN_SCORES.withoutGenericParts)
  addNamesWithoutUnit(names, target, { nameParts, withoutTable })
  const meaningParts = partsWithoutKind.length > 0 ? partsWithoutKind : withoutTable
  addNamesOfMeaning(names, target, meaningParts)
  addNamesOfParts(names, target, withoutTable)
  addRevenueNames(names, target, withoutTable)
  addCommentNames(names, column.comment, target)
  for (const part of meaningParts)
    addPart(candidatesByPart, stemWord(part), { target, matchScore: COLUMN_SCORES.partInSimilarName })
}

/** `rent_month`, `weight_g`: people rarely say the unit, or say it as in "monthly rent". */
function addNamesWithoutUnit(
  names: NameIndex,
  target: SchemaTarget & { kind: 'column' },
  { nameParts, withoutTable }: { nameParts: readonly string[]; withoutTable: readonly string[] },
): void {
  const [unit = '', ...partsAfterUnit] = withoutTable
  const adverb = PERIOD_ADVERBS[unit]
  if (adverb !== undefined && partsAfterUnit.length > 0)
    names.add(toStems([adverb, ...partsAfterUnit]).join(' '), target, COLUMN_SCORES.withPeriodOrDateWord)
  const lastPart = withoutTable.at(-1) ?? ''
  const endsWithUnit = withoutTable.length > 2 && (isUnitPart(lastPart) || LONG_UNITS.has(lastPart))
  if (endsWithUnit) names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, COLUMN_SCORES.withoutUnit)
  const isPerPeriod =
    isMeasure(target.column) &&
    nameParts.length === withoutTable.length &&
    (lastPart.length === 1 || PERIOD_ADVERBS[lastPart] !== undefined)
  if (!isPerPeriod || nameParts.length === 1) return
  names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, COLUMN_SCORES.withoutPeriod)
  names.add(toStems(nameParts.slice(0, -1)).join(' '), target, COLUMN_SCORES.withoutPeriod)
}

/** A generic amount such as `total_amount` is found by "revenue" and "sales". */
function addRevenueNames(
  names: NameIndex,
  target: SchemaTarget & { kind: 'column' },
  withoutTable: readonly string[],
): void {
  if (!isGenericAmount(target.column, withoutTable)) return
  for (const word of REVENUE_WORDS) names.add(stemWord(word), target, COLUMN_SCORES.revenueWord)
  // The total of an order is as likely as that of its lines.
  if (withoutTable.length > 1) names.add(stemWord(withoutTable.at(-1) ?? ''), target, COLUMN_SCORES.lastWordOfAmount)
  if (withoutTable[0] === 'total') names.add(stemWord('total'), target, COLUMN_SCORES.total)
}

const REVENUE_WORDS = ['revenue', 'sales', 'turnover', 'income', 'earnings']

const AMOUNT_PARTS = new Set(['amount', 'total', 'sum', 'value', 'gross', 'net', 'line', 'usd', 'eur'])

/** A generic amount is revenue if no column is called so. */
const isGenericAmount = (column: Column, parts: readonly string[]): boolean =>
  column.kind === 'number' && !column.isNumericText && parts.every((part) => AMOUNT_PARTS.has(part))

/** A German column name without its generic parts: `rechnung_nr` as "Rechnung". */
function addGermanName(names: NameIndex, target: SchemaTarget, nameParts: readonly string[]): void {
  const partsWithoutKind = nameParts.filter((part) => !isGenericPart(part))
  const isGerman = partsWithoutKind.some((part) => translateGerman(part) !== undefined)
  if (isGerman && partsWithoutKind.length < nameParts.length)
    names.add(toStems(partsWithoutKind).join(' '), target, COLUMN_SCORES.withoutGenericParts)
}

/** "minutes" means duration_min, "hours" means HoursWorked. */
function addNamesOfParts(names: NameIndex, target: SchemaTarget & { kind: 'column' }, parts: readonly string[]): void {
  const [firstPart = '', ...otherParts] = parts
  if (otherParts.length > 0 && isUnitPart(firstPart) && isMeasure(target.column))
    names.add(stemWord(firstPart), target, COLUMN_SCORES.unit)
  for (const part of otherParts)
    names.add(stemWord(part), target, isGenericPart(part) ? COLUMN_SCORES.laterGenericPart : COLUMN_SCORES.laterPart)
}

/** `watch_minutes` is found as "watch time". */
function addTimeNames(names: NameIndex, target: SchemaTarget & { kind: 'column' }, parts: readonly string[]): void {
  const meaningParts = parts.filter((part) => !isGenericPart(part))
  if (!TIME_UNITS.has(parts.at(-1) ?? '') || meaningParts.length === 0 || !isMeasure(target.column)) return
  names.add([...toStems(meaningParts), stemWord('time')].join(' '), target, COLUMN_SCORES.withoutUnit)
}

const PERIOD_ADVERBS: Readonly<Record<string, string>> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
}

const LONG_UNITS = new Set(['days', 'weeks', 'months', 'years'])

const TIME_UNITS = new Set(['seconds', 'minutes', 'hours'])

/** `appt_status` of appointments is their status. */
function omitTablePrefix(
  { table }: SchemaTarget & { kind: 'column' },
  nameParts: readonly string[],
  expandedParts: readonly string[],
): readonly string[] {
  const [firstPart = ''] = expandedParts
  if (expandedParts.length < 2) return expandedParts
  const tableParts = splitName(table.name)
  const tableStems = new Set([...toStems(tableParts), ...toStems(expandNameParts(tableParts))])
  const tablePrefixes = tableParts.flatMap((part) => [part.slice(0, 3), part.slice(0, 4)])
  const isTablePrefix =
    tableStems.has(stemWord(firstPart)) ||
    tablePrefixes.includes(nameParts[0] ?? '') ||
    isPrefixOfEveryColumn(table, nameParts[0] ?? '')
  // `so_dt` of sales orders: one abbreviation may stand for two words.
  const droppedCount = expandNameParts(nameParts.slice(0, 1)).length
  return isTablePrefix ? expandedParts.slice(Math.min(droppedCount, expandedParts.length - 1)) : expandedParts
}

/** `att_no`, `att_dt`, `att_score`: a prefix of every column is not part of the name. */
function isPrefixOfEveryColumn({ columns }: Table, prefix: string): boolean {
  const columnsWithPrefix = columns.filter(({ name }) => {
    const [first, second] = splitName(name)
    return first === prefix && second !== undefined
  })
  return columns.length > 2 && columnsWithPrefix.length === columns.length
}

const CLASSIFYING_STEMS = new Set(
  toStems('type kind class category group area level status state label field'.split(' ')),
)

/** Names a column by its last or first word, by synonyms, and a date also as "paid date" or "paid day". */
function addNamesOfMeaning(
  names: NameIndex,
  target: SchemaTarget & { kind: 'column' },
  meaningParts: readonly string[],
): void {
  const isTime = target.column.kind === 'date' || target.column.kind === 'timestamp'
  const isFlag = target.column.kind === 'boolean'
  const stems = toStems(meaningParts)
  const lastStem = stems.at(-1) ?? ''
  const hasSeveralWords = stems.length > 1
  if (isTime)
    for (const word of ['date', 'day', 'time'])
      names.add([...stems, stemWord(word)].join(' '), target, COLUMN_SCORES.withPeriodOrDateWord)
  if (hasSeveralWords) names.add(lastStem, target, isFlag ? COLUMN_SCORES.lastWordOfFlag : COLUMN_SCORES.lastWord)
  // `grade_level`, `subject_area`: "grade" and "subject" are enough.
  if (hasSeveralWords && CLASSIFYING_STEMS.has(lastStem))
    names.add(stems.slice(0, -1).join(' '), target, COLUMN_SCORES.withoutClassifyingWord)
  if (hasSeveralWords && (isFlag || isTime)) names.add(stems[0] ?? '', target, COLUMN_SCORES.firstWord)
  for (const synonym of listSynonyms(lastStem)) {
    names.add(
      [...stems.slice(0, -1), synonym].join(' '),
      target,
      hasSeveralWords ? COLUMN_SCORES.synonymInLongName : COLUMN_SCORES.synonymOfName,
    )
    if (hasSeveralWords) names.add(synonym, target, COLUMN_SCORES.synonymOfLastWord)
  }
}

const COMMENT_STOP_WORDS = new Set(
  'a an the of in for with and or to as by per one row each every all is are was were what which who that this it its from on at be been two letters iso same words where'.split(
    ' ',
  ),
)

/** Only the first words of a comment name the column. */
export function addCommentNames(names: NameIndex, comment: string | null, target: SchemaTarget): void {
  if (comment === null || (target.kind === 'column' && parseCodesFromComment(target.column).length > 0)) return
  const words = comment
    .split(/[.;:(]/)[0]
    ?.split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const contentTerms = (words ?? []).filter((word) => !COMMENT_STOP_WORDS.has(word.toLowerCase())).slice(0, 6)
  for (const [wordIndex, word] of contentTerms.entries()) {
    if (wordIndex > 0 && isGenericPart(word.toLowerCase())) continue
    const matchScore = wordIndex === 0 && words?.[0] === word ? COMMENT_SCORES.firstWord : COMMENT_SCORES.otherWord
    names.add(
      stemWord(word),
      target,
      target.kind === 'column' && /of/i.test(words?.[1] ?? '')
        ? Math.max(matchScore, COMMENT_SCORES.firstTwoWords)
        : matchScore,
    )
  }
  const [first, second] = contentTerms
  if (first !== undefined && second !== undefined)
    names.add(`${stemWord(first)} ${stemWord(second)}`, target, COMMENT_SCORES.firstTwoWords)
}
