import { claimUnlessFinished, finishWriter } from '@trellis/loads/writers'
import type { Session } from '@trellis/workspace-db/session'
import { getFirstKeyword, splitStatements } from '@trellis/workspace-db/statements/split-statements'
import { toLoadId, toWriterName } from '../loads/load-id.ts'
import { RunFault, type RunWork } from '../../runner/run-work.ts'
import { toSqlFault } from './sql-fault.ts'

export const OUTPUT = 'output'
/** They would end the transaction that holds the fence. */
const TRANSACTION_KEYWORDS = new Set([
  'BEGIN',
  'START',
  'COMMIT',
  'END',
  'ROLLBACK',
  'ABORT',
  'PREPARE',
  'SAVEPOINT',
  'RELEASE',
])
const MAX_SHOWN_CHARACTERS = 80

/** User SQL that writes: one transaction, applied exactly once. */
export async function runStatements(work: RunWork, session: Session, code: string): Promise<void> {
  const statements = parseStatements(code)
  const writer = toWriterName(work, OUTPUT)
  const loadId = toLoadId(work.run.rootCode, OUTPUT)
  await session.query({ text: 'begin' })
  // Fence before the user's SQL, which could redefine names.
  const claim = { writer, epoch: work.run.epoch, loadId }
  if (!(await claimUnlessFinished(session, claim))) {
    await session.query({ text: 'rollback' })
    work.log('INFO', 'An earlier attempt had run all statements already.')
    return
  }
  await finishWriter(session, { ...claim, isDone: true })
  const transactionId = await readTransactionId(session)
  await runEachStatement(session, { code, statements, signal: work.signal }, (result) => logStatement(work, result))
  if ((await readTransactionId(session)) !== transactionId) {
    throw new RunFault('configuration', 'A statement ended the transaction that all statements run in.')
  }
  await session.query({ text: 'commit' })
  work.markCommitted()
}

export function parseStatements(code: string) {
  const statements = splitStatements(code)
  if (statements.length === 0) {
    throw new RunFault('configuration', 'There is no SQL to run.', { advice: 'Write a statement.' })
  }
  const transactionStatement = statements.find(({ text }) => TRANSACTION_KEYWORDS.has(getFirstKeyword(text)))
  if (transactionStatement) {
    throw new RunFault(
      'configuration',
      `${getFirstKeyword(transactionStatement.text)} can not be used here: all statements are one transaction.`,
      {
        advice: 'Leave it out; either everything is written or nothing.',
      },
    )
  }
  return statements
}

export interface StatementResult {
  readonly text: string
  readonly command: string
  readonly rowCount: number
}

export async function runEachStatement(
  session: Session,
  { code, statements, signal }: { code: string; statements: ReturnType<typeof parseStatements>; signal: AbortSignal },
  onDone: (result: StatementResult) => void,
): Promise<void> {
  for (const { text, offset } of statements) {
    signal.throwIfAborted()
    const summary = await readToEnd(session, text).catch((error: unknown) => {
      throw toSqlFault(error, { code, offset: [...code.slice(0, offset)].length })
    })
    onDone({ text, ...summary })
  }
}

/** Reads all rows, as functions in a SELECT may have effects. */
async function readToEnd(session: Session, text: string): Promise<{ command: string; rowCount: number }> {
  const batches = session.stream({ text })
  for (;;) {
    const step = await batches.next()
    if (step.done) return step.value
  }
}

async function readTransactionId(session: Session): Promise<string | null> {
  const { rows } = await session.query({ text: 'select pg_catalog.pg_current_xact_id()::text' })
  return rows[0]?.[0] ?? null
}

function logStatement(work: RunWork, { text, command, rowCount }: StatementResult): void {
  const oneLineText = text.replaceAll(/\s+/g, ' ')
  const shownText =
    oneLineText.length > MAX_SHOWN_CHARACTERS ? `${oneLineText.slice(0, MAX_SHOWN_CHARACTERS)}…` : oneLineText
  const rows = rowCount === 1 ? 'one row' : `${rowCount.toLocaleString('en')} rows`
  work.log('INFO', `${command || 'Statement'}${countsRows(command) ? `: ${rows}` : ''} — ${shownText}`)
  if (command === 'UPDATE') work.count({ rows_updated: rowCount })
  else if (command === 'SELECT' && !/\binto\b|^\s*create\b/i.test(text)) work.count({ rows_read: rowCount })
  else if (countsRows(command) && command !== 'DELETE') work.count({ rows_written: rowCount })
}

const countsRows = (command: string) => /^(SELECT|INSERT|UPDATE|DELETE|MERGE|COPY)/.test(command)
