import { countJoinSteps } from '../schema/join-paths.ts'
import { type Candidate, type Lexicon, type SchemaTarget, joinWordsToStem } from '../schema/lexicon.ts'
import { NEARLY_UNIQUE, isDate, listDisplayColumns, type Model, type Table } from '../schema/model.ts'
import { toEnglishName, toStems } from '../schema/names.ts'
import { listCountryForms } from '../words/countries.ts'
import { translateGerman } from '../words/german.ts'
import { stemWord } from '../words/stem.ts'
import { GENDER_VALUES, listStatusCodes } from '../words/stored-values.ts'
import type { Token } from '../words/tokens.ts'
import { isArticle, isMinorWord, isStopWord } from './stop-words.ts'
import {
  EXACT_MATCH,
  LIKELY_MATCH,
  MIN_CERTAIN_MATCH,
  MIN_MATCH,
  SURE_MATCH,
  TABLE_MATCH,
} from '../schema/match-scores.ts'

/** Words of the question that mean a table, a column, a stored value or a metric; `end` is exclusive. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly words: string
  readonly candidates: readonly Candidate[]
  readonly target: SchemaTarget
  readonly matchScore: number
  readonly isAmbiguous: boolean
}

export interface MentionInput {
  readonly tokens: readonly Token[]
  readonly model: Model
  readonly lexicon: Lexicon
  /** Tokens of times and numbers: never part of a name. */
  readonly excludedTokens: ReadonlySet<number>
  /** Grammar words: part of a name only together with other words. */
  readonly grammarTokens: ReadonlySet<number>
}

/** A run of tokens and what it may mean, likeliest first. */
interface CandidateSpan {
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

const MAX_NAME_WORDS = 5
/** "revenue total" for `total_revenue`. */
const REVERSED_NAME_FACTOR = 0.9
/** "bookings" rarely means the booking date. */
const DATE_OF_PLURAL_FACTOR = 0.82
/** "opened" rarely means the stored value `open`. */
const PAST_FORM_SCORE = 0.78
const AMBIGUITY_MARGIN = 0.06
const LIKELY_CANDIDATE_MARGIN = 0.25
/** A target scores less for each join between it and the tables that the question surely means. */
const PENALTY_PER_JOIN = 0.06
const NO_JOIN_PENALTY = 0.4
const SOME_TABLE_UNREACHABLE_PENALTY = 0.2
const TABLE_BONUS = 0.04

/** Finds all words that name something of the schema and decides what each of them means. */
export function findMentions(input: MentionInput): Mention[] {
  const spans = findCandidateSpans(input)
  return chooseTargets(spans, input)
    .filter((mention, _, allMentions) => !isStopWordValue(mention, allMentions))
    .map((mention) => toTableIfPluralName(mention))
    .toSorted((a, b) => a.start - b.start)
}

/** "new registrations": a stop word that happens to be a value in an unrelated table. */
const isStopWordValue = ({ target, words }: Mention, allMentions: readonly Mention[]): boolean =>
  target.kind === 'value' &&
  isMinorWord(words.toLowerCase()) &&
  words.toLowerCase() !== target.value.toLowerCase() &&
  !allMentions.some((mention) => mention.words !== words && mention.target.table === target.table)

/** "animals" of `animal_name`, the display column: the rows are meant, not their names. */
function toTableIfPluralName(mention: Mention): Mention {
  const { target, words } = mention
  if (target.kind !== 'column' || target.column.distinct > NEARLY_UNIQUE || mention.matchScore >= SURE_MATCH)
    return mention
  const { table, column } = target
  const isName = listDisplayColumns(table)[0] === column && /(?:^|_)name$/.test(toEnglishName(column.name))
  if (!isName || !/[^s]s$/i.test(words) || /name|title/i.test(words)) return mention
  return { ...mention, target: { kind: 'table', table } }
}

/** Names of two or more words that match surely, such as "order total"; grammar is not read inside them. */
export function findMultiWordNames(input: MentionInput): CandidateSpan[] {
  return findCandidateSpans(input).filter(
    ({ start, end, candidates }) =>
      end - start > 1 &&
      (candidates[0]?.matchScore ?? 0) >= SURE_MATCH &&
      hasSeveralContentWords(input.tokens, start, end),
  )
}

const hasSeveralContentWords = (tokens: readonly Token[], start: number, end: number) =>
  tokens.slice(start, end).filter(({ lower }) => !isArticle(lower)).length > 1

/** Long names are matched before short ones; each token belongs to one name. */
function findCandidateSpans(input: MentionInput): CandidateSpan[] {
  const { tokens, lexicon, excludedTokens, grammarTokens } = input
  const claimedTokens = new Set<number>()
  const candidateSpans: CandidateSpan[] = []
  const isUnclaimed = (tokenIndex: number) =>
    tokenIndex < tokens.length && !excludedTokens.has(tokenIndex) && !claimedTokens.has(tokenIndex)
  for (let size = MAX_NAME_WORDS; size >= 1; size -= 1) {
    const spansOfSize = listSpansOfSize(input, size, isUnclaimed)
    for (const candidateSpan of spansOfSize.toSorted(
      (a, b) => (b.candidates[0]?.matchScore ?? 0) - (a.candidates[0]?.matchScore ?? 0),
    )) {
      if (![...listTokenIndexes(candidateSpan)].every((tokenIndex) => isUnclaimed(tokenIndex))) continue
      for (const tokenIndex of listTokenIndexes(candidateSpan)) claimedTokens.add(tokenIndex)
      candidateSpans.push(candidateSpan)
    }
  }
  for (const { index, lower, stem, number } of tokens) {
    if (!isUnclaimed(index) || grammarTokens.has(index) || isStopWord(lower) || number !== null) continue
    const candidates = lexicon.findSimilarNames(stem)
    if (candidates.length > 0) candidateSpans.push({ start: index, end: index + 1, candidates })
  }
  return candidateSpans
}

/** Every run of `size` words that has candidates; articles in between do not count. */
function listSpansOfSize(
  input: MentionInput,
  size: number,
  isUnclaimed: (tokenIndex: number) => boolean,
): CandidateSpan[] {
  const { tokens } = input
  return tokens.flatMap((_, start) => {
    const end = findSpanEnd(tokens, { start, size, isUnclaimed })
    if (end === undefined) return []
    const words = tokens.slice(start, end).filter(({ lower }) => size === 1 || !isArticle(lower))
    const candidates = findCandidatesOfWords(input, words)
    return candidates.length > 0 ? [{ start, end, candidates }] : []
  })
}

/** A grammar word is part of a name only if the whole name matches surely. */
function findCandidatesOfWords(input: MentionInput, words: readonly Token[]): readonly Candidate[] {
  const { lexicon, grammarTokens, tokens } = input
  const [onlyWord] = words
  const hasGrammarWord = words.some(({ index }) => grammarTokens.has(index))
  const candidates = findLexiconCandidates(words, lexicon)
  if (words.length > 1 || !onlyWord)
    return hasGrammarWord && (candidates[0]?.matchScore ?? 0) < SURE_MATCH ? [] : candidates
  if (hasGrammarWord) return []
  if (isStopWord(onlyWord.lower) && !isUpperCase(onlyWord))
    return isNameAfterGroupingWord(tokens, onlyWord, candidates) ||
      isStopWordNamingTable(onlyWord, candidates) ||
      isTotalBeforeNumber(input, onlyWord)
      ? candidates
      : []
  if ((candidates[0]?.matchScore ?? 0) >= MIN_CERTAIN_MATCH) return candidates
  if (candidates.length === 0) return findGermanCandidates(lexicon, onlyWord)
  return [...candidates, ...lexicon.findSimilarNames(onlyWord.stem)].toSorted((a, b) => b.matchScore - a.matchScore)
}

/** "ausgefallenen": an inflected German word. */
function findGermanCandidates(lexicon: Lexicon, { lower }: Token): readonly Candidate[] {
  for (const ending of ['en', 'er', 'es', 'em', 'e', 'n']) {
    const uninflected = lower.slice(0, -ending.length)
    if (!lower.endsWith(ending) || uninflected.length < 5 || translateGerman(uninflected) === undefined) continue
    const candidates = lexicon.findNames(stemWord(uninflected))
    if (candidates.length > 0) return candidates
  }
  // "Verkaufspreis" of `vk_preis`: both translate to the same English words.
  const englishName = translateGerman(lower)
  return englishName === undefined ? [] : lexicon.findNames(toStems(englishName.split(' ')).join(' '))
}

/** "a total over 1000": the number belongs to the total. */
const isTotalBeforeNumber = ({ excludedTokens, tokens }: MentionInput, { lower, index }: Token): boolean =>
  lower === 'total' && tokens[index - 1]?.lower === 'a' && excludedTokens.has(index + 1)

const WORDS_BEFORE_GROUPS = new Set(['by', 'per', 'each', 'every'])

/** "by make": a stop word after a grouping word is a name. */
const isNameAfterGroupingWord = (
  tokens: readonly Token[],
  { index }: Token,
  candidates: readonly Candidate[],
): boolean => WORDS_BEFORE_GROUPS.has(tokens[index - 1]?.lower ?? '') && (candidates[0]?.matchScore ?? 0) >= SURE_MATCH

const STOP_WORDS_NAMING_TABLES = new Set(
  'people person persons show shows work works report reports record records entry entries place places share shares return returns'.split(
    ' ',
  ),
)

/** "oldest show", "people from Weimar": a stop word that is a table's name, unless it begins the question. */
const isStopWordNamingTable = ({ lower, index, text }: Token, [best]: readonly Candidate[]): boolean =>
  (index > 0 || /s$|^people$/i.test(text)) &&
  STOP_WORDS_NAMING_TABLES.has(lower) &&
  best?.target.kind === 'table' &&
  best.matchScore >= EXACT_MATCH

/** "IT", "US": written as a name although it is a stop word. */
const isUpperCase = ({ text }: Token): boolean => text.length >= 2 && text === text.toUpperCase()

function* listTokenIndexes({ start, end }: { start: number; end: number }): Generator<number> {
  for (let tokenIndex = start; tokenIndex < end; tokenIndex += 1) yield tokenIndex
}

/** The end of a run of `size` words, or undefined if a token in it is taken. */
function findSpanEnd(
  tokens: readonly Token[],
  { start, size, isUnclaimed }: { start: number; size: number; isUnclaimed: (tokenIndex: number) => boolean },
): number | undefined {
  if (!isUnclaimed(start) || (size > 1 && isArticle(tokens[start]?.lower ?? ''))) return undefined
  let wordCount = 0
  for (let tokenIndex = start; tokenIndex < tokens.length; tokenIndex += 1) {
    if (!isUnclaimed(tokenIndex)) return undefined
    if (size > 1 && isArticle(tokens[tokenIndex]?.lower ?? '') && wordCount > 0) continue
    wordCount += 1
    if (wordCount === size) return tokenIndex + 1
  }
  return undefined
}

/** Everything the words may mean: names, stored values, status codes, countries, and the two words reversed. */
function findLexiconCandidates(words: readonly Token[], lexicon: Lexicon): Candidate[] {
  const stems = words.map(({ stem }) => stem).join(' ')
  const lowerCaseText = words.map(({ lower }) => lower).join(' ')
  const [onlyWord] = words
  const isSingle = words.length === 1
  const values = [
    ...lexicon.findValues(lowerCaseText),
    ...lexicon.findValues(stems).map((candidate) => ({
      ...candidate,
      matchScore: isPastFormOfValue(onlyWord, candidate.target) ? PAST_FORM_SCORE : candidate.matchScore,
    })),
  ].filter(({ target }) => target.kind === 'value' && isCodeCaseCorrect(target.value, words))
  const compoundValues =
    isSingle && onlyWord?.lower.includes('-') ? lexicon.findValues(joinWordsToStem(onlyWord.lower)) : []
  const genderValues = isSingle && onlyWord ? (GENDER_VALUES[onlyWord.stem] ?? GENDER_VALUES[onlyWord.lower] ?? []) : []
  const storedForms = [...genderValues, ...listCountryForms(stems).map((form) => form.toLowerCase())]
  const storedFormValues = storedForms.flatMap((form) =>
    lexicon.findValues(form).map(({ target }) => ({ target, matchScore: SURE_MATCH })),
  )
  const codes = isSingle && onlyWord ? listStatusCodes(onlyWord.text) : []
  const statusValues = codes
    .flatMap((code) => lexicon.findValues(code))
    .flatMap(({ target }) => (isStatusValue(target) ? [{ target, matchScore: SURE_MATCH }] : []))
  const reversedNames =
    words.length === 2
      ? lexicon.findNames(
          words
            .map(({ stem }) => stem)
            .toReversed()
            .join(' '),
        )
      : []
  const allCandidates = [
    ...lexicon.findNames(stems),
    ...values,
    ...storedFormValues,
    ...statusValues,
    ...compoundValues.map(({ target }) => ({ target, matchScore: SURE_MATCH })),
    ...reversedNames.map((candidate) => ({ ...candidate, matchScore: candidate.matchScore * REVERSED_NAME_FACTOR })),
  ]
  return listBestCandidatePerTarget(allCandidates, words)
    .filter(({ matchScore }) => matchScore >= MIN_MATCH)
    .toSorted(
      (a, b) => b.matchScore - a.matchScore || Number(b.target.kind === 'table') - Number(a.target.kind === 'table'),
    )
}

/** Keeps the best score of each table, column or value. */
function listBestCandidatePerTarget(allCandidates: readonly Candidate[], words: readonly Token[]): Candidate[] {
  const bestByTarget = new Map<string, Candidate>()
  const isPlural = /[^s]s$/.test(words.at(-1)?.lower ?? '')
  for (const original of allCandidates) {
    // A plural such as "bookings" means rows rather than the booking date.
    const isDateOfPlural = isPlural && original.matchScore < EXACT_MATCH && isDateTarget(original.target)
    const candidate = isDateOfPlural
      ? { ...original, matchScore: original.matchScore * DATE_OF_PLURAL_FACTOR }
      : original
    const key = toTargetKey(candidate.target)
    const knownCandidate = bestByTarget.get(key)
    if (!knownCandidate || knownCandidate.matchScore < candidate.matchScore) bestByTarget.set(key, candidate)
  }
  return [...bestByTarget.values()]
}

const isDateTarget = (target: SchemaTarget): boolean => target.kind === 'column' && isDate(target.column)

/** A short code counts as a status only in a status column. */
const isStatusValue = (target: SchemaTarget): boolean =>
  target.kind === 'value' && /status|state|stage|phase/.test(toEnglishName(target.column.name))

/** "opened" means the date rather than the status `open`. */
const isPastFormOfValue = (word: Token | undefined, target: SchemaTarget): boolean =>
  target.kind === 'value' && (word?.lower ?? '').endsWith('ed') && !/ed$/i.test(target.value)

/** A code of two or three letters must be written in its own case. */
function isCodeCaseCorrect(value: string, words: readonly Token[]): boolean {
  const [word, secondWord] = words
  const isSpelled = !secondWord && [word?.lower, word?.stem].includes(value.toLowerCase())
  return value.length > 3 || !isSpelled || word?.text === value
}

/** Identifies a table, column, value or metric in choices. */
export function toTargetKey(target: SchemaTarget): string {
  const { kind, table } = target
  if (kind === 'value') return `value ${target.column.key} ${target.value}`
  if (kind === 'column') return `column ${target.column.key}`
  if (kind === 'metric') return `metric ${target.metric.code}`
  return `${kind} ${table.key}`
}

/** Unambiguous words decide for the others: the nearest target in the schema wins. */
function chooseTargets(candidateSpans: readonly CandidateSpan[], { model, tokens }: MentionInput): Mention[] {
  const certainTables = new Set<Table>()
  const listBestTables = ({ candidates }: CandidateSpan) => {
    const bestScored = candidates[0]?.matchScore ?? 0
    return new Set(
      candidates
        .filter(({ matchScore }) => matchScore >= bestScored - LIKELY_CANDIDATE_MARGIN)
        .map(({ target }) => target.table),
    )
  }
  const isTable = ({ candidates }: CandidateSpan) =>
    candidates[0]?.target.kind === 'table' && candidates[0].matchScore >= TABLE_MATCH
  for (const candidateSpan of candidateSpans) {
    const [bestScored] = candidateSpan.candidates
    if (!bestScored) continue
    if (isTable(candidateSpan) || (listBestTables(candidateSpan).size === 1 && bestScored.matchScore >= LIKELY_MATCH))
      certainTables.add(bestScored.target.table)
  }
  const spansByCertainty = candidateSpans.toSorted((a, b) => listBestTables(a).size - listBestTables(b).size)
  const mentions: Mention[] = []
  for (const candidateSpan of spansByCertainty) {
    const scoredCandidates = candidateSpan.candidates
      .map((candidate) => ({
        candidate,
        score: candidate.matchScore - computeDistancePenalty(candidate.target, { model, certainTables }),
      }))
      .toSorted((a, b) => b.score - a.score)
    const [bestScored] = scoredCandidates
    if (!bestScored) continue
    const runnerUp = scoredCandidates.find(
      ({ candidate }) => toTargetKey(candidate.target) !== toTargetKey(bestScored.candidate.target),
    )
    certainTables.add(bestScored.candidate.target.table)
    mentions.push({
      start: candidateSpan.start,
      end: candidateSpan.end,
      words: tokens
        .slice(candidateSpan.start, candidateSpan.end)
        .map(({ text }) => text)
        .join(' '),
      candidates: scoredCandidates.map(({ candidate }) => candidate),
      target: bestScored.candidate.target,
      matchScore: bestScored.candidate.matchScore,
      isAmbiguous:
        runnerUp !== undefined &&
        bestScored.score - runnerUp.score < AMBIGUITY_MARGIN &&
        !isTableAndItsPart(bestScored.candidate.target, runnerUp.candidate.target),
    })
  }
  return mentions
}

/** A table and its own column or value mean the same rows. */
const isTableAndItsPart = (a: SchemaTarget, b: SchemaTarget): boolean =>
  a.table === b.table && a.kind !== b.kind && (a.kind === 'table' || b.kind === 'table')

/** The further the target is from the tables that are surely meant, in joins, the less likely it is. */
function computeDistancePenalty(
  target: SchemaTarget,
  { model, certainTables }: { model: Model; certainTables: ReadonlySet<Table> },
): number {
  if (certainTables.size === 0 || certainTables.has(target.table)) return target.kind === 'table' ? -TABLE_BONUS : 0
  const distances = [...certainTables].map((table) => countJoinSteps(model, table, target.table))
  const nearest = Math.min(...distances)
  const farthest = Math.max(...distances)
  const nearestPenalty = Number.isFinite(nearest) ? PENALTY_PER_JOIN * nearest + PENALTY_PER_JOIN : NO_JOIN_PENALTY
  return nearestPenalty + (Number.isFinite(farthest) ? 0 : SOME_TABLE_UNREACHABLE_PENALTY)
}
