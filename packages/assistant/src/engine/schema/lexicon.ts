import { isArticle } from '../read/stop-words.ts'
import { translateGerman, translateGermanValue } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { listNounsOfVerb, listSynonyms } from '../words/synonyms.ts'
import { tokenise } from '../words/tokens.ts'
import type { Catalogue } from './catalogue.ts'
import { parseCodesFromComment } from './codes.ts'
import type { Metric } from './metrics.ts'
import { expandNameParts, isGenericPart, isUnitPart, splitName, toStems } from './names.ts'
import {
  type Candidate,
  type NameIndex,
  type SchemaTarget,
  createNameIndex,
  isCopyOfOtherTable,
  withLowerScores,
} from './name-index.ts'
import {
  COLUMN_SCORES,
  COMMENT_SCORES,
  IDENTIFIER_PENALTY,
  LINE_VALUE_SCORES,
  METRIC_SCORE,
  NOUN_OF_VERB_SCORE,
  TABLE_SCORES,
  VALUE_SCORES,
} from './name-scores.ts'
import { LIKELY_MATCH } from './match-scores.ts'
import { scoreSimilarity } from './near-words.ts'
import { type Column, type Model, type Table, findLineValueColumns, isDate, isMeasure } from './model.ts'

export type { Candidate, SchemaTarget as Target } from './name-index.ts'

/** Looks up which tables, columns, values and metrics a word or phrase may mean; keys are stems joined by spaces. */
export interface Lexicon {
  findNames(key: string): readonly Candidate[]
  findValues(key: string): readonly Candidate[]
  /** Inexact matches: abbreviations, other word forms, typing errors. */
  findSimilarNames(word: string): readonly Candidate[]
}

const MAX_VALUE_WORDS = 6
const MAX_VALUE_LENGTH = 80
const MIN_SIMILAR_WORD_LENGTH = 4
const MAX_SIMILAR_CANDIDATES = 6

/** Indexes every name of the schema: table and column names, their parts, synonyms, comments, sample values and metrics. */
export function buildLexicon(model: Model, catalogue: Catalogue, metrics: readonly Metric[]): Lexicon {
  const names = createNameIndex()
  const values = createNameIndex()
  const candidatesByPart = new Map<string, Candidate[]>()
  for (const table of model.tables) {
    const target: SchemaTarget = { kind: 'table', table }
    addTableNames(names, candidatesByPart, target)
    const isCopy = isCopyOfOtherTable(table, model)
    for (const column of table.columns) {
      const target: SchemaTarget = { kind: 'column', table, column }
      addColumnNames(isCopy ? withLowerScores(names) : names, candidatesByPart, target)
      addColumnValues(isCopy ? withLowerScores(values) : values, column)
    }
    if (findLineValueColumns(table)) addLineValueNames(names, table)
  }
  addReferenceNames(names, model)
  for (const metric of metrics) {
    names.add(toMetricKey(metric.name), { kind: 'metric', table: metric.base, metric }, METRIC_SCORE)
  }
  addDefinedSynonyms({ names, values }, catalogue)
  return {
    findNames: (key) => names.get(key),
    findValues: (key) => values.get(key),
    findSimilarNames: (word) => findSimilarCandidates(candidatesByPart, word),
  }
}

/** Remembers a part of a name for findSimilarNames(). */
function addPart(candidatesByPart: Map<string, Candidate[]>, part: string, candidate: Candidate): void {
  candidatesByPart.set(part, [...(candidatesByPart.get(part) ?? []), candidate])
}

const RECORD_STEMS = new Set(toStems('records entries rows list register log logs data master details'.split(' ')))

/** `order_items` is found as "order items", "items" and by synonyms of "item". */
function addTableNames(
  names: NameIndex,
  candidatesByPart: Map<string, Candidate[]>,
  target: SchemaTarget & { kind: 'table' },
): void {
  const { table } = target
  const nameParts = splitName(table.name)
  const nameStems = toStems(nameParts)
  const expandedStems = toStems(expandNameParts(nameParts))
  names.add(nameStems.join(' '), target, TABLE_SCORES.exactName)
  names.add(expandedStems.join(' '), target, TABLE_SCORES.expandedName)
  for (const label of table.labels) names.add(toStems(splitName(label)).join(' '), target, TABLE_SCORES.label)
  const lastStem = expandedStems.at(-1) ?? ''
  if (expandedStems.length > 1 && RECORD_STEMS.has(lastStem))
    names.add(expandedStems.slice(0, -1).join(' '), target, TABLE_SCORES.withoutRecordWord)
  if (expandedStems.length > 1) {
    names.add(lastStem, target, TABLE_SCORES.lastWord)
    names.add(expandedStems[0] ?? '', target, TABLE_SCORES.firstWord)
  }
  const columnStems = new Set(
    table.columns.filter((column) => !isDate(column)).flatMap((column) => toStems(splitName(column.name))),
  )
  for (const synonym of listSynonyms(lastStem)) {
    // "ad cost" is the column cost of ad_spend, not another name of the table.
    if (columnStems.has(synonym)) continue
    names.add(
      [...expandedStems.slice(0, -1), synonym].join(' '),
      target,
      expandedStems.length > 1 ? TABLE_SCORES.synonymInLongName : TABLE_SCORES.synonymOfName,
    )
    if (expandedStems.length > 1) names.add(synonym, target, TABLE_SCORES.synonymOfLastWord)
  }
  addCommentNames(names, table.comment, target)
  addPart(candidatesByPart, lastStem, { target, matchScore: TABLE_SCORES.partInSimilarName })
  if (nameParts.length === 1 && nameParts[0] !== undefined)
    addPart(candidatesByPart, nameParts[0], { target, matchScore: TABLE_SCORES.partInSimilarName })
}

/** `invoice_total_amt` is found by its whole name, without the table, without generic parts and by synonyms. */
function addColumnNames(
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

/** `supervisor_id`, `parent_org_id`: a self-reference has no other name in the schema. */
function addReferenceNames(names: NameIndex, { foreignKeys, tables }: Model): void {
  const foreignKeyColumns = new Set(foreignKeys.flatMap(({ fromColumns }) => fromColumns))
  for (const table of tables) {
    for (const column of table.columns) {
      const parts = expandNameParts(splitName(column.name)).filter((part) => !isGenericPart(part))
      const isUndeclaredReference =
        column.isIdentifier && !foreignKeyColumns.has(column) && !table.primaryKey.includes(column.name)
      if (!isUndeclaredReference || parts.length === 0) continue
      names.add(toStems(parts).join(' '), { kind: 'column', table, column }, COLUMN_SCORES.undeclaredReference)
      if (column.name.endsWith('_by'))
        names.add(
          toStems(splitName(column.name)).join(' '),
          { kind: 'column', table, column },
          COLUMN_SCORES.withPeriodOrDateWord,
        )
    }
  }
  for (const {
    from: table,
    to,
    fromColumns: [column],
  } of foreignKeys) {
    if (table !== to || !column?.isNullable) continue
    const tableStems = new Set(toStems(expandNameParts(splitName(table.name))))
    const [onlyPart, secondPart] = expandNameParts(splitName(column.name)).filter(
      (part) => !isGenericPart(part) && !tableStems.has(stemWord(part)),
    )
    if (onlyPart !== undefined && secondPart === undefined)
      names.add(stemWord(onlyPart), { kind: 'column', table, column }, COLUMN_SCORES.selfReference)
  }
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
function addCommentNames(names: NameIndex, comment: string | null, target: SchemaTarget): void {
  if (comment === null || (target.kind === 'column' && parseCodesFromComment(target.column).length > 0)) return
  const words = comment
    .split(/[.;:(]/)[0]
    ?.split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const contentWords = (words ?? []).filter((word) => !COMMENT_STOP_WORDS.has(word.toLowerCase())).slice(0, 6)
  for (const [wordIndex, word] of contentWords.entries()) {
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
  const [first, second] = contentWords
  if (first !== undefined && second !== undefined)
    names.add(`${stemWord(first)} ${stemWord(second)}`, target, COMMENT_SCORES.firstTwoWords)
}

/** With the comment "P = passed", the value `P` is found as "passed". */
function addCodeMeanings(values: NameIndex, column: Column): void {
  for (const { value, meaning } of parseCodesFromComment(column)) {
    const target: SchemaTarget = { kind: 'value', table: column.table, column, value }
    const words = meaning.toLowerCase().split(/[\s_]+/)
    values.add(words.join(' '), target, VALUE_SCORES.exact)
    values.add(words.map((word) => stemWord(word)).join(' '), target, VALUE_SCORES.sameStem)
  }
}

/** Sample values of a text column, as written, by their stems and translated from German. */
function addColumnValues(values: NameIndex, column: Column): void {
  if (column.kind !== 'text') return
  addCodeMeanings(values, column)
  const isGerman = splitName(column.name).some((part) => translateGerman(part) !== undefined)
  for (const value of column.values) {
    if (value.length > MAX_VALUE_LENGTH) continue
    const words = value.toLowerCase().split(/[\s_/]+/)
    if (words.length > MAX_VALUE_WORDS) continue
    const target: SchemaTarget = { kind: 'value', table: column.table, column, value }
    const lowerCaseValue = words.join(' ')
    values.add(lowerCaseValue, target, VALUE_SCORES.exact)
    const stems = words.map((word) => stemWord(word)).join(' ')
    if (lowerCaseValue.length > 3) values.add(stems, target, VALUE_SCORES.sameStem)
    if (/[\s_/.-]/.test(value)) values.add(joinWordsToStem(lowerCaseValue), target, VALUE_SCORES.joined)
    const english =
      words.length === 1
        ? (translateGerman(lowerCaseValue) ?? (isGerman ? translateGermanValue(lowerCaseValue) : undefined))
        : undefined
    if (english !== undefined) values.add(stemWord(english), target, VALUE_SCORES.translated)
  }
}

/** `no_show`, "no-show" and "noshow" are one word. */
export const joinWordsToStem = (text: string): string => stemWord(text.replaceAll(/[\s_/.-]+/g, ''))

const LINE_VALUE_WORDS = [
  'revenue',
  'sale',
  'turnover',
  'income',
  'spend',
  'spending',
  'order value',
  'value',
  'earning',
  'worth',
  'gmv',
  'sales volume',
  'sales revenue',
]

/** "revenue" of order lines is quantity times price, when there is no column for it. */
function addLineValueNames(names: NameIndex, table: Table): void {
  for (const word of LINE_VALUE_WORDS) {
    const matchScore = ['spend', 'value', 'sale', 'spending'].includes(word)
      ? LINE_VALUE_SCORES.otherWord
      : LINE_VALUE_SCORES.revenueWord
    names.add(
      word
        .split(' ')
        .map((part) => stemWord(part))
        .join(' '),
      { kind: 'line_value', table },
      matchScore,
    )
  }
}

/** Synonyms of the business context: each word means what its term means. */
function addDefinedSynonyms({ names, values }: { names: NameIndex; values: NameIndex }, { synonyms }: Catalogue): void {
  for (const { term, words } of synonyms) {
    const key = toLookupKey(term)
    const qualifiedName = term.toLowerCase().replaceAll('"', '')
    const namedCandidates = names
      .entries()
      .flatMap(([, candidates]) => candidates.filter(({ target }) => isColumnWithName(target, qualifiedName)))
    for (const word of words) {
      for (const { target, matchScore } of [...names.get(key), ...namedCandidates])
        if (matchScore >= LIKELY_MATCH) names.add(toLookupKey(word), target, 1)
      for (const { target } of values.get(term.toLowerCase())) values.add(word.toLowerCase(), target, 1)
    }
  }
}

/** `orders.total` or `shop.orders.total`. */
function isColumnWithName(target: SchemaTarget, name: string): boolean {
  if (target.kind !== 'column') return false
  const { column, table } = target
  return [column.key, `${table.name}.${column.name}`].some((key) => key.toLowerCase() === name)
}

/** Stop words are removed, as they are from questions. */
export const toMetricKey = (name: string): string => {
  const words = tokenise(name)
  return words
    .filter(({ lower }) => words.length === 1 || !isArticle(lower))
    .map((word) => word.stem)
    .join(' ')
}

const toLookupKey = (text: string): string =>
  text
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => stemWord(word))
    .join(' ')

/** Tables and columns with a part that is similar to the word, likeliest first. */
function findSimilarCandidates(candidatesByPart: ReadonlyMap<string, readonly Candidate[]>, word: string): Candidate[] {
  if (word.length < MIN_SIMILAR_WORD_LENGTH) return []
  const similarCandidates: Candidate[] = []
  const isNamePart = candidatesByPart.has(word)
  for (const [part, candidates] of candidatesByPart) {
    // A word that is part of a name is not a typing error of another.
    if (isNamePart && part !== word) continue
    const similarity = scoreSimilarity(word, part)
    if (similarity > 0) {
      similarCandidates.push(
        ...candidates.map(({ target, matchScore }) => ({ target, matchScore: matchScore * similarity })),
      )
    }
  }
  for (const noun of listNounsOfVerb(word)) {
    const tables = (candidatesByPart.get(noun) ?? []).filter(({ target }) => target.kind === 'table')
    similarCandidates.push(...tables.map(({ target }) => ({ target, matchScore: NOUN_OF_VERB_SCORE })))
  }
  return similarCandidates.toSorted((a, b) => b.matchScore - a.matchScore).slice(0, MAX_SIMILAR_CANDIDATES)
}
