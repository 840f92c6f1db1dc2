import type { Statement } from '@trellis/contract/sql/sql.schemas'
import type { Session } from '@trellis/workspace-db/session'
import type { Column } from '@trellis/workspace-db/session/portal'
import { describeColumns, toResultColumns } from './column-types.ts'
import type { PreparedStatement } from './grammar/prepare-statements.ts'
import type { ResultWriter } from './result-store.ts'
import type { StoredRequest } from './sql-jobs.repository.ts'

export interface StatementWork {
  readonly explain: StoredRequest['explain']
  readonly writer: ResultWriter
  readonly onProgress: (change: Partial<Statement>) => void
}

export async function runStatement(
  session: Session,
  statement: PreparedStatement,
  work: StatementWork,
): Promise<Partial<Statement>> {
  if (work.explain !== 'none') return await explainStatement(session, statement)
  const started = performance.now()
  const batches = session.streamBytes({ text: statement.text, values: statement.values })
  let columns: readonly Column[] = []
  let rows = 0
  for (;;) {
    const step = await batches.next()
    if (step.done) {
      await work.writer.finish()
      const duration_ms = performance.now() - started
      const { command, rowCount, cutAt } = step.value
      const described = columns.length === 0 ? null : await describeColumns(session, columns)
      return { command, rows: described ? rows : rowCount, cut_at: cutAt ?? null, columns: described, duration_ms }
    }
    if (columns.length === 0 && step.value.columns.length > 0) {
      columns = step.value.columns
      work.onProgress({ columns: toResultColumns(columns) })
    }
    await work.writer.add(step.value)
    rows += step.value.rows
    work.onProgress({ rows })
  }
}

async function explainStatement(session: Session, statement: PreparedStatement): Promise<Partial<Statement>> {
  const started = performance.now()
  if (statement.isRolledBack) await session.query({ text: 'begin' })
  try {
    const { rows } = await session.query({ text: statement.text, values: statement.values })
    const plan: unknown = JSON.parse(rows[0]?.[0] ?? 'null')
    return { command: 'EXPLAIN', plan, duration_ms: performance.now() - started }
  } finally {
    if (statement.isRolledBack) await session.query({ text: 'rollback' })
  }
}
