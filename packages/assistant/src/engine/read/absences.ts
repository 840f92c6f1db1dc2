import type { Filter } from '../plan/plan.ts'
import { findPath } from '../schema/join-paths.ts'
import { type Column, type Table, isDate, isMeasure, listDateColumns } from '../schema/model.ts'
import { stemWord } from '../words/stem.ts'
import type { Mention } from './link.ts'
import type { Negation } from './phrases.ts'
import { type Question, getColumn, getTable, isDateMention, isNear } from './question.ts'
import { isArticle } from './stop-words.ts'

export interface Absences {
  readonly used: ReadonlySet<Mention>
  readonly words: ReadonlySet<number>
  /** "no order in December": the time belongs to the absent rows. */
  readonly hasTime: boolean
  readonly base: Table | undefined
  /** Negations that became no filter: the answer would be the opposite of the question. */
  readonly unread: readonly Negation[]
  toFilters(base: Table): Filter[]
}

interface Absence {
  readonly mention: Mention
  readonly inner: readonly Mention[]
  readonly isTimed: boolean
}

/** "never ordered", "without a note", "not cancelled", "except furniture" */
export function readAbsences(question: Question): Absences {
  const { mentions, phrases } = question
  const usedMentions = new Set<Mention>()
  const absences: Absence[] = []
  const unread: Negation[] = []
  const words = new Set<number>()
  const subject = mentions.find(({ target }) => target.kind === 'table')
  for (const negation of phrases.negations) {
    const before = findMissing(question, negation)
    if (before) {
      usedMentions.add(before)
      absences.push({ mention: before, inner: [], isTimed: false })
      continue
    }
    const from = skipLightVerb(question, negation.end)
    const first = mentions.find(
      (candidate) =>
        candidate.start >= from &&
        !usedMentions.has(candidate) &&
        isNear(question, { from, to: candidate.start, most: 4 }),
    )
    if (first && from > negation.end) words.add(from - 1)
    const use = first ? undefined : findUse(question, negation, subject)
    if (use) {
      words.add(use.index)
      absences.push({ mention: use.mention, inner: [], isTimed: false })
      continue
    }
    const mention = first && findAbsent(question, { negation, first, subject, used: usedMentions })
    if (!first || !mention || isFilledNumber(mention)) {
      if (!isRepeated(question, negation, usedMentions)) unread.push(negation)
      continue
    }
    const absence = toAbsence(question, { negation, mention, subject })
    const others = listAlternatives(mentions, mention)
    absences.push(absence, ...others.map((other) => ({ mention: other, inner: [], isTimed: false })))
    for (const item of [first, mention, ...absence.inner, ...others]) usedMentions.add(item)
  }
  for (const { mention, index } of listUnknown(question, usedMentions)) {
    words.add(index)
    usedMentions.add(mention)
    absences.push({ mention, inner: [], isTimed: false })
  }
  return {
    used: usedMentions,
    words,
    unread,
    hasTime: absences.some(({ isTimed }) => isTimed),
    base: absences[0]?.mention.target.table,
    toFilters: (base) => mergeValues(absences.flatMap((absence) => toFilters(question, absence, base))),
  }
}

function findMissing(question: Question, { start, end }: Negation): Mention | undefined {
  const isLast = !question.mentions.some((mention) => mention.start >= end)
  if (question.tokens[start]?.lower !== 'missing' || !isLast) return undefined
  return findColumnBefore(question, start)
}

const findColumnBefore = (question: Question, at: number): Mention | undefined =>
  question.mentions.findLast(
    (mention) =>
      getColumn(mention)?.isNullable === true &&
      mention.end < at &&
      isNear(question, { from: mention.end, to: at, most: 3 }),
  )

const UNKNOWN = new Set(['unknown', 'empty', 'blank', 'null', 'undefined', 'unset'])

/** "where the amount is unknown", unless "unknown" is a stored value. */
function listUnknown(
  question: Question,
  usedMentions: ReadonlySet<Mention>,
): { readonly mention: Mention; readonly index: number }[] {
  const { tokens, mentions } = question
  return tokens.flatMap(({ lower, index }) => {
    if (!UNKNOWN.has(lower) || mentions.some(({ start, end }) => index >= start && index < end)) return []
    const next = mentions.find(
      (candidate) => candidate.start === index + 1 && getColumn(candidate)?.isNullable === true,
    )
    const mention = next ?? findColumnBefore(question, index)
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

function skipLightVerb({ tokens, mentions }: Question, from: number): number {
  const [verb, next] = tokens.slice(from, from + 2)
  const isNamed = mentions.some(({ start, end }) => from >= start && from < end)
  const hasObject = next !== undefined && (isArticle(next.lower) || next.lower === 'any')
  return verb && !isNamed && hasObject && LIGHT_VERBS.has(verb.stem) ? from + 1 : from
}

const USES = new Set(
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
function findUse(
  { tokens, model }: Question,
  { end, isAbsence }: Negation,
  subject: Mention | undefined,
): { readonly mention: Mention; readonly index: number } | undefined {
  const verb = tokens.slice(end, end + 2).find((token) => USES.has(token.stem))
  const [only, second] = model.links.filter(({ to }) => to === subject?.target.table)
  if (!isAbsence || !subject || !verb || !only || second) return undefined
  const target = { kind: 'table', table: only.from } as const
  const mention = {
    start: verb.index,
    end: verb.index + 1,
    words: verb.text,
    candidates: [],
    target,
    weight: 0.8,
    isAmbiguous: false,
  }
  return { mention, index: verb.index }
}

const isRepeated = (question: Question, { end }: Negation, usedMentions: ReadonlySet<Mention>): boolean =>
  [...usedMentions].some(({ start }) => start >= end && isNear(question, { from: end, to: start, most: 4 }))

interface NegatedPhrase {
  readonly negation: Negation
  readonly first: Mention
  readonly subject: Mention | undefined
  readonly used: ReadonlySet<Mention>
}

function findAbsent({ mentions }: Question, { negation, first, subject, used }: NegatedPhrase): Mention {
  // "not made by Bayer": the column only says which value is meant.
  const column = getColumn(first)
  const value = mentions.find(
    ({ target, start }) =>
      target.kind === 'value' && target.column === column && start >= first.end && start - first.end <= 2,
  )
  if (value) return value
  const table = mentions.find(
    (mention) =>
      mention.start >= negation.end &&
      !used.has(mention) &&
      getTable(mention) &&
      mention.target.table !== subject?.target.table,
  )
  const isRowValue = first.target.kind === 'value' && negation.isAbsence && table?.target.table === first.target.table
  return isRowValue && table && table.start - first.end <= 2 ? table : first
}

function toAbsence(
  { mentions, times }: Question,
  { negation, mention, subject }: { negation: Negation; mention: Mention; subject: Mention | undefined },
): Absence {
  const { table } = mention.target
  const isLater = times.some(({ start }) => start >= negation.end)
  // "not seen in the last 90 days": seen, but not then.
  if (isDateMention(mention) && isLater) return { mention, inner: [], isTimed: true }
  if (getTable(mention) === undefined || table === subject?.target.table) return { mention, inner: [], isTimed: false }
  const inner = mentions.filter(
    ({ target, start }) =>
      target.kind === 'value' && target.table === table && start >= negation.end && Math.abs(start - mention.end) <= 4,
  )
  const isTimed = isLater && listDateColumns(table).length > 0
  return { mention, inner, isTimed }
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

function toFilters({ model, times }: Question, { mention, inner, isTimed }: Absence, base: Table): Filter[] {
  const { target } = mention
  if (target.kind === 'value') return [{ kind: 'in', column: target.column, values: [target.value], isNegated: true }]
  if (target.kind === 'column') return toColumnFilters({ model, times }, { column: target.column, isTimed }, base)
  const [step, more] = findPath(model, base, target.table)?.steps ?? []
  const [key] = step?.link.fromColumns ?? []
  if (step?.isUp && !more && key && inner.length === 0) return [{ kind: 'null', column: key, isNull: true }]
  const filters = inner.flatMap(({ target: one }): Filter[] =>
    one.kind === 'value' ? [{ kind: 'in', column: one.column, values: [one.value], isNegated: false }] : [],
  )
  const [date] = listDateColumns(target.table)
  if (isTimed && date) filters.push({ kind: 'time', column: date, ranges: times.map(({ range }) => range) })
  return [{ kind: 'exists', table: target.table, filters, isNegated: true }]
}

function toColumnFilters(
  { model, times }: Pick<Question, 'model' | 'times'>,
  { column, isTimed }: { column: Column; isTimed: boolean },
  base: Table,
): Filter[] {
  const ranges = times.map(({ range }) => range)
  if (isOfManyRows(model, base, column)) {
    // "never borrowed": no row with a value here.
    const filters: Filter[] = isTimed ? [{ kind: 'time', column, ranges }] : []
    return [{ kind: 'exists', table: column.table, filters, isNegated: true }]
  }
  if (column.kind === 'boolean') return [{ kind: 'boolean', column, isTrue: false }]
  if (isTimed) return [{ kind: 'time', column, ranges, isNegated: true }]
  return [{ kind: 'null', column, isNull: true }]
}

function isOfManyRows(model: Question['model'], base: Table, column: Column): boolean {
  if (column.table === base || column.isNullable || !isDate(column)) return false
  const path = findPath(model, base, column.table)
  return path !== undefined && path.steps.every(({ isUp }) => !isUp)
}

const isFilledNumber = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && isMeasure(column) && !column.isNullable
}

/** Excluding two values of a column excludes both. */
function mergeValues(filters: readonly Filter[]): Filter[] {
  const mergedFilters: Filter[] = []
  for (const filter of filters) {
    const at = mergedFilters.findIndex(
      (candidate) =>
        candidate.kind === 'in' && filter.kind === 'in' && candidate.column === filter.column && candidate.isNegated,
    )
    const knownFilter = mergedFilters[at]
    if (knownFilter?.kind === 'in' && filter.kind === 'in')
      mergedFilters[at] = { ...knownFilter, values: [...knownFilter.values, ...filter.values] }
    else mergedFilters.push(filter)
  }
  return mergedFilters
}
