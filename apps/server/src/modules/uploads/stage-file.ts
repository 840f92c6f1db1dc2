import { MAX_BAD_ROWS, MAX_FILE_BYTES } from '@trellis/contract/uploads/uploads.schemas'
import { FileFault } from '@trellis/table-files/read/byte-source'
import { type CopyBlock, readCsvBlocks } from '@trellis/table-files/read/csv-blocks'
import { encodeRows } from '@trellis/table-files/read/copy-rows'
import type { RowFault } from '@trellis/table-files/read/dialect'
import { toUtf8 } from '@trellis/table-files/read/encoding'
import { unpack } from '@trellis/table-files/read/unpack'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type BrokenRule, findBroken, keepsRules, removeRows, rulesFor } from '@trellis/loads/checks'
import { type Filled, fillStage } from '@trellis/loads/fill-stage'
import { stageName } from '@trellis/loads/own-tables'
import type { RejectedRow } from '@trellis/loads/rejected-rows'
import { ROW_COLUMN, createStage, dropStage, finishStage } from '@trellis/loads/stage'
import { AppError } from '../../platform/app-error.ts'
import { readStorage } from '../billing/plan-usage.service.ts'
import { createByteSource, withLoadSession } from './job-work.ts'
import { describeBroken, nullifyMisfits, explainRejected } from './rejected-rows.ts'
import { type Staged, type Staging, getCopyFormat, openTable, toRejectedRow, toSessionTarget } from './staging.ts'

class TooManyBad extends Error {
  readonly bad: readonly RejectedRow[]
  constructor(bad: readonly RejectedRow[]) {
    super('More rows do not fit than are listed.')
    this.bad = bad.slice(0, MAX_BAD_ROWS)
  }
}

/** Tries fast paths first: rows are numbered only if one violates a constraint, to find it. */
export async function stageFile(staging: Staging): Promise<Staged> {
  const { work, database, profile } = staging
  const stage = stageName(work.job.id, work.attempt)
  try {
    const plain = await fillAndCheck(staging, { stage, isNumbered: false })
    if (plain) return plain
    const numbered = await fillAndCheck(staging, { stage, isNumbered: true })
    if (!numbered) throw new Error('Numbered rows still break the rules of their table.')
    return numbered
  } catch (error) {
    await withLoadSession(database, undefined, (session) => dropStage(session, stage)).catch(() => undefined)
    if (!(error instanceof TooManyBad)) throw error
    return { stage, isNumbered: false, rows: profile.rows, goodRows: 0, bad: error.bad, isOver: true, emptied: 0 }
  }
}

interface Attempt {
  readonly stage: string
  readonly isNumbered: boolean
}

async function fillAndCheck(staging: Staging, attempt: Attempt): Promise<Staged | undefined> {
  const { work, database, plan } = staging
  const { stage, isNumbered } = attempt
  work.progress.step = isNumbered ? 'Looking for rows that break a rule' : 'Loading rows'
  work.progress.done_bytes = 0
  work.progress.rows = 0
  const isLogged = plan.mode === 'new' || (plan.mode === 'replace' && plan.target?.isHeld === false)
  await withLoadSession(database, work.signal, async (session) => {
    await dropStage(session, stage)
    await createStage(session, { name: stage, columns: plan.stage, isLogged, isNumbered })
  })
  const faults: RowFault[] = []
  const { filled, rows } = await fill(staging, attempt, faults)
  const bad: RejectedRow[] = faults.map((fault) => toRejectedRow(fault, plan))
  const isSetNull = work.file.on_bad_rows === 'set_null' && filled.rejected.length > 0 && !filled.isOverLimit
  const mended = isSetNull ? await nullifyMisfits(staging, filled.rejected, attempt) : undefined
  bad.push(...(mended ? mended.bad : await explainRejected(staging, filled.rejected)))
  if (filled.isOverLimit || bad.length > MAX_BAD_ROWS) throw new TooManyBad(bad)
  const staged = filled.rows + (mended?.rows ?? 0)
  if (staged + bad.length !== rows) {
    throw new Error(`A load of ${rows} rows staged ${staged} and set ${bad.length} aside.`)
  }
  const broken = await check(staging, attempt)
  if (!broken) return undefined
  bad.push(...(await describeBroken(staging, broken)))
  if (bad.length > MAX_BAD_ROWS) throw new TooManyBad(bad)
  return {
    stage,
    isNumbered,
    rows,
    goodRows: rows - bad.length,
    bad: bad.toSorted((a, b) => a.row - b.row),
    isOver: false,
    emptied: mended?.emptied ?? 0,
  }
}

const TOO_LARGE =
  'The rows of the file take more room than the storage of the plan has left. Free some, or upgrade the plan.'
const NO_TEMPORARY_SPACE = '53400'
const PARALLEL_BYTES = 4 * 1024 * 1024

async function fill(
  staging: Staging,
  { stage, isNumbered }: Attempt,
  faults: RowFault[],
): Promise<{ filled: Filled; rows: number }> {
  const { work, database, plan, profile } = staging
  const onFault = (fault: RowFault) => {
    faults.push(fault)
    if (faults.length > MAX_BAD_ROWS) throw new TooManyBad(faults.map((found) => toRejectedRow(found, plan)))
  }
  const { used, limit } = await readStorage(work.ctx, work.job.account_id)
  const most = Math.min(MAX_FILE_BYTES, limit === null ? MAX_FILE_BYTES : Math.max(0, limit - used))
  const blocks = limitTextSize(readBlocks(staging, { isNumbered, onFault }), most)
  const inFile = plan.isPassed ? plan.columns.toSorted((a, b) => a.source - b.source) : plan.columns
  const filled = await fillStage(database.cluster, toSessionTarget(staging), {
    stage,
    columns: [...(isNumbered ? [ROW_COLUMN] : []), ...inFile.map(({ name }) => name)],
    emptyIsNull: inFile.filter(({ kind }) => kind !== 'text').map(({ name }) => name),
    format: getCopyFormat(staging),
    dateOrder: profile.dialect.date_order,
    blocks: blocks.read(),
    rejectLimit: MAX_BAD_ROWS,
    lanes: work.file.size_bytes > PARALLEL_BYTES ? 2 : 1,
    onRows: (rows) => (work.progress.rows += rows),
  })
  return { filled, rows: blocks.rows() + faults.length }
}

/** A small file can expand: counts the rows' size as text. */
function limitTextSize(blocks: AsyncIterable<CopyBlock>, most: number) {
  let rows = 0
  let bytes = 0
  return {
    rows: () => rows,
    async *read() {
      for await (const block of blocks) {
        rows += block.rows
        bytes += block.bytes
        if (bytes > most) throw new FileFault(TOO_LARGE)
        yield block
      }
    },
  }
}

async function* readBlocks(
  { work, plan, profile }: Staging,
  options: { isNumbered: boolean; onFault: (fault: RowFault) => void },
): AsyncGenerator<CopyBlock> {
  const source = createByteSource(work)
  if (plan.isPassed) {
    const utf8 = toUtf8(unpack(source, profile.packing), profile.dialect.encoding)
    const columns = profile.columns.length
    yield* readCsvBlocks(utf8, { dialect: profile.dialect, columns, eol: profile.eol, ...options })
    return
  }
  const table = await openTable(source, profile)
  yield* encodeRows(table.rows(), { rules: plan.rules, ...options })
}

const TOO_MANY_TO_SORT =
  'Sorting so many rows for their key takes more temporary space than the database gives. Choose a shorter key or none and fewer indexes, or split the file and append its parts.'

async function check(staging: Staging, attempt: Attempt): Promise<readonly BrokenRule[] | undefined> {
  try {
    return await lookForBroken(staging, attempt)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== NO_TEMPORARY_SPACE) throw error
    throw new AppError('conflict', TOO_MANY_TO_SORT, { cause: error })
  }
}

async function lookForBroken(
  { work, database, plan }: Staging,
  { stage, isNumbered }: Attempt,
): Promise<readonly BrokenRule[] | undefined> {
  work.progress.step = 'Checking keys'
  const beside = plan.mode === 'append' ? plan.target : undefined
  const mapped = plan.columns.map(({ name }) => name)
  const rules = { stage, required: plan.required, key: plan.key, beside, table: rulesFor(plan.target, mapped) }
  return await withLoadSession(database, work.signal, async (session) => {
    const isNew = plan.mode === 'new'
    if (!isNumbered) {
      const isKept = isNew ? await finishStage(session, stage, plan) : await keepsRules(session, rules)
      return isKept ? [] : undefined
    }
    const broken = await findBroken(session, rules, MAX_BAD_ROWS + 1)
    await removeRows(
      session,
      stage,
      broken.map(({ row }) => row),
    )
    if (isNew && broken.length <= MAX_BAD_ROWS && !(await finishStage(session, stage, plan))) {
      throw new Error('A stage without its broken rows still breaks its rules.')
    }
    return broken
  })
}
