import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineAnswer, type Interpretation, answerQuestion, createEngine } from '@trellis/assistant/engine/answer'
import type { CatalogueMetric } from '@trellis/assistant/engine/schema/catalogue'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { parseExpression } from '@trellis/sql-grammar/parse-expression'
import { listAllowedFunctions } from '@trellis/sql-guard/allowed-functions'
import { GUARD_LIMITS, runGuarded } from '@trellis/sql-guard/run-guarded'
import { readForeignKeyLinks, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { type WorkspaceDatabase, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { createSchema } from '@trellis/workspace-db/schemas/change-schemas'
import { withScopedSession } from '@trellis/workspace-db/scoped/scoped-session'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { type Figure, median, report } from '../report.ts'
import { isModelConfigured, measureModel } from './by-model.ts'
import { measureCancel } from './cancel.ts'
import { type QuestionSet, SETS } from './question-sets.ts'
import { type Question, isHeldOut } from './sets/question.ts'
import { measureFirstPart } from './first-part.ts'
import { measureSearch } from './search.ts'
import { isRight } from './score.ts'

const NOW = new Date('2025-12-15T12:00:00Z')

type Outcome = 'right' | 'unsure' | 'wrong'

/**
 * With `TRELLIS_AI_MODEL` the model is asked too. `--only`: comma-separated sets, `cancel` or `first-part`; `--all`:
 * includes held-out questions.
 */
export async function run(args: string[]): Promise<void> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]?.split(',') : undefined
  const isAsked = (name: string) => !only || only.includes(name)
  const figures: Figure[] = []
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  // As root, Postgres runs as another user, who must be able to enter.
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), settings: { synchronous_commit: 'off' } })
  try {
    const cluster = await openCluster({ adminUrl: postgres.url })
    const key = generateWorkspaceKey()
    const workspace = await provisionWorkspaceDatabase(cluster, { key })
    for (const set of SETS) {
      if (isAsked(set.name)) figures.push(...(await runSet({ cluster, key, ...workspace }, set, args)))
    }
    await cluster.close()
    const requestedSets = SETS.filter(({ name, metrics }) => !metrics && isAsked(name))
    if (isModelConfigured() && requestedSets.length > 0)
      figures.push(...(await measureModel(postgres.url, requestedSets)))
    if (isAsked('cancel')) figures.push(...(await measureCancel(postgres.url)))
  } finally {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
  if (isAsked('first-part')) figures.push(...(await measureFirstPart()))
  await report('assistant', figures)
}

async function runSet(
  workspace: WorkspaceDatabase & { cluster: Cluster; key: string },
  set: QuestionSet,
  args: readonly string[],
): Promise<Figure[]> {
  const { cluster, database, credentials } = workspace
  await createSchema(cluster, { key: workspace.key, name: set.schema })
  await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
    for (const text of [...set.statements, 'analyze']) await session.query({ text })
  })
  const tables = await withSession(cluster, { database, credentials, role: 'ro' }, async (session) => {
    const text =
      "select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where nspname = $1 and relkind in ('r', 'v')"
    const { rows } = await session.query({ text, values: [set.schema] })
    return rows.map(([name]) => ({ schema: set.schema, name: name ?? '' }))
  })
  return await withScopedSession(cluster, { database, credentials, tables, limits: { maxRows: 50_000 } }, (session) =>
    ask(session, { set, tables, args }),
  )
}

async function ask(
  session: Session,
  {
    set,
    tables,
    args,
  }: { set: QuestionSet; tables: readonly { schema: string; name: string }[]; args: readonly string[] },
): Promise<Figure[]> {
  const describedTables = await readTables(session, tables)
  const engine = createEngine({
    tables: describedTables.map((table) => ({ ...table, labels: [] })),
    foreignKeys: await readForeignKeyLinks(session, tables),
    synonyms: [],
    metrics: await readMetrics(set.metrics ?? []),
  })
  const scope = {
    tables: describedTables.map(({ schema, name, columns }) => ({
      schema,
      name,
      columns: columns.map((column) => column.name),
    })),
    functions: await listAllowedFunctions(session),
  }
  const outcomes: { outcome: Outcome; isHeld: boolean; kind: string }[] = []
  const times: number[] = []
  for (const [at, question] of set.questions.entries()) {
    const started = performance.now()
    const answer = answerQuestion(engine, { text: question.question, now: NOW, choices: {} })
    times.push(performance.now() - started)
    const isHeld = isHeldOut(at)
    const { outcome, note } = await score(session, { scope, question, answer })
    outcomes.push({ outcome, isHeld, kind: question.kind })
    if (outcome !== 'right' && (!isHeld || args.includes('--all'))) print(question, answer, { outcome, note })
  }
  const searchedFigures = set.name === 'video' ? await measureSearch(session, { engine, scope, now: NOW }) : []
  return [...toFigures(set, outcomes, times), ...searchedFigures]
}

const getReading = (answer: EngineAnswer): Interpretation | undefined =>
  answer.kind === 'reading' ? answer.reading : answer.kind === 'readings' ? answer.readings[0] : undefined

interface Scored {
  readonly outcome: Outcome
  readonly note: string
}

interface ToScore {
  readonly scope: Parameters<typeof runGuarded>[1]['scope']
  readonly question: Question
  readonly answer: EngineAnswer
}

async function score(session: Session, { scope, question, answer }: ToScore): Promise<Scored> {
  const isSure = answer.kind === 'reading'
  const reading = getReading(answer)
  if (question.sql.length === 0) return { outcome: isSure ? 'wrong' : 'right', note: '' }
  if (!reading) return { outcome: 'unsure', note: '' }
  const limits = { ...GUARD_LIMITS, maxRows: 50_000 }
  const { result, account } = await runGuarded(session, { sql: reading.sql, scope, limits }).catch((error: Error) => ({
    result: null,
    account: { refusal: error },
  }))
  if (!result) return { outcome: 'unsure', note: `refused: ${account.refusal?.message}` }
  const isMatch = await isExpected(session, question, { columns: result.columns.length, rows: result.rows })
  if (isSure) return { outcome: isMatch ? 'right' : 'wrong', note: '' }
  return { outcome: 'unsure', note: isMatch ? '(the reading was right)' : '' }
}

function print({ kind, question }: Question, answer: EngineAnswer, { outcome, note }: Scored): void {
  const reading = getReading(answer)
  console.log(`${outcome.padEnd(7)} ${kind.padEnd(8)} ${question}  ${note}`)
  if (!reading) return
  console.log(`        ${reading.confidence.toFixed(2)} ignored: ${reading.ignoredWords.join(', ')}`)
  console.log(`        ${reading.sql.replaceAll('\n', ' ')}`)
}

async function readMetrics(metrics: NonNullable<QuestionSet['metrics']>): Promise<CatalogueMetric[]> {
  return await Promise.all(
    metrics.map(async ({ name, sql }) => {
      const parsed = await parseExpression(sql)
      if ('problem' in parsed) throw new Error(`${name}: ${parsed.problem}`)
      return { code: name, name, pieces: parsed.pieces, problem: null }
    }),
  )
}

async function isExpected(
  session: Session,
  question: Question,
  actual: { columns: number; rows: readonly (readonly (string | null)[])[] },
) {
  for (const text of question.sql) {
    const { columns, rows } = await session.query({ text })
    if (isRight({ columns: columns.length, rows }, actual)) return true
  }
  return false
}

function toFigures(
  set: QuestionSet,
  outcomes: readonly { outcome: Outcome; isHeld: boolean; kind: string }[],
  times: readonly number[],
): Figure[] {
  const share = (list: readonly { outcome: Outcome }[], outcome: Outcome) =>
    (100 * list.filter((item) => item.outcome === outcome).length) / Math.max(1, list.length)
  const held = outcomes.filter(({ isHeld }) => isHeld)
  for (const kind of new Set(outcomes.map((outcome) => outcome.kind))) {
    const ownOutcomes = outcomes.filter((outcome) => outcome.kind === kind)
    console.log(
      `${set.name} ${kind.padEnd(8)} ${ownOutcomes.filter(({ outcome }) => outcome === 'right').length} of ${ownOutcomes.length} right`,
    )
  }
  const figure = (what: string, value: number, limit?: Figure['limit']): Figure => ({
    what: `${set.name}: ${what}`,
    value,
    unit: '%',
    ...(limit && { limit }),
  })
  return [
    figure(`right, of ${outcomes.length}`, share(outcomes, 'right'), { value: set.minRight, isAtMost: false }),
    figure('asked back', share(outcomes, 'unsure')),
    figure('wrong', share(outcomes, 'wrong'), { value: 5, isAtMost: true }),
    figure(`right, of the ${held.length} held out`, share(held, 'right')),
    figure('wrong, of those held out', share(held, 'wrong')),
    { what: `${set.name}: time to read a question`, value: median([...times]), unit: 'ms' },
  ]
}
