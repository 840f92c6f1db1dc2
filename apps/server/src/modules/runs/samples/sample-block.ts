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
import { findTableMaker } from '../../dataflows/table-makers.service.ts'
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
import { readStatements, runAll } from '../work/managed/run-statements.ts'
import { withCodePlace } from './code-places.ts'
import { parseMissingTable, sampleFault } from './sample-fault.ts'

export interface SampleBody {
  readonly side: 'input' | 'output'
  readonly subtask_name?: string | undefined
  readonly rows?: number | undefined
}

const ROWS = 50
const MAX_CELL_LENGTH = 2000
const MAX_NOTES = 50
const TIMEOUT_MS = 20_000
const JAVASCRIPT_ROWS = 1000

export async function sampleBlock(ctx: WorkspaceCtx, code: string, body: SampleBody): Promise<BlockSample> {
  const { kind, settings } = await getBlockRow(ctx, code)
  const asked = { side: body.side, rows: body.rows ?? ROWS, subtask: body.subtask_name }
  try {
    if (kind === 'Source') return await readSourceSample(ctx, settings as SourceSettings, asked)
    return await withManagedDatabase(ctx, (session) =>
      kind === 'Transformation'
        ? readTransformationSample(ctx, session, { settings: settings as TransformationSettings, ...asked })
        : readDestinationSample(session, { settings: settings as DestinationSettings, ...asked }),
    )
  } catch (error) {
    throw (await explainMissingTable(ctx, code, error)) ?? sampleFault(error)
  }
}

/** A table created by another block is missing until that has run. */
async function explainMissingTable(ctx: WorkspaceCtx, code: string, error: unknown): Promise<AppError | undefined> {
  const table = parseMissingTable(error)
  const maker = table && (await findTableMaker(ctx, code, table))
  if (!table || !maker) return undefined
  const first = maker.isPublished ? 'Run that block first' : 'Publish and run that block first'
  const named = table.schema === undefined ? table.name : `${table.schema}.${table.name}`
  const words = `The table ${named} is not there yet: the block “${maker.name}” makes it. ${first}, then read again.`
  return new AppError('statement_failed', words, { cause: error })
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
  const chosen = subtask === undefined ? subtasks[0] : subtasks.find(({ name }) => name === subtask)
  if (integration === null) throw new AppError('block_incomplete', 'Choose a connection first.')
  if (!chosen) throw new AppError('block_incomplete', 'Say first what is read.')
  const preview = await sampleSource(ctx, integration, { values: chosen.query, rows })
  const columns = preview.columns.map(({ name, type }) => ({ name, type }))
  const model = chosen.write?.dataModel
  if (side === 'input' || !model) return { columns, rows: preview.rows, is_cut: preview.is_cut, notes: [] }
  const kept = columns.flatMap(({ name }, at) => {
    const type = model.fields[name]
    return type === undefined ? [] : [{ at, column: { name: model.column_mapping[name] ?? name, type } }]
  })
  return {
    columns: kept.map(({ column }) => column),
    rows: preview.rows.map((row) => kept.map(({ at }) => row[at] ?? null)),
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

const beginRead = async (session: Session) =>
  void (await session.query({ text: 'begin transaction isolation level repeatable read, read only' }))

type OfTransformation = SampleInput & { readonly settings: TransformationSettings }

async function readTransformationSample(
  ctx: WorkspaceCtx,
  session: Session,
  asked: OfTransformation,
): Promise<BlockSample> {
  const { settings, side, rows } = asked
  if (settings.language === 'javascript') {
    await beginRead(session)
    const query = await describeQuery(session, toInputQuery(settings.input))
    return side === 'input'
      ? await readQueryRows(session, query, rows)
      : await withCodePlace(ctx.workspace.id, () => runSample(ctx, session, { ...asked, query }))
  }
  if (side === 'input')
    return { columns: [], rows: [], is_cut: false, notes: ['SQL names the tables it reads itself.'] }
  if (!settings.write) return await trySql(ctx, session, settings.code)
  await beginRead(session)
  return await readQueryRows(session, await describeQuery(session, parseSingleQuery(settings.code)), rows)
}

async function readDestinationSample(
  session: Session,
  { settings, side, rows }: SampleInput & { readonly settings: DestinationSettings },
): Promise<BlockSample> {
  await beginRead(session)
  const query = await describeQuery(session, toInputQuery(settings.input))
  return await readQueryRows(session, side === 'input' ? query : applyDataModel(query, settings), rows)
}

async function readQueryRows(session: Session, { fields, select }: ManagedQuery, most: number): Promise<BlockSample> {
  const rows = await readRows(session, { fields, select }, most + 1)
  return toBlockSample(fields, { rows: rows.slice(0, most), isCut: rows.length > most, notes: [] })
}

async function readRows(session: Session, { fields, select }: ManagedQuery, most: number): Promise<Value[][]> {
  const rows: Value[][] = []
  for await (const { bytes } of copyQuery(session, `${select} limit ${most}`)) rows.push(...decodeCopy(bytes, fields))
  return rows
}

function toBlockSample(
  fields: readonly Field[],
  { rows, isCut, notes }: { rows: readonly (readonly Value[])[]; isCut: boolean; notes: string[] },
): BlockSample {
  return {
    columns: fields.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => fields.map((_, at) => formatCell(row[at] ?? null))),
    is_cut: isCut,
    notes,
  }
}

function formatCell(value: Value): string | null {
  if (value === null) return null
  const text = String(value)
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text
}

async function runSample(
  ctx: WorkspaceCtx,
  session: Session,
  { settings, rows: most, query }: OfTransformation & { readonly query: ManagedQuery },
): Promise<BlockSample> {
  const notes: string[] = []
  const read = await readRows(session, query, JAVASCRIPT_ROWS)
  if (read.length === JAVASCRIPT_ROWS) notes.push(`The function was given the first ${JAVASCRIPT_ROWS} rows.`)
  const createdJavascriptRows = await runJavascript({
    settings,
    fields: query.fields,
    batches: (async function* () {
      yield { kind: 'rows', rows: read }
    })(),
    signal: ctx.http.signal,
    onLine: (line) => void (notes.length < MAX_NOTES && notes.push(line)),
    limits: { batchMs: 10_000, totalMs: TIMEOUT_MS, memoryMb: 64 },
  })
  try {
    const out: (readonly Value[])[] = []
    for await (const { rows } of createdJavascriptRows.batches) out.push(...rows.slice(0, most + 1 - out.length))
    if (!createdJavascriptRows.fields) notes.push('The function gave back no rows.')
    return toBlockSample(createdJavascriptRows.fields ?? [], {
      rows: out.slice(0, most),
      isCut: out.length > most,
      notes,
    })
  } finally {
    await createdJavascriptRows.close()
  }
}

/** SQL that writes is executed and rolled back. */
async function trySql(ctx: WorkspaceCtx, session: Session, code: string): Promise<BlockSample> {
  const statements = readStatements(code)
  await session.query({ text: 'begin' })
  const notes: string[] = []
  await runAll(session, { code, statements, signal: ctx.http.signal }, ({ command, rowCount }) => {
    if (notes.length < MAX_NOTES) notes.push(`${command || 'Statement'}: ${rowCount.toLocaleString('en')} rows`)
  })
  return { columns: [], rows: [], is_cut: false, notes: ['It was tried out and rolled back.', ...notes] }
}
