import { MAX_BAD_ROWS, MAX_FILE_BYTES } from '@trellis/contract/uploads/uploads.schemas'
import { FileFault } from '@trellis/table-files/read/byte-source'
import { type CopyBlock, type RecordWatch, readCsvBlocks } from '@trellis/table-files/read/csv-blocks'
import { encodeRows } from '@trellis/table-files/read/copy-rows'
import type { RowFault } from '@trellis/table-files/read/dialect'
import { toUtf8 } from '@trellis/table-files/read/encoding'
import { unpack } from '@trellis/table-files/read/unpack'
import { type FillResult, fillStage } from '@trellis/loads/fill-stage'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { ROW_COLUMN, createStage, dropStage } from '@trellis/loads/stage'
import { readStorage } from '../billing/plan-usage.service.ts'
import { createByteSource, withLoadSession } from './job-work.ts'
import { nullifyMisfits, explainRejected } from './rejected-rows.ts'
import { type Staging, getCopyFormat, openTable, toRejectedRow, toSessionTarget } from './staging.ts'

export class TooManyBadRows extends Error {
  readonly bad: readonly RejectedRow[]
  constructor(badRows: readonly RejectedRow[]) {
    super('More rows do not fit than are listed.')
    this.bad = badRows.slice(0, MAX_BAD_ROWS)
  }
}

export interface Attempt {
  readonly stage: string
  readonly isNumbered: boolean
  /** How much of the storage that is left it may take; all if not given. */
  readonly share?: number
}

export interface FilledRows {
  readonly rows: number
  readonly bad: readonly RejectedRow[]
  readonly emptied: number
}

export async function fillRows(staging: Staging, attempt: Attempt): Promise<FilledRows> {
  const { work, plan } = staging
  const { isNumbered } = attempt
  work.progress.step = isNumbered ? 'Looking for rows that break a rule' : 'Loading rows'
  const { fillResult, rows, faults } = await fillNewStage(staging, attempt, (onFault) =>
    readBlocks(staging, { isNumbered, onFault }),
  )
  const badRows: RejectedRow[] = faults.map((fault) => toRejectedRow(fault, plan))
  const isSetNull = work.file.on_bad_rows === 'set_null' && fillResult.rejected.length > 0 && !fillResult.isOverLimit
  const corrected = isSetNull ? await nullifyMisfits(staging, fillResult.rejected, attempt) : undefined
  badRows.push(...(corrected ? corrected.bad : await explainRejected(staging, fillResult.rejected)))
  if (fillResult.isOverLimit || badRows.length > MAX_BAD_ROWS) throw new TooManyBadRows(badRows)
  const stagedCount = fillResult.rows + (corrected?.rows ?? 0)
  if (stagedCount + badRows.length !== rows) {
    throw new Error(`A load of ${rows} rows staged ${stagedCount} and set ${badRows.length} aside.`)
  }
  return { rows, bad: badRows, emptied: corrected?.emptied ?? 0 }
}

const ROWS_TOO_LARGE =
  'The rows of the file take more room than the storage of the plan has left. Free some, or upgrade the plan.'
const PARALLEL_BYTES = 4 * 1024 * 1024

interface FilledBlocks {
  readonly fillResult: FillResult
  readonly rows: number
  readonly faults: readonly RowFault[]
}

type OnFault = (fault: RowFault) => void

/** Fills a new stage. */
export async function fillNewStage(
  staging: Staging,
  { stage, isNumbered, share = 1 }: Attempt,
  read: (onFault: OnFault) => AsyncIterable<CopyBlock>,
): Promise<FilledBlocks> {
  const { work, database, plan, profile } = staging
  work.progress.done_bytes = 0
  work.progress.rows = 0
  await withLoadSession(database, work.signal, async (session) => {
    await dropStage(session, stage)
    await createStage(session, { name: stage, columns: plan.stage, isLogged: plan.isLogged, isNumbered })
  })
  const faults: RowFault[] = []
  const onFault = (fault: RowFault) => {
    faults.push(fault)
    if (faults.length > MAX_BAD_ROWS) throw new TooManyBadRows(faults.map((rowFault) => toRejectedRow(rowFault, plan)))
  }
  const { used, limit } = await readStorage(work.ctx, work.job.account_id)
  const maxBytes = Math.min(MAX_FILE_BYTES, limit === null ? MAX_FILE_BYTES : Math.max(0, limit - used) * share)
  const blocks = limitTextSize(read(onFault), maxBytes)
  const columnsInFileOrder = plan.isPassedThrough ? plan.columns.toSorted((a, b) => a.source - b.source) : plan.columns
  const fillResult = await fillStage(database.cluster, toSessionTarget(staging), {
    stage,
    columns: [...(isNumbered ? [ROW_COLUMN] : []), ...columnsInFileOrder.map(({ name }) => name)],
    emptyIsNull: columnsInFileOrder.filter(({ kind }) => kind !== 'text').map(({ name }) => name),
    format: getCopyFormat(staging),
    dateOrder: profile.dialect.date_order,
    blocks: blocks.read(),
    rejectLimit: MAX_BAD_ROWS,
    lanes: work.file.size_bytes > PARALLEL_BYTES ? 2 : 1,
    onRows: (rows) => (work.progress.rows += rows),
  })
  return { fillResult, rows: blocks.rows() + faults.length, faults }
}

/** A small file can expand: counts the rows' size as text. */
function limitTextSize(blocks: AsyncIterable<CopyBlock>, maxBytes: number) {
  let rows = 0
  let bytes = 0
  return {
    rows: () => rows,
    async *read() {
      for await (const block of blocks) {
        rows += block.rows
        bytes += block.bytes
        if (bytes > maxBytes) throw new FileFault(ROWS_TOO_LARGE)
        yield block
      }
    },
  }
}

interface BlockOptions {
  readonly isNumbered: boolean
  readonly onFault: OnFault
  readonly watch?: RecordWatch
}

export async function* readBlocks({ work, plan, profile }: Staging, options: BlockOptions): AsyncGenerator<CopyBlock> {
  const source = createByteSource(work)
  if (plan.isPassedThrough) {
    const utf8 = toUtf8(unpack(source, profile.packing), profile.dialect.encoding)
    const columns = profile.columns.length
    yield* readCsvBlocks(utf8, { dialect: profile.dialect, columns, eol: profile.eol, ...options })
    return
  }
  const table = await openTable(source, profile)
  yield* encodeRows(table.rows(), { rules: plan.rules, ...options })
}
