import { isArticle } from '../read/stop-words.ts'
import { translateGerman, translateGermanValue } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { listNounsOfVerb, listSynonyms } from '../words/synonyms.ts'
import { tokenise } from '../words/tokens.ts'
import type { Catalogue } from './catalogue.ts'
import { parseCodesFromComment } from './codes.ts'
import type { Metric } from './metrics.ts'
import { expandNameParts, isGenericPart, splitName, toStems } from './names.ts'
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
  LINE_VALUE_SCORES,
  METRIC_SCORE,
  NOUN_OF_VERB_SCORE,
  TABLE_SCORES,
  VALUE_SCORES,
} from './name-scores.ts'
import { LIKELY_MATCH } from './match-scores.ts'
import { scoreSimilarity } from './near-words.ts'
import { type Column, type Model, type Table, findLineValueColumns, isDate } from './model.ts'
import { addPart, addColumnNames, addCommentNames } from './column-names.ts'

export type { Candidate, SchemaTarget } from './name-index.ts'

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

/** `supervisor_id`, `parent_org_id`: a self-reference has no other name in the schema. */
function addReferenceNames(names: NameIndex, { foreignKeys, tables }: Model): void {
  const foreignKeyColumns = new Set(foreignKeys.flatMap(({ fromColumns }) => fromColumns))
  for (const table of tables) {
    for (const column of table.columns) {
      const nameParts = expandNameParts(splitName(column.name)).filter((part) => !isGenericPart(part))
      const isUndeclaredReference =
        column.isIdentifier && !foreignKeyColumns.has(column) && !table.primaryKey.includes(column.name)
      if (!isUndeclaredReference || nameParts.length === 0) continue
      names.add(toStems(nameParts).join(' '), { kind: 'column', table, column }, COLUMN_SCORES.undeclaredReference)
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
    const termKey = toLookupKey(term)
    const qualifiedName = term.toLowerCase().replaceAll('"', '')
    const namedCandidates = names
      .entries()
      .flatMap(([, candidates]) => candidates.filter(({ target }) => isColumnWithName(target, qualifiedName)))
    for (const word of words) {
      for (const { target, matchScore } of [...names.get(termKey), ...namedCandidates])
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
