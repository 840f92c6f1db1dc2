import type { TransformationSettings, WriteStep } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Reading } from '@trellis/connector-kit/connector'
import { findTarget } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import type { OpenDatabase } from '../../../platform/workspace-database/open-database.ts'
import { toLoadFault } from './loads/load-faults.ts'
import { loadReading } from './loads/load-reading.ts'
import { openRunDatabase, withLoadSession } from './loads/load-session.ts'
import { planSubtask } from './loads/plan-subtask.ts'
import { copyQuery, describeQuery, parseSingleQuery, toInputQuery } from './managed/managed-query.ts'
import { withManagedSession, withReadSession } from './managed/managed-session.ts'
import { toReading, runJavascript } from './managed/run-javascript.ts'
import { OUTPUT, runStatements } from './managed/run-statements.ts'
import { readSourceMemory, saveSourceMemory } from './loads/source-memory.ts'
import { RunFault, type RunWork } from '../runner/run-work.ts'
import { assertNotDryRun, writesWithoutTarget } from './dry-run.ts'

type TransformationWork = RunWork<TransformationSettings>

export async function runTransformation(work: TransformationWork): Promise<void> {
  const { write } = work.block.settings
  const code = await getCode(work)
  const database = await openRunDatabase(work.ctx, work.workspace)
  await work.markWorking()
  try {
    if (writesWithoutTarget(work.block.settings)) await runWritingSql(work, database, code)
    else if (!write)
      throw new RunFault('configuration', 'It is not said where the rows go.', {
        advice: 'Choose a table and publish the block.',
      })
    else await withReadSession(database, work, (reader) => readAndLoadRows({ work, database, reader, code, write }))
  } catch (error) {
    work.signal.throwIfAborted()
    throw toLoadFault(error, OUTPUT) ?? error
  }
}

async function getCode({ block, log }: TransformationWork): Promise<string> {
  const { code, worksheet } = block.settings
  if (code.trim() === '') {
    throw new RunFault('configuration', 'There is no code to run.', { advice: 'Write it and publish the block.' })
  }
  if (worksheet) log('INFO', `SQL of worksheet ${worksheet.path}, version ${worksheet.commit_id.slice(0, 7)}.`)
  return code
}

async function runWritingSql(work: TransformationWork, database: OpenDatabase, code: string): Promise<void> {
  assertNotDryRun(work)
  const onNotice = ({ severity, message }: { severity: string; message: string }) =>
    work.log(severity === 'WARNING' ? 'WARNING' : 'INFO', message)
  await withManagedSession(database, { ...work, onNotice }, (session) => runStatements(work, session, code))
}

interface TransformationLoad {
  readonly work: TransformationWork
  readonly database: OpenDatabase
  readonly reader: Session
  readonly code: string
  readonly write: WriteStep
}

async function readAndLoadRows(loading: TransformationLoad): Promise<void> {
  const { work, reader, code, write } = loading
  const key = write.dataModel?.primary_keys ?? []
  if (work.block.settings.language === 'sql') {
    const { fields, select } = await describeQuery(reader, parseSingleQuery(code))
    return await loadIntoTable(loading, { fields, key, cursor: null, batches: copyQuery(reader, select) })
  }
  const { fields, select } = await describeQuery(reader, toInputQuery(work.block.settings.input))
  const rows = await runJavascript({
    settings: { ...work.block.settings, code },
    fields,
    batches: copyQuery(reader, select),
    signal: work.signal,
    onLine: (line) => work.log('INFO', line),
    limits: { totalMs: work.block.settings.most_minutes * 60_000 },
  })
  try {
    if (!rows.fields) return work.log('INFO', 'The function gave back no rows; nothing was written.')
    await loadIntoTable(loading, toReading(rows, key))
  } finally {
    await rows.close()
  }
}

async function loadIntoTable({ work, database, write }: TransformationLoad, reading: Reading): Promise<void> {
  const table = { schema: write.schema_name, table: write.table_name }
  const query = { transformation: { code: work.block.settings.code, input: work.block.settings.input } }
  const subtask = { name: OUTPUT, query, is_incremental: false, write }
  await withLoadSession(database, work, async (session) => {
    const target = await findTarget(session, table)
    const { request } = work.run
    const memory = await readSourceMemory(work, subtask.name)
    const plan = planSubtask({ subtask, write, reading, target, memory, request })
    for (const line of plan.log) work.log('INFO', line)
    await loadReading({
      work,
      session,
      subtask,
      write,
      plan,
      table,
      hasTable: target !== undefined,
      sourceKeyAndCursor: reading,
      source: 'the transformation',
      integrationCode: work.block.settings.integration_trellis_code ?? '',
      read: async () => reading,
    })
    await saveSourceMemory(work, subtask.name, plan)
  })
}
