import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerQuestion, createEngine } from '@trellis/assistant/engine/answer'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { listAllowedFunctions } from '@trellis/sql-guard/allowed-functions'
import { GUARD_LIMITS, runGuarded } from '@trellis/sql-guard/run-guarded'
import { readLinks, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { type Cluster, openCluster } from '@trellis/workspace-db/cluster'
import { newWorkspaceKey } from '@trellis/workspace-db/names'
import { type WorkspaceDatabase, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { createSchema } from '@trellis/workspace-db/schemas/change-schemas'
import { withScopedSession } from '@trellis/workspace-db/scoped/scoped-session'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { SAMPLE_SCHEMA, listSampleStatements } from '@trellis/workspace-db/samples/shop'
import { type Figure, median, report } from '../report.ts'
import { CLINIC_QUESTIONS } from './clinic-questions.ts'
import { CLINIC_SCHEMA, CLINIC_STATEMENTS } from './clinic-sample.ts'
import { DEMO_QUESTIONS } from './demo-questions.ts'
import { type Question, isHeldOut } from './question.ts'
import { measureFirstPart } from './first-part.ts'
import { isRight } from './score.ts'

const NOW = new Date('2025-12-15T12:00:00Z')

interface QuestionSet {
  readonly name: string
  readonly schema: string
  readonly statements: readonly string[]
  readonly questions: readonly Question[]
  readonly minRight: number
}

const SETS: readonly QuestionSet[] = [
  {
    name: 'shop',
    schema: SAMPLE_SCHEMA,
    statements: listSampleStatements(SAMPLE_SCHEMA),
    questions: DEMO_QUESTIONS,
    minRight: 80,
  },
  { name: 'clinic', schema: CLINIC_SCHEMA, statements: CLINIC_STATEMENTS, questions: CLINIC_QUESTIONS, minRight: 60 },
]

type Outcome = 'right' | 'unsure' | 'wrong'

/** `--only shop`, `clinic` or `first-part`; `--all` also lists what the held-out questions gave. */
export async function run(args: string[]): Promise<void> {
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const figures: Figure[] = []
  const home = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  // Started by root, the database runs as another user, who must be able to get in.
  await chmod(home, 0o711)
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), settings: { synchronous_commit: 'off' } })
  try {
    const cluster = await openCluster({ adminUrl: postgres.url })
    const key = newWorkspaceKey()
    const workspace = await provisionWorkspaceDatabase(cluster, { key })
    for (const set of SETS) {
      if (!only || only === set.name) figures.push(...(await runSet({ cluster, key, ...workspace }, set, args)))
    }
    await cluster.close()
  } finally {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  }
  if (!only || only === 'first-part') figures.push(...(await measureFirstPart()))
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
  const described = await readTables(session, tables)
  const engine = createEngine({
    tables: described.map((table) => ({ ...table, labels: [] })),
    foreignKeys: await readLinks(session, tables),
    synonyms: [],
  })
  const scope = {
    tables: described.map(({ schema, name, columns }) => ({
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
    const reading =
      answer.kind === 'reading' ? answer.reading : answer.kind === 'readings' ? answer.readings[0] : undefined
    times.push(performance.now() - started)
    const isHeld = isHeldOut(at)
    let outcome: Outcome = 'unsure'
    let note = ''
    if (reading) {
      const { result, account } = await runGuarded(session, {
        sql: reading.sql,
        scope,
        limits: { ...GUARD_LIMITS, maxRows: 50_000 },
      }).catch((error: Error) => ({ result: null, account: { refusal: error } }))
      if (account.refusal) note = `refused: ${account.refusal.message}`
      const isMatch =
        result !== null && (await isExpected(session, question, { columns: result.columns.length, rows: result.rows }))
      const isSure = answer.kind === 'reading'
      outcome = !isSure || !result ? 'unsure' : isMatch ? 'right' : 'wrong'
      if (!isSure && isMatch) note = '(the reading was right)'
    }
    outcomes.push({ outcome, isHeld, kind: question.kind })
    if (outcome !== 'right' && (!isHeld || args.includes('--all'))) {
      console.log(`${outcome.padEnd(7)} ${question.kind.padEnd(8)} ${question.question}  ${note}`)
      if (reading)
        console.log(
          `        ${reading.confidence.toFixed(2)} ignored: ${reading.ignoredWords.join(', ')}\n        ${reading.sql.replaceAll('\n', ' ')}`,
        )
    }
  }
  return toFigures(set, outcomes, times)
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
    (100 * list.filter((one) => one.outcome === outcome).length) / Math.max(1, list.length)
  const held = outcomes.filter(({ isHeld }) => isHeld)
  for (const kind of new Set(outcomes.map((one) => one.kind))) {
    const own = outcomes.filter((one) => one.kind === kind)
    console.log(
      `${set.name} ${kind.padEnd(8)} ${own.filter(({ outcome }) => outcome === 'right').length} of ${own.length} right`,
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
