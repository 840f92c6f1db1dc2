import { isArticle } from '../read/stop-words.ts'
import { translateGerman, translateGermanValue } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { listNounsOfVerb, listSynonyms } from '../words/synonyms.ts'
import { tokenise } from '../words/tokens.ts'
import type { Catalogue } from './catalogue.ts'
import { readCodes } from './codes.ts'
import type { Metric } from './metrics.ts'
import { expandParts, isKindPart, isUnitPart, splitName, toStems } from './names.ts'
import { type Candidate, type Index, type Target, createIndex, isCopyOfAnother, lowerWeights } from './name-index.ts'
import { scoreSimilarity } from './near-words.ts'
import { type Column, type Model, type Table, findLineValue, isDate, isMeasure } from './model.ts'

export type { Candidate, Target } from './name-index.ts'

export interface Lexicon {
  find(key: string): readonly Candidate[]
  findValue(key: string): readonly Candidate[]
  /** Inexact matches: abbreviations, other word forms, typing errors. */
  findNear(word: string): readonly Candidate[]
}

const MAX_VALUE_WORDS = 6
const METRIC_WEIGHT = 2
const MAX_VALUE_LENGTH = 80

export function buildLexicon(model: Model, catalogue: Catalogue, metrics: readonly Metric[]): Lexicon {
  const names = createIndex()
  const values = createIndex()
  const parts = new Map<string, Candidate[]>()
  for (const table of model.tables) {
    const target: Target = { kind: 'table', table }
    addTable(names, parts, target)
    const isCopy = isCopyOfAnother(table, model)
    for (const column of table.columns) {
      const target: Target = { kind: 'column', table, column }
      addColumn(isCopy ? lowerWeights(names) : names, parts, target)
      addValues(isCopy ? lowerWeights(values) : values, column)
    }
    if (findLineValue(table)) addLineValue(names, table)
  }
  addReferences(names, model)
  for (const metric of metrics) {
    names.add(toMetricKey(metric.name), { kind: 'metric', table: metric.base, metric }, METRIC_WEIGHT)
  }
  addSynonyms({ names, values }, catalogue)
  return {
    find: (key) => names.get(key),
    findValue: (key) => values.get(key),
    findNear: (word) => findNear(parts, word),
  }
}

function addPart(parts: Map<string, Candidate[]>, part: string, candidate: Candidate): void {
  parts.set(part, [...(parts.get(part) ?? []), candidate])
}

const RECORDS = new Set(toStems('records entries rows list register log logs data master details'.split(' ')))

function addTable(names: Index, parts: Map<string, Candidate[]>, target: Target & { kind: 'table' }): void {
  const { table } = target
  const own = splitName(table.name)
  const full = toStems(own)
  const expandedStems = toStems(expandParts(own))
  names.add(full.join(' '), target, 1)
  names.add(expandedStems.join(' '), target, 0.97)
  for (const label of table.labels) names.add(toStems(splitName(label)).join(' '), target, 0.6)
  const head = expandedStems.at(-1) ?? ''
  if (expandedStems.length > 1 && RECORDS.has(head)) names.add(expandedStems.slice(0, -1).join(' '), target, 0.88)
  if (expandedStems.length > 1) {
    names.add(head, target, 0.78)
    names.add(expandedStems[0] ?? '', target, 0.55)
  }
  const ownColumns = new Set(
    table.columns.filter((column) => !isDate(column)).flatMap((column) => toStems(splitName(column.name))),
  )
  for (const other of listSynonyms(head)) {
    // "ad cost" is the column cost of ad_spend, not another name of the table.
    if (ownColumns.has(other)) continue
    names.add([...expandedStems.slice(0, -1), other].join(' '), target, expandedStems.length > 1 ? 0.8 : 0.74)
    if (expandedStems.length > 1) names.add(other, target, 0.5)
  }
  addComment(names, table.comment, target)
  addPart(parts, head, { target, weight: 0.75 })
  if (own.length === 1 && own[0] !== undefined) addPart(parts, own[0], { target, weight: 0.75 })
}

function addColumn(names: Index, parts: Map<string, Candidate[]>, target: Target & { kind: 'column' }): void {
  const { column } = target
  const own = splitName(column.name)
  const expanded = expandParts(own)
  const isWeak = column.isIdentifier ? 0.3 : 0
  names.add(toStems(own).join(' '), target, 1 - isWeak)
  names.add(toStems(expanded).join(' '), target, 0.97 - isWeak)
  if (column.isIdentifier) return
  addWritten(names, target, own)
  const withoutTable = dropTablePart(target, own, expanded)
  const bare = withoutTable.filter((part) => !isKindPart(part))
  const isOnlyUnit = withoutTable.every((part) => TIME_UNITS.has(part))
  if (withoutTable.length < expanded.length) {
    names.add(toStems(withoutTable).join(' '), target, isOnlyUnit ? 0.7 : 0.93)
  }
  addTimeWords(names, target, expanded)
  if (bare.length > 0 && bare.length < withoutTable.length) names.add(toStems(bare).join(' '), target, 0.85)
  addWithoutUnit(names, target, { own, withoutTable })
  const meaning = bare.length > 0 ? bare : withoutTable
  addMeaning(names, target, meaning)
  addUnitWords(names, target, withoutTable)
  addMoney(names, target, withoutTable)
  addComment(names, column.comment, target)
  for (const part of meaning) addPart(parts, stemWord(part), { target, weight: 0.62 })
}

/** `rent_month`, `weight_g`: people rarely say the unit, or say it as in "monthly rent". */
function addWithoutUnit(
  names: Index,
  target: Target & { kind: 'column' },
  { own, withoutTable }: { own: readonly string[]; withoutTable: readonly string[] },
): void {
  const [unit = '', ...named] = withoutTable
  const adverb = PERIODS[unit]
  if (adverb !== undefined && named.length > 0) names.add(toStems([adverb, ...named]).join(' '), target, 0.95)
  const last = withoutTable.at(-1) ?? ''
  const isInUnits = withoutTable.length > 2 && (isUnitPart(last) || LONG_UNITS.has(last))
  if (isInUnits) names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, 0.92)
  const isBy =
    isMeasure(target.column) && own.length === withoutTable.length && (last.length === 1 || PERIODS[last] !== undefined)
  if (!isBy || own.length === 1) return
  names.add(toStems(withoutTable.slice(0, -1)).join(' '), target, 0.9)
  names.add(toStems(own.slice(0, -1)).join(' '), target, 0.9)
}

function addMoney(names: Index, target: Target & { kind: 'column' }, withoutTable: readonly string[]): void {
  if (!isMoney(target.column, withoutTable)) return
  for (const word of REVENUE) names.add(stemWord(word), target, 0.6)
  // The total of an order is as likely as that of its lines.
  if (withoutTable.length > 1) names.add(stemWord(withoutTable.at(-1) ?? ''), target, 0.9)
  if (withoutTable[0] === 'total') names.add(stemWord('total'), target, 0.88)
}

/** `supervisor_id`, `parent_org_id`: a self-reference has no other name in the schema. */
function addReferences(names: Index, { links, tables }: Model): void {
  const linkedColumns = new Set(links.flatMap(({ fromColumns }) => fromColumns))
  for (const table of tables) {
    for (const column of table.columns) {
      const parts = expandParts(splitName(column.name)).filter((part) => !isKindPart(part))
      const isLoose = column.isIdentifier && !linkedColumns.has(column) && !table.primaryKey.includes(column.name)
      if (!isLoose || parts.length === 0) continue
      names.add(toStems(parts).join(' '), { kind: 'column', table, column }, 0.82)
      if (column.name.endsWith('_by'))
        names.add(toStems(splitName(column.name)).join(' '), { kind: 'column', table, column }, 0.95)
    }
  }
  for (const {
    from: table,
    to,
    fromColumns: [column],
  } of links) {
    if (table !== to || !column?.isNullable) continue
    const ownStems = new Set(toStems(expandParts(splitName(table.name))))
    const [only, second] = expandParts(splitName(column.name)).filter(
      (part) => !isKindPart(part) && !ownStems.has(stemWord(part)),
    )
    if (only !== undefined && second === undefined) names.add(stemWord(only), { kind: 'column', table, column }, 0.8)
  }
}

const REVENUE = ['revenue', 'sales', 'turnover', 'income', 'earnings']
const AMOUNT_PARTS = new Set(['amount', 'total', 'sum', 'value', 'gross', 'net', 'line', 'usd', 'eur'])

/** A generic amount is revenue if no column is called so. */
const isMoney = (column: Column, parts: readonly string[]): boolean =>
  column.kind === 'number' && !column.isNumericText && parts.every((part) => AMOUNT_PARTS.has(part))

function addWritten(names: Index, target: Target, own: readonly string[]): void {
  const written = own.filter((part) => !isKindPart(part))
  const isGerman = written.some((part) => translateGerman(part) !== undefined)
  if (isGerman && written.length < own.length) names.add(toStems(written).join(' '), target, 0.85)
}

/** "minutes" means duration_min, "hours" means HoursWorked. */
function addUnitWords(names: Index, target: Target & { kind: 'column' }, parts: readonly string[]): void {
  const [unit = '', ...rest] = parts
  if (rest.length > 0 && isUnitPart(unit) && isMeasure(target.column)) names.add(stemWord(unit), target, 0.7)
  for (const part of rest) names.add(stemWord(part), target, isKindPart(part) ? 0.45 : 0.66)
}

function addTimeWords(names: Index, target: Target & { kind: 'column' }, parts: readonly string[]): void {
  const meaning = parts.filter((part) => !isKindPart(part))
  if (!TIME_UNITS.has(parts.at(-1) ?? '') || meaning.length === 0 || !isMeasure(target.column)) return
  names.add([...toStems(meaning), stemWord('time')].join(' '), target, 0.92)
}

const PERIODS: Readonly<Record<string, string>> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
}
const LONG_UNITS = new Set(['days', 'weeks', 'months', 'years'])
const TIME_UNITS = new Set(['seconds', 'minutes', 'hours'])

/** `appt_status` of appointments is their status. */
function dropTablePart(
  { table }: Target & { kind: 'column' },
  own: readonly string[],
  expanded: readonly string[],
): readonly string[] {
  const [first = ''] = expanded
  if (expanded.length < 2) return expanded
  const name = splitName(table.name)
  const stems = new Set([...toStems(name), ...toStems(expandParts(name))])
  const prefixes = name.flatMap((part) => [part.slice(0, 3), part.slice(0, 4)])
  const isOwn = stems.has(stemWord(first)) || prefixes.includes(own[0] ?? '') || isSharedPrefix(table, own[0] ?? '')
  // `so_dt` of sales orders: one abbreviation may stand for two words.
  const dropped = expandParts(own.slice(0, 1)).length
  return isOwn ? expanded.slice(Math.min(dropped, expanded.length - 1)) : expanded
}

/** `att_no`, `att_dt`, `att_score`: a prefix of every column is not part of the name. */
function isSharedPrefix({ columns }: Table, prefix: string): boolean {
  const sharing = columns.filter(({ name }) => {
    const [first, second] = splitName(name)
    return first === prefix && second !== undefined
  })
  return columns.length > 2 && sharing.length === columns.length
}

const QUALIFIERS = new Set(toStems('type kind class category group area level status state label field'.split(' ')))

function addMeaning(names: Index, target: Target & { kind: 'column' }, meaning: readonly string[]): void {
  const isTime = target.column.kind === 'date' || target.column.kind === 'timestamp'
  const isFlag = target.column.kind === 'boolean'
  const stems = toStems(meaning)
  const head = stems.at(-1) ?? ''
  const isLong = stems.length > 1
  if (isTime) for (const word of ['date', 'day', 'time']) names.add([...stems, stemWord(word)].join(' '), target, 0.95)
  if (isLong) names.add(head, target, isFlag ? 0.9 : 0.74)
  // `grade_level`, `subject_area`: "grade" and "subject" are enough.
  if (isLong && QUALIFIERS.has(head)) names.add(stems.slice(0, -1).join(' '), target, 0.8)
  if (isLong && (isFlag || isTime)) names.add(stems[0] ?? '', target, 0.6)
  for (const other of listSynonyms(head)) {
    names.add([...stems.slice(0, -1), other].join(' '), target, isLong ? 0.76 : 0.72)
    if (isLong) names.add(other, target, 0.6)
  }
}

const COMMENT_STOP = new Set(
  'a an the of in for with and or to as by per one row each every all is are was were what which who that this it its from on at be been two letters iso same words where'.split(
    ' ',
  ),
)

/** Only the first words of a comment name the column. */
function addComment(names: Index, comment: string | null, target: Target): void {
  if (comment === null || (target.kind === 'column' && readCodes(target.column).length > 0)) return
  const words = comment
    .split(/[.;:(]/)[0]
    ?.split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const content = (words ?? []).filter((word) => !COMMENT_STOP.has(word.toLowerCase())).slice(0, 6)
  for (const [at, word] of content.entries()) {
    if (at > 0 && isKindPart(word.toLowerCase())) continue
    const weight = at === 0 && words?.[0] === word ? 0.82 : 0.42
    names.add(
      stemWord(word),
      target,
      target.kind === 'column' && /of/i.test(words?.[1] ?? '') ? Math.max(weight, 0.7) : weight,
    )
  }
  const [first, second] = content
  if (first !== undefined && second !== undefined) names.add(`${stemWord(first)} ${stemWord(second)}`, target, 0.7)
}

function addCodes(values: Index, column: Column): void {
  for (const { value, meaning } of readCodes(column)) {
    const target: Target = { kind: 'value', table: column.table, column, value }
    const words = meaning.toLowerCase().split(/[\s_]+/)
    values.add(words.join(' '), target, 1)
    values.add(words.map((word) => stemWord(word)).join(' '), target, 0.92)
  }
}

function addValues(values: Index, column: Column): void {
  if (column.kind !== 'text') return
  addCodes(values, column)
  const isGerman = splitName(column.name).some((part) => translateGerman(part) !== undefined)
  for (const value of column.values) {
    if (value.length > MAX_VALUE_LENGTH) continue
    const words = value.toLowerCase().split(/[\s_/]+/)
    if (words.length > MAX_VALUE_WORDS) continue
    const target: Target = { kind: 'value', table: column.table, column, value }
    const exact = words.join(' ')
    values.add(exact, target, 1)
    const stems = words.map((word) => stemWord(word)).join(' ')
    if (exact.length > 3) values.add(stems, target, 0.92)
    if (/[\s_/.-]/.test(value)) values.add(toSquashed(exact), target, 0.9)
    const english =
      words.length === 1 ? (translateGerman(exact) ?? (isGerman ? translateGermanValue(exact) : undefined)) : undefined
    if (english !== undefined) values.add(stemWord(english), target, 0.88)
  }
}

/** `no_show`, "no-show" and "noshow" are one word. */
export const toSquashed = (text: string): string => stemWord(text.replaceAll(/[\s_/.-]+/g, ''))

const LINE_WORDS = [
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

function addLineValue(names: Index, table: Table): void {
  for (const word of LINE_WORDS) {
    const weight = ['spend', 'value', 'sale', 'spending'].includes(word) ? 0.7 : 0.86
    names.add(
      word
        .split(' ')
        .map((part) => stemWord(part))
        .join(' '),
      { kind: 'line_value', table },
      weight,
    )
  }
}

function addSynonyms({ names, values }: { names: Index; values: Index }, { synonyms }: Catalogue): void {
  for (const { term, words } of synonyms) {
    const key = toKey(term)
    const dotted = term.toLowerCase().replaceAll('"', '')
    const namedCandidates = names.entries().flatMap(([, list]) => list.filter(({ target }) => isNamed(target, dotted)))
    for (const word of words) {
      for (const { target, weight } of [...names.get(key), ...namedCandidates])
        if (weight >= 0.7) names.add(toKey(word), target, 1)
      for (const { target } of values.get(term.toLowerCase())) values.add(word.toLowerCase(), target, 1)
    }
  }
}

function isNamed(target: Target, name: string): boolean {
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

const toKey = (text: string): string =>
  text
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => stemWord(word))
    .join(' ')

function findNear(parts: ReadonlyMap<string, readonly Candidate[]>, word: string): Candidate[] {
  if (word.length < 4) return []
  const found: Candidate[] = []
  const isKnown = parts.has(word)
  for (const [part, candidates] of parts) {
    // A word that is part of a name is not a typing error of another.
    if (isKnown && part !== word) continue
    const closeness = scoreSimilarity(word, part)
    if (closeness > 0) {
      found.push(...candidates.map(({ target, weight }) => ({ target, weight: weight * closeness })))
    }
  }
  for (const noun of listNounsOfVerb(word)) {
    const tables = (parts.get(noun) ?? []).filter(({ target }) => target.kind === 'table')
    found.push(...tables.map(({ target }) => ({ target, weight: 0.7 })))
  }
  return found.toSorted((a, b) => b.weight - a.weight).slice(0, 6)
}
