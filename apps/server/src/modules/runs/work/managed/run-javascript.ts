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
    throw codeFault(error)
  })
  const outputs = runBatches(request, sandbox)
  try {
    const first = await outputs.next()
    const fields = first.done ? fieldsWithout(settings) : toFields(first.value, request)
    const batches = fields && !first.done ? rowBatches(first.value, outputs, fields) : readNoBatches()
    return { fields, batches, close: () => sandbox.close() }
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function* readNoBatches(): AsyncGenerator<RowBatch> {}

async function* runBatches(request: JavascriptRequest, sandbox: Sandbox): AsyncGenerator<Columns> {
  const names = request.fields.map(({ name }) => name)
  const readers = request.fields.map(({ type }) => (type === 'decimal' ? toNumber : asIs))
  try {
    for await (const batch of request.batches) {
      const rows = readBatchRows(batch, request.fields)
      request.onRows?.(rows.length)
      const read = rows.map((row) => row.map((value, at) => readers[at]?.(value) ?? null))
      const out = await sandbox.run(toColumns(names, read))
      if (out && out.rowCount > 0) yield out
    }
    const last = await sandbox.finish()
    if (last && last.rowCount > 0) yield last
  } catch (error) {
    throw codeFault(error)
  }
}

const asIs = (value: Value): Value => value
/** Decimals are strings elsewhere to keep their digits, but user code expects numbers. */
const toNumber = (value: Value): Value => (typeof value === 'string' ? Number(value) : value)

function toFields({ names, data }: Columns, { settings, fields }: JavascriptRequest): Field[] {
  if (names.length === 0) throw new RunFault('configuration', 'The function gave back rows without columns.')
  return names.map((name, at) => {
    const chosen = settings.write?.dataModel?.fields[name]
    const read = fields.find((field) => field.name === name)?.type
    return { name, type: chosen ?? read ?? inferColumnType(data[at] ?? []), isNullable: true }
  })
}

function fieldsWithout({ write }: JavascriptRequest['settings']): Field[] | undefined {
  const model = write?.dataModel
  return model ? Object.entries(model.fields).map(([name, type]) => ({ name, type, isNullable: true })) : undefined
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

/** Inferred from the first rows; numbers become decimal, since fractions may follow. */
function inferColumnType(column: ArrayLike<unknown>): ColumnType {
  const values = Array.from(column).filter((value) => value !== null)
  const all = (test: (value: unknown) => boolean) => values.length > 0 && values.every(test)
  if (all((value) => typeof value === 'number')) return 'decimal'
  if (all((value) => typeof value === 'boolean')) return 'boolean'
  if (all((value) => typeof value === 'string' && DAY.test(value))) return 'date'
  if (all((value) => typeof value === 'string' && MOMENT.test(value))) return 'timestamptz'
  return 'text'
}

async function* rowBatches(
  first: Columns,
  rest: AsyncGenerator<Columns>,
  fields: readonly Field[],
): AsyncGenerator<RowBatch> {
  yield toBatch(first, fields)
  for await (const columns of rest) yield toBatch(columns, fields)
}

function toBatch(columns: Columns, fields: readonly Field[]): RowBatch {
  const extra = columns.names.find((name) => !fields.some((field) => field.name === name))
  if (extra !== undefined) {
    throw new RunFault(
      'configuration',
      `The function gave back a column "${extra}" that its first rows did not have.`,
      {
        advice: 'Give back the same columns every time, with null where there is no value.',
      },
    )
  }
  const places = fields.map(({ name }) => columns.names.indexOf(name))
  const rows = Array.from({ length: columns.rowCount }, (_, row) => {
    const cells = getRow(columns, row)
    return places.map((index) => cells[index] ?? null)
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

function codeFault(error: unknown): unknown {
  if (!(error instanceof SandboxError) || error.fault === 'cancelled') return error
  const { line, column, fault } = error
  const place = line === null ? '' : ` (line ${line}${column === null ? '' : `, column ${column}`})`
  return new RunFault(fault === 'host' ? 'system' : 'configuration', `${error.message}${place}`, {
    cause: error,
    advice: ADVICE[fault] ?? 'Mend the function and publish the block.',
  })
}

const ADVICE: Partial<Record<SandboxError['fault'], string>> = {
  time: 'Do less for each batch, or do the heavy part in SQL.',
  memory: 'Keep less between batches, or read fewer columns.',
}
