import type { Lexicon, Target } from '../schema/lexicon.ts'
import { type Column, type Model, type Table, isDate, isMeasure, isNumeric } from '../schema/model.ts'
import { type TimeMention, findTimes } from '../words/times.ts'
import { translateQuestion } from '../words/german.ts'
import { listOpposites } from '../words/opposites.ts'
import { stemWord } from '../words/stem.ts'
import { type Token, tokenise } from '../words/tokens.ts'
import { type Mention, findLongNames, linkWords } from './link.ts'
import { type Phrases, findPhrases } from './phrases.ts'
import { addRoles, applyRoles, findRoleWords } from './roles.ts'
import { isStopWord } from './stop-words.ts'

export interface Question {
  readonly tokens: readonly Token[]
  readonly mentions: readonly Mention[]
  readonly phrases: Phrases
  readonly times: readonly TimeMention[]
  readonly model: Model
  readonly now: Date
}

export function scanQuestion(
  text: string,
  { model, lexicon, now }: { model: Model; lexicon: Lexicon; now: Date },
): Question {
  const spelled = splitNegations(translateQuestion(expandContractions(text)), lexicon)
  const tokens = tokenise(replaceOpposites(spelled, lexicon))
  const times = findTimes(tokens, now)
  const taken = new Set(times.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const names = findLongNames({ tokens, model, lexicon, taken, reserved: new Set() })
  const named = new Set(names.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const phrases = findPhrases(tokens, new Set([...taken, ...named]))
  const numbers = new Set(phrases.comparisons.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const roleWords = findRoleWords({ tokens, model, lexicon }, new Set([...taken, ...numbers]))
  const roleIndexes = roleWords.map(({ index }) => index)
  const linkedMentions = linkWords({
    tokens,
    model,
    lexicon,
    taken: new Set([...taken, ...numbers, ...roleIndexes]),
    reserved: phrases.used,
  })
  const mentions = applyRoles(linkedMentions, { tokens, model }, roleWords)
  const used = new Set([...phrases.used, ...roleIndexes])
  return withMentions({ tokens, phrases: { ...phrases, used }, times, model, now }, mentions)
}

export const withMentions = (question: Omit<Question, 'mentions'>, mentions: readonly Mention[]): Question => ({
  ...question,
  mentions,
  model: addRoles(question.model, mentions),
})

const SIZES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, mio: 1e6, billion: 1e9 }
const SHORT_UNITS: Readonly<Record<string, string>> = { min: 'minutes', sec: 'seconds', hr: 'hours', h: 'hours' }

/** Normalises "havent", "10 min", "3 million". */
const expandContractions = (text: string): string =>
  text
    .replaceAll(/\be-?mail(?: address(?:es)?)?\b/gi, 'email')
    .replaceAll(/\b(do|does|did|is|are|was|were|have|has|had)nt\b/gi, "$1n't")
    .replaceAll(
      /\b(\d+) ?(min|sec|hr|h)s?\b/gi,
      (_, count: string, unit: string) => `${count} ${SHORT_UNITS[unit.toLowerCase()] ?? unit}`,
    )
    .replaceAll(/\b(\d+(?:\.\d+)?) (thousand|million|mio|billion)\b/gi, (_, count: string, size: string) =>
      String(Number(count) * (SIZES[size.toLowerCase()] ?? 1)),
    )

/** "unpaid" becomes "not paid" if a date or flag for it exists and no name or value is "unpaid". */
function splitNegations(text: string, lexicon: Lexicon): string {
  return text.replaceAll(
    /(?<![\p{L}\p{N}_@."“'])(?:un|in|non-)(\p{L}{4,})(?![\p{L}\p{N}_])/giu,
    (word, rest: string) => {
      if ([...lexicon.find(stemWord(word)), ...lexicon.findValue(word.toLowerCase())].length > 0) return word
      // German endings: "unbezahlten".
      const forms = [rest, rest.replace(/(?:e[nrsm]|n|e)$/i, ''), rest.replace(/[nrsm]$/i, '')]
      const form = forms.find((candidate) =>
        lexicon.find(stemWord(candidate)).some(({ target, weight }) => weight >= 0.7 && isDoneColumn(target)),
      )
      return form === undefined ? word : `not ${form}`
    },
  )
}

/** "open cases" becomes "not closed" if a date or flag for it exists and "open" is not a stored value. */
function replaceOpposites(text: string, lexicon: Lexicon): string {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  const namedTables = new Set(
    words.flatMap((word) =>
      lexicon
        .find(stemWord(word))
        .flatMap(({ target, weight }) => (target.kind === 'table' && weight >= 0.9 ? target.table : [])),
    ),
  )
  return text.replaceAll(/\p{L}+/gu, (word) => {
    const opposites = listOpposites(word)
    const isKnown = [...lexicon.findValue(word.toLowerCase()), ...lexicon.find(stemWord(word))].some(
      ({ target, weight }) => namedTables.has(target.table) && weight >= 0.7 && !isDateTarget(target),
    )
    if (opposites.length === 0 || isKnown) return word
    const said = opposites.filter((opposite) =>
      lexicon
        .find(stemWord(opposite))
        .some(({ target, weight }) => weight >= 0.7 && namedTables.has(target.table) && isDoneColumn(target)),
    )
    const [only] = said
    return only !== undefined && new Set(said.map((item) => stemWord(item))).size === 1 ? `not ${only}` : word
  })
}

const isDoneColumn = (target: Target): boolean =>
  target.kind === 'column' && (target.column.kind === 'boolean' || (isDate(target.column) && target.column.isNullable))

const isDateTarget = (target: Target): boolean => target.kind === 'column' && isDate(target.column)

function* listIndexes(start: number, end: number): Generator<number> {
  for (let at = start; at < end; at += 1) yield at
}

export const getColumn = ({ target }: Mention): Column | undefined =>
  target.kind === 'column' ? target.column : undefined
export const getTable = ({ target }: Mention): Table | undefined => (target.kind === 'table' ? target.table : undefined)
/** An amount without a column of its own. */
const isComputed = ({ target }: Mention): boolean => target.kind === 'line_value' || target.kind === 'metric'
export const isAmount = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return isComputed(mention) || (column !== undefined && isMeasure(column))
}
export const isNumber = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return isComputed(mention) || (column !== undefined && isNumeric(column) && !column.isIdentifier)
}
export const isDimension = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && !isMeasure(column) && column.kind !== 'boolean'
}
export const isDateMention = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && isDate(column)
}

export function isNear(
  { tokens, phrases }: Pick<Question, 'tokens' | 'phrases'>,
  { from, to, most }: { from: number; to: number; most: number },
): boolean {
  if (to < from || to - from > most) return false
  return tokens.slice(from, to).every(({ lower, index }) => isStopWord(lower) || phrases.used.has(index))
}

/** Like isNear(), but allows values in between: "at least 5 open tickets". */
export function isNearBesideValues(question: Question, { from, to, most }: { from: number; to: number; most: number }) {
  const { tokens, phrases, mentions } = question
  if (to < from || to - from > most) return false
  const values = mentions.filter(({ target }) => target.kind === 'value')
  return tokens
    .slice(from, to)
    .every(
      ({ lower, index }) =>
        isStopWord(lower) || phrases.used.has(index) || values.some(({ start, end }) => index >= start && index < end),
    )
}

export function listIgnoredWords({ tokens, mentions, phrases, times }: Question, used: ReadonlySet<number>): string[] {
  const known = new Set([
    ...phrases.used,
    ...used,
    ...[...mentions, ...times].flatMap(({ start, end }) => [...listIndexes(start, end)]),
  ])
  return tokens.filter(({ index, lower }) => !known.has(index) && !isStopWord(lower)).map(({ text }) => text)
}
