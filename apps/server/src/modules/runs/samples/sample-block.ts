import { decodeCopy } from '@trellis/connector-kit/copy-text'
import type { Field, Value } from '@trellis/connector-kit/batch'
import type {
  BlockSample,
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getBlockRow } from '../../dataflows/blocks.service.ts'
import { findWritingBlock } from '../../dataflows/table-makers.service.ts'
import { managedCode, openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { sampleSource } from '../../integrations/connection/source-samples.service.ts'
import { applyDataModel } from '../work/destination.ts'
import {
  type ManagedQuery,
  copyQuery,
  describeQuery,
  parseSingleQuery,
  toInputQuery,
} from '../work/managed/managed-query.ts'
import { runJavascript } from '../work/managed/run-javascript.ts'
import { parseStatements, runEachStatement } from '../work/managed/run-statements.ts'
import { withSandboxSlot } from './sandbox-slots.ts'
import { parseMissingTable, toSampleError } from './sample-fault.ts'

export interface SampleBody {
  readonly side: 'input' | 'output'
  readonly subtask_name?: string | undefined
  readonly rows?: number | undefined
}

const DEFAULT_ROWS = 50
const MAX_CELL_LENGTH = 2000
const MAX_NOTES = 50
const TIMEOUT_MS = 20_000
const MAX_JAVASCRIPT_ROWS = 1000

export async function sampleBlock(ctx: WorkspaceCtx, code: string, body: SampleBody): Promise<BlockSample> {
  const { kind, settings } = await getBlockRow(ctx, code)
  const sampleInput = { side: body.side, rows: body.rows ?? DEFAULT_ROWS, subtask: body.subtask_name }
  try {
    if (kind === 'Source') return await readSourceSample(ctx, settings as SourceSettings, sampleInput)
    return await withManagedDatabase(ctx, (session) =>
      kind === 'Transformation'
        ? readTransformationSample(ctx, session, { settings: settings as TransformationSettings, ...sampleInput })
        : readDestinationSample(session, { settings: settings as DestinationSettings, ...sampleInput }),
    )
  } catch (error) {
    throw (await explainMissingTable(ctx, code, error)) ?? toSampleError(error)
  }
}

/** A table created by another block is missing until that has run. */
async function explainMissingTable(ctx: WorkspaceCtx, code: string, error: unknown): Promise<AppError | undefined> {
  const table = parseMissingTable(error)
  const writingBlock = table && (await findWritingBlock(ctx, code, table))
  if (!table || !writingBlock) return undefined
  const advice = writingBlock.isPublished ? 'Run that block first' : 'Publish and run that block first'
  const tableName = table.schema === undefined ? table.name : `${table.schema}.${table.name}`
  const message = `The table ${tableName} is not there yet: the block “${writingBlock.name}” makes it. ${advice}, then read again.`
  return new AppError('statement_failed', message, { cause: error })
}

interface SampleInput {
  readonly side: 'input' | 'output'
  readonly rows: number
  readonly subtask: string | undefined
}

async function readSourceSample(
  ctx: WorkspaceCtx,
  settings: SourceSettings,
  { side, rows, subtask }: SampleInput,
): Promise<BlockSample> {
  const { integration_trellis_code: integration, subtasks } = settings
  const chosenSubtask = subtask === undefined ? subtasks[0] : subtasks.find(({ name }) => name === subtask)
  if (integration === null) throw new AppError('block_incomplete', 'Choose a connection first.')
  if (!chosenSubtask) throw new AppError('block_incomplete', 'Say first what is read.')
  const preview = await sampleSource(ctx, integration, { values: chosenSubtask.query, rows })
  const columns = preview.columns.map(({ name, type }) => ({ name, type }))
  const model = chosenSubtask.write?.dataModel
  if (side === 'input' || !model) return { columns, rows: preview.rows, is_cut: preview.is_cut, notes: [] }
  const mappedColumns = columns.flatMap(({ name }, columnIndex) => {
    const type = model.fields[name]
    return type === undefined ? [] : [{ at: columnIndex, column: { name: model.column_mapping[name] ?? name, type } }]
  })
  return {
    columns: mappedColumns.map(({ column }) => column),
    rows: preview.rows.map((row) => mappedColumns.map(({ at: columnIndex }) => row[columnIndex] ?? null)),
    is_cut: preview.is_cut,
    notes: [],
  }
}

/** Always rolled back. */
async function withManagedDatabase<T>(ctx: WorkspaceCtx, work: (session: Session) => Promise<T>): Promise<T> {
  const { cluster, database, credentials } = await openDatabase(ctx, managedCode(ctx.workspace.code))
  const limits = {
    statementMs: TIMEOUT_MS,
    lockMs: 2_000,
    idleInTransactionMs: TIMEOUT_MS,
    maxRows: Number.MAX_SAFE_INTEGER,
  }
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(2 * TIMEOUT_MS)])
  return await withSession(cluster, { database, credentials, role: 'rw', limits, signal }, async (session) => {
    const result = await work(session)
    await session.query({ text: 'rollback' })
    return result
  })
}

const beginReadOnly = async (session: Session) =>
  void (await session.query({ text: 'begin transaction isolation level repeatable read, read only' }))

type TransformationSampleInput = SampleInput & { readonly settings: TransformationSettings }

async function readTransformationSample(
  ctx: WorkspaceCtx,
  session: Session,
  input: TransformationSampleInput,
): Promise<BlockSample> {
  const { settings, side, rows } = input
  if (settings.language === 'javascript') {
    await beginReadOnly(session)
    const query = await describeQuery(session, toInputQuery(settings.input))
    return side === 'input'
      ? await readQueryRows(session, query, rows)
      : await withSandboxSlot(ctx.workspace.id, () => runJavascriptSample(ctx, session, { ...input, query }))
  }
  if (side === 'input')
    return { columns: [], rows: [], is_cut: false, notes: ['SQL names the tables it reads itself.'] }
  if (!settings.write) return await runSqlAndDescribe(ctx, session, settings.code)
  await beginReadOnly(session)
  return await readQueryRows(session, await describeQuery(session, parseSingleQuery(settings.code)), rows)
}

async function readDestinationSample(
  session: Session,
  { settings, side, rows }: SampleInput & { readonly settings: DestinationSettings },
): Promise<BlockSample> {
  await beginReadOnly(session)
  const query = await describeQuery(session, toInputQuery(settings.input))
  return await readQueryRows(session, side === 'input' ? query : applyDataModel(query, settings), rows)
}

async function readQueryRows(
  session: Session,
  { fields, select }: ManagedQuery,
  maxRows: number,
): Promise<BlockSample> {
  const rows = await readRows(session, { fields, select }, maxRows + 1)
  return toBlockSample(fields, { rows: rows.slice(0, maxRows), isCut: rows.length > maxRows, notes: [] })
}

async function readRows(session: Session, { fields, select }: ManagedQuery, maxRows: number): Promise<Value[][]> {
  const rows: Value[][] = []
  for await (const { bytes } of copyQuery(session, `${select} limit ${maxRows}`))
    rows.push(...decodeCopy(bytes, fields))
  return rows
}

function toBlockSample(
  fields: readonly Field[],
  { rows, isCut, notes }: { rows: readonly (readonly Value[])[]; isCut: boolean; notes: string[] },
): BlockSample {
  return {
    columns: fields.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => fields.map((_, columnIndex) => formatCell(row[columnIndex] ?? null))),
    is_cut: isCut,
    notes,
  }
}

function formatCell(value: Value): string | null {
  if (value === null) return null
  const text = String(value)
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text
}

async function runJavascriptSample(
  ctx: WorkspaceCtx,
  session: Session,
  { settings, rows: maxRows, query }: TransformationSampleInput & { readonly query: ManagedQuery },
): Promise<BlockSample> {
  const notes: string[] = []
  const inputRows = await readRows(session, query, MAX_JAVASCRIPT_ROWS)
  if (inputRows.length === MAX_JAVASCRIPT_ROWS)
    notes.push(`The function was given the first ${MAX_JAVASCRIPT_ROWS} rows.`)
  const javascriptRows = await runJavascript({
    settings,
    fields: query.fields,
    batches: (async function* () {
      yield { kind: 'rows', rows: inputRows }
    })(),
    signal: ctx.http.signal,
    onLine: (line) => void (notes.length < MAX_NOTES && notes.push(line)),
    limits: { batchMs: 10_000, totalMs: TIMEOUT_MS, memoryMb: 64 },
  })
  try {
    const outputRows: (readonly Value[])[] = []
    for await (const { rows } of javascriptRows.batches)
      outputRows.push(...rows.slice(0, maxRows + 1 - outputRows.length))
    if (!javascriptRows.fields) notes.push('The function gave back no rows.')
    return toBlockSample(javascriptRows.fields ?? [], {
      rows: outputRows.slice(0, maxRows),
      isCut: outputRows.length > maxRows,
      notes,
    })
  } finally {
    await javascriptRows.close()
  }
}

/** SQL that writes is executed and rolled back. */
async function runSqlAndDescribe(ctx: WorkspaceCtx, session: Session, code: string): Promise<BlockSample> {
  const statements = parseStatements(code)
  await session.query({ text: 'begin' })
  const notes: string[] = []
  await runEachStatement(session, { code, statements, signal: ctx.http.signal }, ({ command, rowCount }) => {
    if (notes.length < MAX_NOTES) notes.push(`${command || 'Statement'}: ${rowCount.toLocaleString('en')} rows`)
  })
  return { columns: [], rows: [], is_cut: false, notes: ['It was tried out and rolled back.', ...notes] }
}
