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
import { scoreSimilarity } from './near-words.ts'
import { type Column, type Model, type Table, findLineValueColumns, isDate, isMeasure } from './model.ts'

export type { Candidate, SchemaTarget as Target } from './name-index.ts'

export interface Lexicon {
  findNames(key: string): readonly Candidate[]
  findValues(key: string): readonly Candidate[]
  /** Inexact matches: abbreviations, other word forms, typing errors. */
  findSimilarNames(word: string): readonly Candidate[]
}

const MAX_VALUE_WORDS = 6
const METRIC_SCORE = 2
const MAX_VALUE_LENGTH = 80

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

function addPart(candidatesByPart: Map<string, Candidate[]>, part: string, candidate: Candidate): void {
  candidatesByPart.set(part, [...(candidatesByPart.get(part) ?? []), candidate])
}

const RECORD_STEMS = new Set(toStems('records entries rows list register log logs data master details'.split(' ')))

function addTableNames(
  names: NameIndex,
  candidatesByPart: Map<string, Candidate[]>,
  target: SchemaTarget & { kind: 'table' },
): void {
  const { table } = target
  const nameParts = splitName(table.name)
  const nameStems = toStems(nameParts)
  const expandedStems = toStems(expandNameParts(nameParts))
  names.add(nameStems.join(' '), target, 1)
  names.add(expandedStems.join(' '), target, 0.97)
  for (const label of table.labels) names.add(toStems(splitName(label)).join(' '), target, 0.6)
  const lastStem = expandedStems.at(-1) ?? ''
  if (expandedStems.length > 1 && RECORD_STEMS.has(lastStem))
    names.add(expandedStems.slice(0, -1).join(' '), target, 0.88)
  if (expandedStems.length > 1) {
    names.add(lastStem, target, 0.78)
    names.add(expandedStems[0] ?? '', target, 0.55)
  }
  const columnStems = new Set(
    table.columns.filter((column) => !isDate(column)).flatMap((column) => toStems(splitName(column.name))),
  )
  for (const synonym of listSynonyms(lastStem)) {
    // "ad cost" is the column cost of ad_spend, not another name of the table.
    if (columnStems.has(synonym)) continue
    names.add([...expandedStems.slice(0, -1), synonym].join(' '), target, expandedStems.length > 1 ? 0.8 : 0.74)
    if (expandedStems.length > 1) names.add(synonym, target, 0.5)
  }
  addCommentNames(names, table.comment, target)
  addPart(candidatesByPart, lastStem, { target, matchScore: 0.75 })
  if (nameParts.length === 1 && nameParts[0] !== undefined)
    addPart(candidatesByPart, nameParts[0], { target, matchScore: 0.75 })
}

function addColumnNames(
  names: NameIndex,
  candidatesByPart: Map<string, Candidate[]>,
  target: SchemaTarget & { kind: 'column' },
): void {
  const { column } = target
  const nameParts = splitName(column.name)
  const expandedParts = expandNameParts(nameParts)
  const identifierPenalty = column.isIdentifier ? 0.3 : 0
  names.add(toStems(nameParts).join(' '), target, 1 - identifierPenalty)
  names.add(toStems(expandedParts).join(' '), target, 0.97 - identifierPenalty)
  if (column.isIdentifier) return
  addGermanName(names, target, nameParts)
  const withoutTable = omitTablePrefix(target, nameParts, expandedParts)
  const partsWithoutKind = withoutTable.filter((part) => !isGenericPart(part))
  const isTimeUnitOnly = withoutTable.every((part) => TIME_UNITS.has(part))
  if (withoutTable.length < expandedParts.length) {
    names.add(toStems(withoutTable).join(' '), target, isTimeUnitOnly ? 0.7 : 0.93)
  }
  addTimeNames(names, target, expandedParts)
  if (partsWithoutKind.length > 0 && partsWithoutKind.length < withoutTable.length)
    names.add(toStems(partsWithoutKind).join(' '), target, 0.85)
  addNamesWithoutUnit(names, target, { nameParts, withoutTable })
  const meaningParts = partsWithoutKind.length > 0 ? partsWithoutKind : withoutTable
  addNamesOfMeaning(names, target, meaningParts)
  addNamesOfParts(names, target, withoutTable)
  addRevenueNames(names, target, withoutTable)
  addCommentNames(names, column.comment, target)
  for (const part of meaningParts) addPart(candidatesByPart, stemWord(part), { target, matchScore: 0.62 })
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
    names.add(toStems([adverb, ...partsAfterUnit]).join(' '), target, 0.95)
  const lastPart = withoutTable.at(-1) ?? ''
  const endsWithUnit = withoutTable.length > 2 && (isUnitPart(lastPart) || LONG_UNITS.has(lastPart))
  if (endsWithUnit) names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, 0.92)
  const isPerPeriod =
    isMeasure(target.column) &&
    nameParts.length === withoutTable.length &&
    (lastPart.length === 1 || PERIOD_ADVERBS[lastPart] !== undefined)
  if (!isPerPeriod || nameParts.length === 1) return
  names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, 0.9)
  names.add(toStems(nameParts.slice(0, -1)).join(' '), target, 0.9)
}

function addRevenueNames(
  names: NameIndex,
  target: SchemaTarget & { kind: 'column' },
  withoutTable: readonly string[],
): void {
  if (!isGenericAmount(target.column, withoutTable)) return
  for (const word of REVENUE_WORDS) names.add(stemWord(word), target, 0.6)
  // The total of an order is as likely as that of its lines.
  if (withoutTable.length > 1) names.add(stemWord(withoutTable.at(-1) ?? ''), target, 0.9)
  if (withoutTable[0] === 'total') names.add(stemWord('total'), target, 0.88)
}

/** `supervisor_id`, `parent_org_id`: a self-reference has no other name in the schema. */
function addReferenceNames(names: NameIndex, { foreignKeys, tables }: Model): void {
  const linkedColumns = new Set(foreignKeys.flatMap(({ fromColumns }) => fromColumns))
  for (const table of tables) {
    for (const column of table.columns) {
      const parts = expandNameParts(splitName(column.name)).filter((part) => !isGenericPart(part))
      const isUndeclaredReference =
        column.isIdentifier && !linkedColumns.has(column) && !table.primaryKey.includes(column.name)
      if (!isUndeclaredReference || parts.length === 0) continue
      names.add(toStems(parts).join(' '), { kind: 'column', table, column }, 0.82)
      if (column.name.endsWith('_by'))
        names.add(toStems(splitName(column.name)).join(' '), { kind: 'column', table, column }, 0.95)
    }
  }
  for (const {
    from: table,
    to,
    fromColumns: [column],
  } of foreignKeys) {
    if (table !== to || !column?.isNullable) continue
    const ownStems = new Set(toStems(expandNameParts(splitName(table.name))))
    const [onlyPart, secondPart] = expandNameParts(splitName(column.name)).filter(
      (part) => !isGenericPart(part) && !ownStems.has(stemWord(part)),
    )
    if (onlyPart !== undefined && secondPart === undefined)
      names.add(stemWord(onlyPart), { kind: 'column', table, column }, 0.8)
  }
}

const REVENUE_WORDS = ['revenue', 'sales', 'turnover', 'income', 'earnings']
const AMOUNT_PARTS = new Set(['amount', 'total', 'sum', 'value', 'gross', 'net', 'line', 'usd', 'eur'])

/** A generic amount is revenue if no column is called so. */
const isGenericAmount = (column: Column, parts: readonly string[]): boolean =>
  column.kind === 'number' && !column.isNumericText && parts.every((part) => AMOUNT_PARTS.has(part))

function addGermanName(names: NameIndex, target: SchemaTarget, nameParts: readonly string[]): void {
  const partsWithoutKind = nameParts.filter((part) => !isGenericPart(part))
  const isGerman = partsWithoutKind.some((part) => translateGerman(part) !== undefined)
  if (isGerman && partsWithoutKind.length < nameParts.length)
    names.add(toStems(partsWithoutKind).join(' '), target, 0.85)
}

/** "minutes" means duration_min, "hours" means HoursWorked. */
function addNamesOfParts(names: NameIndex, target: SchemaTarget & { kind: 'column' }, parts: readonly string[]): void {
  const [firstPart = '', ...otherParts] = parts
  if (otherParts.length > 0 && isUnitPart(firstPart) && isMeasure(target.column))
    names.add(stemWord(firstPart), target, 0.7)
  for (const part of otherParts) names.add(stemWord(part), target, isGenericPart(part) ? 0.45 : 0.66)
}

function addTimeNames(names: NameIndex, target: SchemaTarget & { kind: 'column' }, parts: readonly string[]): void {
  const meaningParts = parts.filter((part) => !isGenericPart(part))
  if (!TIME_UNITS.has(parts.at(-1) ?? '') || meaningParts.length === 0 || !isMeasure(target.column)) return
  names.add([...toStems(meaningParts), stemWord('time')].join(' '), target, 0.92)
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
  if (isTime) for (const word of ['date', 'day', 'time']) names.add([...stems, stemWord(word)].join(' '), target, 0.95)
  if (hasSeveralWords) names.add(lastStem, target, isFlag ? 0.9 : 0.74)
  // `grade_level`, `subject_area`: "grade" and "subject" are enough.
  if (hasSeveralWords && CLASSIFYING_STEMS.has(lastStem)) names.add(stems.slice(0, -1).join(' '), target, 0.8)
  if (hasSeveralWords && (isFlag || isTime)) names.add(stems[0] ?? '', target, 0.6)
  for (const synonym of listSynonyms(lastStem)) {
    names.add([...stems.slice(0, -1), synonym].join(' '), target, hasSeveralWords ? 0.76 : 0.72)
    if (hasSeveralWords) names.add(synonym, target, 0.6)
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
    const matchScore = wordIndex === 0 && words?.[0] === word ? 0.82 : 0.42
    names.add(
      stemWord(word),
      target,
      target.kind === 'column' && /of/i.test(words?.[1] ?? '') ? Math.max(matchScore, 0.7) : matchScore,
    )
  }
  const [first, second] = contentWords
  if (first !== undefined && second !== undefined) names.add(`${stemWord(first)} ${stemWord(second)}`, target, 0.7)
}

function addCodeMeanings(values: NameIndex, column: Column): void {
  for (const { value, meaning } of parseCodesFromComment(column)) {
    const target: SchemaTarget = { kind: 'value', table: column.table, column, value }
    const words = meaning.toLowerCase().split(/[\s_]+/)
    values.add(words.join(' '), target, 1)
    values.add(words.map((word) => stemWord(word)).join(' '), target, 0.92)
  }
}

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
    values.add(lowerCaseValue, target, 1)
    const stems = words.map((word) => stemWord(word)).join(' ')
    if (lowerCaseValue.length > 3) values.add(stems, target, 0.92)
    if (/[\s_/.-]/.test(value)) values.add(joinWordsToStem(lowerCaseValue), target, 0.9)
    const english =
      words.length === 1
        ? (translateGerman(lowerCaseValue) ?? (isGerman ? translateGermanValue(lowerCaseValue) : undefined))
        : undefined
    if (english !== undefined) values.add(stemWord(english), target, 0.88)
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

function addLineValueNames(names: NameIndex, table: Table): void {
  for (const word of LINE_VALUE_WORDS) {
    const matchScore = ['spend', 'value', 'sale', 'spending'].includes(word) ? 0.7 : 0.86
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

function addDefinedSynonyms({ names, values }: { names: NameIndex; values: NameIndex }, { synonyms }: Catalogue): void {
  for (const { term, words } of synonyms) {
    const key = toLookupKey(term)
    const qualifiedName = term.toLowerCase().replaceAll('"', '')
    const namedCandidates = names
      .entries()
      .flatMap(([, list]) => list.filter(({ target }) => isColumnWithName(target, qualifiedName)))
    for (const word of words) {
      for (const { target, matchScore } of [...names.get(key), ...namedCandidates])
        if (matchScore >= 0.7) names.add(toLookupKey(word), target, 1)
      for (const { target } of values.get(term.toLowerCase())) values.add(word.toLowerCase(), target, 1)
    }
  }
}

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

function findSimilarCandidates(candidatesByPart: ReadonlyMap<string, readonly Candidate[]>, word: string): Candidate[] {
  if (word.length < 4) return []
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
    similarCandidates.push(...tables.map(({ target }) => ({ target, matchScore: 0.7 })))
  }
  return similarCandidates.toSorted((a, b) => b.matchScore - a.matchScore).slice(0, 6)
}
