import type { Lexicon, SchemaTarget } from '../schema/lexicon.ts'
import { type Column, type Model, type Table, isDate, isMeasure, isNumeric } from '../schema/model.ts'
import { type TimeMention, findTimes } from '../words/times.ts'
import { translateQuestion } from '../words/german.ts'
import { listOpposites } from '../words/opposites.ts'
import { stemWord } from '../words/stem.ts'
import { type Token, tokenise } from '../words/tokens.ts'
import { type Mention, findMultiWordNames, findMentions } from './find-mentions.ts'
import { type Phrases, findPhrases } from './find-phrases.ts'
import { addMentionedRoles, applyRoles, findRoleWords } from './role-words.ts'
import { isStopWord } from './stop-words.ts'
import { LIKELY_MATCH, SURE_MATCH } from '../schema/match-scores.ts'

/** A question split into tokens, with everything that was recognised in it. */
export interface Question {
  readonly tokens: readonly Token[]
  readonly mentions: readonly Mention[]
  readonly phrases: Phrases
  readonly times: readonly TimeMention[]
  readonly model: Model
  readonly now: Date
}

/** Normalises the text and finds times, grammar and mentions, in that order; a token has one meaning. */
export function scanQuestion(
  text: string,
  { model, lexicon, now }: { model: Model; lexicon: Lexicon; now: Date },
): Question {
  const normalised = splitNegations(translateQuestion(expandContractions(text)), lexicon)
  const tokens = tokenise(replaceOpposites(normalised, lexicon))
  const times = findTimes(tokens, now)
  const timeTokens = new Set(times.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const multiWordNames = findMultiWordNames({
    tokens,
    model,
    lexicon,
    excludedTokens: timeTokens,
    grammarTokens: new Set(),
  })
  const nameTokens = new Set(multiWordNames.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const phrases = findPhrases(tokens, new Set([...timeTokens, ...nameTokens]))
  const comparisonTokens = new Set(phrases.comparisons.flatMap(({ start, end }) => [...listIndexes(start, end)]))
  const roleWords = findRoleWords({ tokens, model, lexicon }, new Set([...timeTokens, ...comparisonTokens]))
  const roleTokens = roleWords.map(({ index }) => index)
  const linkedMentions = findMentions({
    tokens,
    model,
    lexicon,
    excludedTokens: new Set([...timeTokens, ...comparisonTokens, ...roleTokens]),
    grammarTokens: phrases.usedTokens,
  })
  const mentions = applyRoles(linkedMentions, { tokens, model }, roleWords)
  const usedTokens = new Set([...phrases.usedTokens, ...roleTokens])
  return withMentions({ tokens, phrases: { ...phrases, usedTokens }, times, model, now }, mentions)
}

/** Replaces the mentions, and adds to the model the roles that they need. */
export const withMentions = (question: Omit<Question, 'mentions'>, mentions: readonly Mention[]): Question => ({
  ...question,
  mentions,
  model: addMentionedRoles(question.model, mentions),
})

const NUMBER_SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, mio: 1e6, billion: 1e9 }
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
      String(Number(count) * (NUMBER_SCALES[size.toLowerCase()] ?? 1)),
    )

/** "unpaid" becomes "not paid" if a date or flag for it exists and no name or value is "unpaid". */
function splitNegations(text: string, lexicon: Lexicon): string {
  return text.replaceAll(
    /(?<![\p{L}\p{N}_@."“'])(?:un|in|non-)(\p{L}{4,})(?![\p{L}\p{N}_])/giu,
    (word, rest: string) => {
      if ([...lexicon.findNames(stemWord(word)), ...lexicon.findValues(word.toLowerCase())].length > 0) return word
      // German endings: "unbezahlten".
      const possibleNames = [rest, rest.replace(/(?:e[nrsm]|n|e)$/i, ''), rest.replace(/[nrsm]$/i, '')]
      const columnName = possibleNames.find((candidate) =>
        lexicon
          .findNames(stemWord(candidate))
          .some(({ target, matchScore }) => matchScore >= LIKELY_MATCH && isEventColumn(target)),
      )
      return columnName === undefined ? word : `not ${columnName}`
    },
  )
}

/** "open cases" becomes "not closed" if a date or flag for it exists and "open" is not a stored value. */
function replaceOpposites(text: string, lexicon: Lexicon): string {
  const words = text.split(/[^\p{L}\p{N}]+/u)
  const namedTables = new Set(
    words.flatMap((word) =>
      lexicon
        .findNames(stemWord(word))
        .flatMap(({ target, matchScore }) => (target.kind === 'table' && matchScore >= SURE_MATCH ? target.table : [])),
    ),
  )
  return text.replaceAll(/\p{L}+/gu, (word) => {
    const opposites = listOpposites(word)
    const isStoredName = [...lexicon.findValues(word.toLowerCase()), ...lexicon.findNames(stemWord(word))].some(
      ({ target, matchScore }) => namedTables.has(target.table) && matchScore >= LIKELY_MATCH && !isDateTarget(target),
    )
    if (opposites.length === 0 || isStoredName) return word
    const matchingOpposites = opposites.filter((opposite) =>
      lexicon
        .findNames(stemWord(opposite))
        .some(
          ({ target, matchScore }) =>
            matchScore >= LIKELY_MATCH && namedTables.has(target.table) && isEventColumn(target),
        ),
    )
    const [uniqueOpposite] = matchingOpposites
    return uniqueOpposite !== undefined && new Set(matchingOpposites.map((item) => stemWord(item))).size === 1
      ? `not ${uniqueOpposite}`
      : word
  })
}

/** A flag or a nullable date: `is_paid`, `closed_at`. */
const isEventColumn = (target: SchemaTarget): boolean =>
  target.kind === 'column' && (target.column.kind === 'boolean' || (isDate(target.column) && target.column.isNullable))

const isDateTarget = (target: SchemaTarget): boolean => target.kind === 'column' && isDate(target.column)

function* listIndexes(start: number, end: number): Generator<number> {
  for (let index = start; index < end; index += 1) yield index
}

export const getColumn = ({ target }: Mention): Column | undefined =>
  target.kind === 'column' ? target.column : undefined
export const getTable = ({ target }: Mention): Table | undefined => (target.kind === 'table' ? target.table : undefined)
/** An amount without a column of its own. */
const isComputedAmountMention = ({ target }: Mention): boolean =>
  target.kind === 'line_value' || target.kind === 'metric'
/** A number to be summed or averaged, a line value or a metric. */
export const isAmountMention = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return isComputedAmountMention(mention) || (column !== undefined && isMeasure(column))
}
/** Any number but an identifier. */
export const isNumberMention = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return isComputedAmountMention(mention) || (column !== undefined && isNumeric(column) && !column.isIdentifier)
}
/** A column to group by: neither an amount nor a flag. */
export const isDimensionMention = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && !isMeasure(column) && column.kind !== 'boolean'
}
export const isDateMention = (mention: Mention): boolean => {
  const column = getColumn(mention)
  return column !== undefined && isDate(column)
}

/** Whether at most `maxTokens` tokens lie between, and none of them is a content word. */
export function isNearby(
  { tokens, phrases }: Pick<Question, 'tokens' | 'phrases'>,
  { from, to, maxTokens }: { from: number; to: number; maxTokens: number },
): boolean {
  if (to < from || to - from > maxTokens) return false
  return tokens.slice(from, to).every(({ lower, index }) => isStopWord(lower) || phrases.usedTokens.has(index))
}

/** Like isNear(), but allows values in between: "at least 5 open tickets". */
export function isNearbyIgnoringValues(
  question: Question,
  { from, to, maxTokens }: { from: number; to: number; maxTokens: number },
) {
  const { tokens, phrases, mentions } = question
  if (to < from || to - from > maxTokens) return false
  const valueMentions = mentions.filter(({ target }) => target.kind === 'value')
  return tokens
    .slice(from, to)
    .every(
      ({ lower, index }) =>
        isStopWord(lower) ||
        phrases.usedTokens.has(index) ||
        valueMentions.some(({ start, end }) => index >= start && index < end),
    )
}

/** Words of the question that had no effect: no mention, phrase, time or stop word. */
export function listIgnoredWords(
  { tokens, mentions, phrases, times }: Question,
  usedTokens: ReadonlySet<number>,
): string[] {
  const understoodTokens = new Set([
    ...phrases.usedTokens,
    ...usedTokens,
    ...[...mentions, ...times].flatMap(({ start, end }) => [...listIndexes(start, end)]),
  ])
  return tokens.filter(({ index, lower }) => !understoodTokens.has(index) && !isStopWord(lower)).map(({ text }) => text)
}
