import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { applyChoices, buildChips } from './plan/chips.ts'
import { describePlan } from './plan/describe.ts'
import { type Measure, type Plan, listMetrics } from './plan/plan.ts'
import { toSql } from './plan/to-sql.ts'
import { type Mention, toTargetKey } from './read/link.ts'
import { interpret } from './read/interpret.ts'
import { type Question, listIgnoredWords, scanQuestion, withMentions } from './read/question.ts'
import { isArticle, isLightWord } from './read/stop-words.ts'
import type { Catalogue } from './schema/catalogue.ts'
import { type Lexicon, buildLexicon, toMetricKey } from './schema/lexicon.ts'
import { type Metric, type ResolvedMetrics, type UnusableMetric, resolveMetrics } from './schema/metrics.ts'
import { buildModel } from './schema/build-model.ts'
import type { Model, Table } from './schema/model.ts'
import { splitName, toEnglishName, toStems } from './schema/names.ts'
import { stemWord } from './words/stem.ts'

export interface Engine extends ResolvedMetrics {
  readonly model: Model
  readonly lexicon: Lexicon
}

export function createEngine(catalogue: Catalogue): Engine {
  const model = buildModel(catalogue)
  const { metrics, unusable } = resolveMetrics(model, catalogue.metrics ?? [])
  return { model, metrics, unusable, lexicon: buildLexicon(model, catalogue, metrics) }
}

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
const MIN_OFFERED = 0.15
const MAX_READINGS = 3
const MAX_ADVANTAGE = 0.14
/** Sent with a chosen reading, which is then answered at any confidence. */
const ACCEPTED = { reading: 'accept' }

export function answerQuestion({ model, lexicon, unusable }: Engine, input: QuestionInput): EngineAnswer {
  const scanned = scanQuestion(input.text, { model, lexicon, now: input.now })
  const metric = findUnusable(scanned, unusable)
  if (metric) return { kind: 'unusable_metric', metric }
  const question = chooseWords(scanned, input.choices)
  const reading = toReading(question, input.choices)
  const isAccepted = input.choices['reading'] === ACCEPTED.reading
  const isSure = reading && reading.confidence >= MIN_CONFIDENCE && !hasRival(question, reading)
  if (reading && (isAccepted || isSure)) return { kind: 'reading', reading }
  const inRoles = reading ? listForeignKeyReadings(question, input.choices, reading) : []
  const readings = (inRoles.length > 0 ? inRoles : [reading, ...listOtherReadings(question, input.choices)])
    .filter((interpretation) => interpretation !== undefined)
    .filter(
      (interpretation, at, all) =>
        interpretation.confidence >= MIN_OFFERED && all.findIndex(({ sql }) => sql === interpretation.sql) === at,
    )
    .slice(0, MAX_READINGS)
  if (readings.length > 0) return { kind: 'readings', readings }
  return { kind: 'nothing', ignoredWords: listIgnoredWords(question, new Set()) }
}

/** Another reading of a word is as likely and selects other rows. */
function hasRival(
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
  return listOtherReadings(question, choices, mentions).some(
    (otherReading) =>
      otherReading !== undefined && otherReading.sql !== sql && otherReading.confidence >= confidence + MAX_ADVANTAGE,
  )
}

function findUnusable({ tokens, mentions }: Question, unusable: readonly UnusableMetric[]): UnusableMetric | undefined {
  const isFree = ({ index }: { index: number }) =>
    !mentions.some(({ target, start, end }) => target.kind === 'metric' && index >= start && index < end)
  const words = tokens.filter((token) => !isArticle(token.lower) || tokens.length === 1)
  const text = words.map((token) => (isFree(token) ? token.stem : '.')).join(' ')
  return unusable.find(({ name }) => ` ${text} `.includes(` ${toMetricKey(name)} `))
}

function toReading(question: Question, choices: Readonly<Record<string, string>>): Interpretation | undefined {
  const draft = interpret(question)
  if (!draft) return undefined
  const plan = applyChoices(question.model, draft.plan, choices)
  const { sql, tables, isUncertain, hasBadJoin } = toSql(question.model, plan)
  const ignoredWords = listIgnoredWords(question, draft.used).filter(
    (word) => !isOfLink(question.model, tables, word) && !isUnitOfDuration(plan, word),
  )
  // A difference of two columns may have a name that neither column has.
  const isNamed = plan.difference !== null
  const lost = ignoredWords.reduce((sum, word) => sum + (isNamed ? 0.17 : getIgnoredWordPenalty(word, plan)), 0)
  const doubted = draft.doubts.reduce((sum, { cost }) => sum + cost, 0)
  const confidence = Math.max(0, 1 - lost - doubted - (isUncertain ? 0.42 : 0) - (hasBadJoin ? 0.5 : 0))
  return {
    plan,
    summary: describePlan(plan),
    sql,
    tables,
    metrics: listMetrics(plan),
    chips: buildChips(draft.plan, choices),
    confidence,
    ignoredWords,
    choices: { ...choices, ...ACCEPTED },
  }
}

/** "time to close a case in hours" */
const isUnitOfDuration = ({ measures }: Plan, word: string): boolean =>
  measures.some(({ expression }) => expression.kind === 'duration' && expression.duration.unit === word.toLowerCase())

function isOfLink({ links }: Model, tables: readonly Table[], word: string): boolean {
  const said = stemWord(word)
  const joinedLinks = links.filter(({ from, to }) => tables.includes(from) && tables.includes(to) && from !== to)
  const namedLinks = joinedLinks.filter(({ fromColumns }) =>
    fromColumns.some(({ name }) => toStems(splitName(name)).includes(said)),
  )
  return namedLinks.some(
    ({ from, to }) => joinedLinks.filter((link) => link.from === from && link.to === to).length === 1,
  )
}

function getIgnoredWordPenalty(word: string, { measures }: Plan): number {
  if (/^\p{Lu}|^\d/u.test(word)) return 0.45
  const isCount = measures.some(({ expression }) => expression.kind === 'rows')
  if (measures.length > 0 && /^(?:time|days?)$/i.test(word) && !measures.some(isTime)) return 0.42
  if (isCount && /^amounts?$/i.test(word)) return 0.42
  // "firewood sold" asks for a quantity.
  if (measures.length === 0 && /^(?:sold|bought)$/i.test(word)) return 0.42
  return isLightWord(word.toLowerCase()) ? 0.17 : 0.42
}

const isTime = ({ expression }: Measure): boolean =>
  expression.kind === 'column' &&
  /(?:^|_)(?:seconds|minutes|hours|days|duration|time)(?:_|$)/.test(toEnglishName(expression.column.name))

const toWordChoiceKey = ({ start }: Mention): string => `word.${start}`

function chooseWords(question: Question, choices: Readonly<Record<string, string>>): Question {
  const mentions = question.mentions.map((mention) => {
    const chosen = choices[toWordChoiceKey(mention)]
    const candidate = mention.candidates.find(({ target }) => toTargetKey(target) === chosen)
    return candidate ? { ...mention, target: candidate.target, weight: 1, isAmbiguous: false } : mention
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
    candidates: mention.candidates.filter(({ target }) => target.table.role?.of === mention.target.table),
  }))
  return listOtherReadings(question, choices, mentions)
    .filter((otherReading) => otherReading !== undefined)
    .filter((otherReading) => otherReading.confidence > confidence)
}

function listOtherReadings(
  question: Question,
  choices: Readonly<Record<string, string>>,
  mentions = question.mentions.filter(({ weight, isAmbiguous }) => isAmbiguous || weight < 0.8),
): (Interpretation | undefined)[] {
  return mentions.flatMap((mention) =>
    mention.candidates.slice(0, 3).map((candidate) => {
      const chosen = { ...choices, [toWordChoiceKey(mention)]: toTargetKey(candidate.target) }
      return toReading(chooseWords(question, chosen), chosen)
    }),
  )
}
