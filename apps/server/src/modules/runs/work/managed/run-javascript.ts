import type { Batch, Field, RowBatch, Value } from '@trellis/connector-kit/batch'
import type { Reading } from '@trellis/connector-kit/connector'
import { readBatchRows } from '@trellis/connector-kit/copy-text'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { TransformationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { type Columns, toColumns, getRow } from '@trellis/sandbox/columns'
import { openSandbox, type Sandbox } from '@trellis/sandbox/sandbox'
import { SandboxError } from '@trellis/sandbox/sandbox-error'
import { RunFault } from '../../runner/run-work.ts'

export interface JavascriptRequest {
  readonly settings: Pick<TransformationSettings, 'code' | 'packages' | 'write'>
  readonly fields: readonly Field[]
  readonly batches: AsyncIterable<Batch>
  readonly signal: AbortSignal
  readonly onLine: (line: string) => void
  readonly onRows?: (rows: number) => void
  readonly limits?: { readonly batchMs?: number; readonly totalMs?: number; readonly memoryMb?: number }
}

export interface JavascriptRows {
  readonly fields: readonly Field[] | undefined
  readonly batches: AsyncIterable<RowBatch>
  readonly close: () => Promise<void>
}

/** Columns are inferred from the first rows, so the function has started when this returns. Always close it. */
export async function runJavascript(request: JavascriptRequest): Promise<JavascriptRows> {
  const { settings, signal, onLine, limits } = request
  const sandbox = await openSandbox({
    code: settings.code,
    packages: settings.packages,
    signal,
    onLine,
    ...(limits && { limits }),
  }).catch((error: unknown) => {
    throw toCodeFault(error)
  })
  const outputBatches = runBatches(request, sandbox)
  try {
    const first = await outputBatches.next()
    const fields = first.done ? getModelFields(settings) : toFields(first.value, request)
    const batches = fields && !first.done ? streamRowBatches(first.value, outputBatches, fields) : readNoBatches()
    return { fields, batches, close: () => sandbox.close() }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function* readNoBatches(): AsyncGenerator<RowBatch> {}

async function* runBatches(request: JavascriptRequest, sandbox: Sandbox): AsyncGenerator<Columns> {
  const names = request.fields.map(({ name }) => name)
  const converters = request.fields.map(({ type }) => (type === 'decimal' ? toNumber : keepValue))
  try {
    for await (const batch of request.batches) {
      const rows = readBatchRows(batch, request.fields)
      request.onRows?.(rows.length)
      const convertedRows = rows.map((row) => row.map((value, at) => converters[at]?.(value) ?? null))
      const output = await sandbox.run(toColumns(names, convertedRows))
      if (output && output.rowCount > 0) yield output
    }
    const lastOutput = await sandbox.finish()
    if (lastOutput && lastOutput.rowCount > 0) yield lastOutput
  } catch (error) {
    throw toCodeFault(error)
  }
}

const keepValue = (value: Value): Value => value
/** Decimals are strings elsewhere to keep their digits, but user code expects numbers. */
const toNumber = (value: Value): Value => (typeof value === 'string' ? Number(value) : value)

function toFields({ names, data }: Columns, { settings, fields }: JavascriptRequest): Field[] {
  if (names.length === 0) throw new RunFault('configuration', 'The function gave back rows without columns.')
  return names.map((name, at) => {
    const chosenType = settings.write?.dataModel?.fields[name]
    const inputType = fields.find((field) => field.name === name)?.type
    return { name, type: chosenType ?? inputType ?? inferColumnType(data[at] ?? []), isNullable: true }
  })
}

function getModelFields({ write }: JavascriptRequest['settings']): Field[] | undefined {
  const model = write?.dataModel
  return model ? Object.entries(model.fields).map(([name, type]) => ({ name, type, isNullable: true })) : undefined
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** Inferred from the first rows; numbers become decimal, since fractions may follow. */
function inferColumnType(column: ArrayLike<unknown>): ColumnType {
  const values = Array.from(column).filter((value) => value !== null)
  const isAlways = (test: (value: unknown) => boolean) => values.length > 0 && values.every(test)
  if (isAlways((value) => typeof value === 'number')) return 'decimal'
  if (isAlways((value) => typeof value === 'boolean')) return 'boolean'
  if (isAlways((value) => typeof value === 'string' && DAY.test(value))) return 'date'
  if (isAlways((value) => typeof value === 'string' && MOMENT.test(value))) return 'timestamptz'
  return 'text'
}

async function* streamRowBatches(
  first: Columns,
  remainingOutputs: AsyncGenerator<Columns>,
  fields: readonly Field[],
): AsyncGenerator<RowBatch> {
  yield toBatch(first, fields)
  for await (const columns of remainingOutputs) yield toBatch(columns, fields)
}

function toBatch(columns: Columns, fields: readonly Field[]): RowBatch {
  const extraColumn = columns.names.find((name) => !fields.some((field) => field.name === name))
  if (extraColumn !== undefined) {
    throw new RunFault(
      'configuration',
      `The function gave back a column "${extraColumn}" that its first rows did not have.`,
      {
        advice: 'Give back the same columns every time, with null where there is no value.',
      },
    )
  }
  const columnIndexes = fields.map(({ name }) => columns.names.indexOf(name))
  const rows = Array.from({ length: columns.rowCount }, (_, row) => {
    const cells = getRow(columns, row)
    return columnIndexes.map((index) => cells[index] ?? null)
  })
  return { kind: 'rows', rows }
}

/** Without checkpoints, since the function may keep state between batches. */
export const toReading = ({ fields, batches }: JavascriptRows, key: readonly string[]): Reading => ({
  fields: fields ?? [],
  key,
  cursor: null,
  isSampled: true,
  batches,
})

function toCodeFault(error: unknown): unknown {
  if (!(error instanceof SandboxError) || error.fault === 'cancelled') return error
  const { line, column, fault } = error
  const position = line === null ? '' : ` (line ${line}${column === null ? '' : `, column ${column}`})`
  return new RunFault(fault === 'host' ? 'system' : 'configuration', `${error.message}${position}`, {
    cause: error,
    advice: ADVICE_BY_FAULT[fault] ?? 'Mend the function and publish the block.',
  })
}

const ADVICE_BY_FAULT: Partial<Record<SandboxError['fault'], string>> = {
  time: 'Do less for each batch, or do the heavy part in SQL.',
  memory: 'Keep less between batches, or read fewer columns.',
}
