import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { applyChoices, buildChips } from './plan/chips.ts'
import { describePlan } from './plan/describe.ts'
import { type Measure, type Plan, listMetrics } from './plan/plan.ts'
import { buildPlanSql } from './plan/to-sql.ts'
import { type Mention, toTargetKey } from './read/find-mentions.ts'
import { interpretQuestion } from './read/interpret-question.ts'
import { type Question, listIgnoredWords, scanQuestion, withMentions } from './read/scan-question.ts'
import { isArticle, isMinorWord } from './read/stop-words.ts'
import type { Catalogue } from './schema/catalogue.ts'
import { type Lexicon, buildLexicon, toMetricKey } from './schema/lexicon.ts'
import { type Metric, type ResolvedMetrics, type UnusableMetric, resolveMetrics } from './schema/metrics.ts'
import { buildModel } from './schema/build-model.ts'
import type { Model, Table } from './schema/model.ts'
import { splitName, toEnglishName, toStems } from './schema/names.ts'
import { stemWord } from './words/stem.ts'
import { CLEAR_MATCH } from './schema/match-scores.ts'
import {
  ASK_BACK_PENALTY,
  NOT_FOUND_PENALTY,
  STOP_WORD_PENALTY,
  UNREAD_WORD_PENALTY,
} from './read/confidence/penalties.ts'

/** A schema prepared for questions; create it once per catalogue. */
export interface Engine extends ResolvedMetrics {
  readonly model: Model
  readonly lexicon: Lexicon
}

/** Prepares a catalogue for questions: model, metrics and an index of all names. */
export function createEngine(catalogue: Catalogue): Engine {
  const model = buildModel(catalogue)
  const { metrics, unusable } = resolveMetrics(model, catalogue.metrics ?? [])
  return { model, metrics, unusable, lexicon: buildLexicon(model, catalogue, metrics) }
}

/** One way to read a question, with its query. */
export interface Interpretation {
  readonly plan: Plan
  readonly summary: string
  readonly sql: string
  readonly tables: readonly Table[]
  readonly metrics: readonly Metric[]
  readonly chips: readonly Chip[]
  readonly confidence: number
  readonly ignoredWords: readonly string[]
  readonly choices: Readonly<Record<string, string>>
}

export interface QuestionInput {
  readonly text: string
  readonly now: Date
  readonly choices: Readonly<Record<string, string>>
}

export type EngineAnswer =
  | { readonly kind: 'reading'; readonly reading: Interpretation }
  | { readonly kind: 'readings'; readonly readings: readonly Interpretation[] }
  | { readonly kind: 'unusable_metric'; readonly metric: UnusableMetric }
  | { readonly kind: 'nothing'; readonly ignoredWords: readonly string[] }

/** Below this, the engine offers readings instead of answering. */
const MIN_CONFIDENCE = 0.6
const MIN_OFFERED_CONFIDENCE = 0.15
const MAX_READINGS = 3
const MIN_RIVAL_ADVANTAGE = 0.14
/** Sent with a chosen reading, which is then answered at any confidence. */
const ACCEPT_READING = { reading: 'accept' }

/** Answers with one reading if it is sure enough, otherwise offers up to three, or says that nothing was understood. */
export function answerQuestion({ model, lexicon, unusable }: Engine, input: QuestionInput): EngineAnswer {
  const scannedQuestion = scanQuestion(input.text, { model, lexicon, now: input.now })
  const metric = findUnusableMetric(scannedQuestion, unusable)
  if (metric) return { kind: 'unusable_metric', metric }
  const question = applyWordChoices(scannedQuestion, input.choices)
  const reading = interpretWithChoices(question, input.choices)
  const isAccepted = input.choices['reading'] === ACCEPT_READING.reading
  const isSureReading = reading && reading.confidence >= MIN_CONFIDENCE && !hasLikelierReading(question, reading)
  if (reading && (isAccepted || isSureReading)) return { kind: 'reading', reading }
  const foreignKeyReadings = reading ? listForeignKeyReadings(question, input.choices, reading) : []
  const readings = (
    foreignKeyReadings.length > 0 ? foreignKeyReadings : [reading, ...interpretOtherCandidates(question, input.choices)]
  )
    .filter((interpretation) => interpretation !== undefined)
    .filter(
      (interpretation, index, allReadings) =>
        interpretation.confidence >= MIN_OFFERED_CONFIDENCE &&
        allReadings.findIndex(({ sql }) => sql === interpretation.sql) === index,
    )
    .slice(0, MAX_READINGS)
  if (readings.length > 0) return { kind: 'readings', readings }
  return { kind: 'nothing', ignoredWords: listIgnoredWords(question, new Set()) }
}

/** Another reading of a word is as likely and selects other rows. */
function hasLikelierReading(
  question: Question,
  { sql, confidence, choices: { reading: _, ...choices } }: Interpretation,
): boolean {
  const namedTables = new Set(
    question.mentions.flatMap(({ target }) => (target.kind === 'table' ? [target.table] : [])),
  )
  const mentions = question.mentions
    .filter(({ isAmbiguous }) => isAmbiguous)
    .map((mention) => ({
      ...mention,
      candidates: mention.candidates.filter(
        ({ target }) => !namedTables.has(mention.target.table) || namedTables.has(target.table),
      ),
    }))
  return interpretOtherCandidates(question, choices, mentions).some(
    (otherReading) =>
      otherReading !== undefined &&
      otherReading.sql !== sql &&
      otherReading.confidence >= confidence + MIN_RIVAL_ADVANTAGE,
  )
}

/** The metric that the question names although it no longer fits the tables. */
function findUnusableMetric(
  { tokens, mentions }: Question,
  unusable: readonly UnusableMetric[],
): UnusableMetric | undefined {
  const isOutsideMetric = ({ index }: { index: number }) =>
    !mentions.some(({ target, start, end }) => target.kind === 'metric' && index >= start && index < end)
  const words = tokens.filter((token) => !isArticle(token.lower) || tokens.length === 1)
  const text = words.map((token) => (isOutsideMetric(token) ? token.stem : '.')).join(' ')
  return unusable.find(({ name }) => ` ${text} `.includes(` ${toMetricKey(name)} `))
}

/** Reads the question, applies the choices made on chips, and rates how much can be trusted to be right. */
function interpretWithChoices(
  question: Question,
  choices: Readonly<Record<string, string>>,
): Interpretation | undefined {
  const interpreted = interpretQuestion(question)
  if (!interpreted) return undefined
  const plan = applyChoices(question.model, interpreted.plan, choices)
  const { sql, tables, isUncertain, hasBadJoin } = buildPlanSql(question.model, plan)
  const ignoredWords = listIgnoredWords(question, interpreted.usedTokens).filter(
    (word) => !isForeignKeyWord(question.model, tables, word) && !isUnitOfDuration(plan, word),
  )
  // A difference of two columns may have a name that neither column has.
  const isDifference = plan.difference !== null
  const ignoredPenalty = ignoredWords.reduce(
    (sum, word) => sum + (isDifference ? STOP_WORD_PENALTY : computeIgnoredWordPenalty(word, plan)),
    0,
  )
  const otherPenalty = interpreted.confidencePenalties.reduce((sum, { cost }) => sum + cost, 0)
  const confidence = Math.max(
    0,
    1 - ignoredPenalty - otherPenalty - (isUncertain ? UNREAD_WORD_PENALTY : 0) - (hasBadJoin ? NOT_FOUND_PENALTY : 0),
  )
  return {
    plan,
    summary: describePlan(plan),
    sql,
    tables,
    metrics: listMetrics(plan),
    chips: buildChips(interpreted.plan, choices),
    confidence,
    ignoredWords,
    choices: { ...choices, ...ACCEPT_READING },
  }
}

/** "time to close a case in hours" */
const isUnitOfDuration = ({ measures }: Plan, word: string): boolean =>
  measures.some(({ expression }) => expression.kind === 'duration' && expression.duration.unit === word.toLowerCase())

/** "flights by origin" joined through `origin_id`: the word names a foreign key that was used and is not ignored. */
function isForeignKeyWord({ foreignKeys }: Model, tables: readonly Table[], word: string): boolean {
  const wordStem = stemWord(word)
  const joinedForeignKeys = foreignKeys.filter(
    ({ from, to }) => tables.includes(from) && tables.includes(to) && from !== to,
  )
  const namedForeignKeys = joinedForeignKeys.filter(({ fromColumns }) =>
    fromColumns.some(({ name }) => toStems(splitName(name)).includes(wordStem)),
  )
  return namedForeignKeys.some(
    ({ from, to }) =>
      joinedForeignKeys.filter((foreignKey) => foreignKey.from === from && foreignKey.to === to).length === 1,
  )
}

/** A name or number that has no effect weighs most, a small word such as "based" least. */
function computeIgnoredWordPenalty(word: string, { measures }: Plan): number {
  if (/^\p{Lu}|^\d/u.test(word)) return ASK_BACK_PENALTY
  const isCount = measures.some(({ expression }) => expression.kind === 'rows')
  if (measures.length > 0 && /^(?:time|days?)$/i.test(word) && !measures.some(isTimeMeasure)) return UNREAD_WORD_PENALTY
  if (isCount && /^amounts?$/i.test(word)) return UNREAD_WORD_PENALTY
  // "firewood sold" asks for a quantity.
  if (measures.length === 0 && /^(?:sold|bought)$/i.test(word)) return UNREAD_WORD_PENALTY
  return isMinorWord(word.toLowerCase()) ? STOP_WORD_PENALTY : UNREAD_WORD_PENALTY
}

const isTimeMeasure = ({ expression }: Measure): boolean =>
  expression.kind === 'column' &&
  /(?:^|_)(?:seconds|minutes|hours|days|duration|time)(?:_|$)/.test(toEnglishName(expression.column.name))

/** The key under which the chosen meaning of a word is sent back. */
const toWordChoiceKey = ({ start }: Mention): string => `word.${start}`

/** Replaces what words mean by what was chosen for them. */
function applyWordChoices(question: Question, choices: Readonly<Record<string, string>>): Question {
  const mentions = question.mentions.map((mention) => {
    const chosenKey = choices[toWordChoiceKey(mention)]
    const candidate = mention.candidates.find(({ target }) => toTargetKey(target) === chosenKey)
    return candidate ? { ...mention, target: candidate.target, matchScore: 1, isAmbiguous: false } : mention
  })
  return withMentions(question, mentions)
}

/** One reading per foreign key, when several lead to the same table. */
function listForeignKeyReadings(
  question: Question,
  choices: Readonly<Record<string, string>>,
  { confidence }: Interpretation,
): Interpretation[] {
  const mentions = question.mentions.map((mention) => ({
    ...mention,
    candidates: mention.candidates.filter(({ target }) => target.table.role?.originalTable === mention.target.table),
  }))
  return interpretOtherCandidates(question, choices, mentions)
    .filter((otherReading) => otherReading !== undefined)
    .filter((otherReading) => otherReading.confidence > confidence)
}

/** Reads the question again with each of the three likeliest other meanings of every doubtful word. */
function interpretOtherCandidates(
  question: Question,
  choices: Readonly<Record<string, string>>,
  mentions = question.mentions.filter(({ matchScore, isAmbiguous }) => isAmbiguous || matchScore < CLEAR_MATCH),
): (Interpretation | undefined)[] {
  return mentions.flatMap((mention) =>
    mention.candidates.slice(0, 3).map((candidate) => {
      const choicesWithCandidate = { ...choices, [toWordChoiceKey(mention)]: toTargetKey(candidate.target) }
      return interpretWithChoices(applyWordChoices(question, choicesWithCandidate), choicesWithCandidate)
    }),
  )
}
