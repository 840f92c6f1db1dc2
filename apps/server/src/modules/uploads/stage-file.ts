import { MAX_BAD_ROWS } from '@trellis/contract/uploads/uploads.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { type BrokenRule, findBroken, matchesRules, removeRows, listRulesFor } from '@trellis/loads/checks'
import { stageName } from '@trellis/loads/own-tables'
import { countRows, finishStage, renameStage } from '@trellis/loads/stage'
import { AppError } from '../../platform/app-error.ts'
import { type Attempt, type FilledRows, TooManyBad, fillRows } from './fill-rows.ts'
import { tryDropStage, withLoadSession } from './job-work.ts'
import type { StagedFrom } from './plan/file-plan.ts'
import { describeBroken } from './rejected-rows.ts'
import type { StagedRows, Staging } from './staging.ts'
import { listRejected } from './uploads.repository.ts'

/** Tries fast paths first: rows are numbered only if one violates a constraint, to find it. */
export async function stageFile(staging: Staging, before?: StagedFrom): Promise<StagedRows> {
  const { work, database, profile } = staging
  const stage = stageName(work.job.id, work.attempt)
  try {
    const plain = { stage, isNumbered: false }
    const checkedStagedRows = await checkRules(
      staging,
      plain,
      (await reuseStage(staging, stage, before)) ?? (await fillRows(staging, plain)),
    )
    if (checkedStagedRows) return checkedStagedRows
    const numbered = { stage, isNumbered: true }
    const stagedRows = await checkRules(staging, numbered, await fillRows(staging, numbered))
    if (!stagedRows) throw new Error('Numbered rows still break the rules of their table.')
    return stagedRows
  } catch (error) {
    await tryDropStage(database, stage)
    if (!(error instanceof TooManyBad)) throw error
    return { stage, isNumbered: false, rows: profile.rows, goodRows: 0, bad: error.bad, isOver: true, emptied: 0 }
  }
}

/** Rows that were staged while the file was inspected. They are renamed first: an attempt that dies leaves none. */
async function reuseStage(
  { work, database, plan }: Staging,
  stage: string,
  before: StagedFrom | undefined,
): Promise<FilledRows | undefined> {
  if (!before || before.fingerprint !== null || before.rowsFingerprint !== plan.rowsFingerprint) return undefined
  const count = await withLoadSession(database, work.signal, async (session) => {
    await renameStage(session, before.stage, stage)
    return await countRows(session, stage)
  })
  const badRejectedRows = await listRejected(work.ctx, work.file.id)
  if (count !== before.goodRows || count + badRejectedRows.length !== before.rows) return undefined
  work.progress.rows = before.rows
  return { rows: before.rows, bad: badRejectedRows, emptied: 0 }
}

async function checkRules(staging: Staging, attempt: Attempt, filledRows: FilledRows): Promise<StagedRows | undefined> {
  const { rows, emptied } = filledRows
  const broken = await check(staging, attempt)
  if (!broken) return undefined
  const badRejectedRows = [...filledRows.bad, ...(await describeBroken(staging, broken))]
  if (badRejectedRows.length > MAX_BAD_ROWS) throw new TooManyBad(badRejectedRows)
  const sorted = badRejectedRows.toSorted((a, b) => a.row - b.row)
  const { stage, isNumbered } = attempt
  return { stage, isNumbered, rows, goodRows: rows - badRejectedRows.length, bad: sorted, isOver: false, emptied }
}

const NO_TEMPORARY_SPACE = '53400'
const TOO_MANY_TO_SORT =
  'Sorting so many rows for their key takes more temporary space than the database gives. Choose a shorter key or none and fewer indexes, or split the file and append its parts.'

async function check(staging: Staging, attempt: Attempt): Promise<readonly BrokenRule[] | undefined> {
  try {
    return await findBrokenRules(staging, attempt)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== NO_TEMPORARY_SPACE) throw error
    throw new AppError('conflict', TOO_MANY_TO_SORT, { cause: error })
  }
}

async function findBrokenRules(
  { work, database, plan }: Staging,
  { stage, isNumbered }: Attempt,
): Promise<readonly BrokenRule[] | undefined> {
  work.progress.step = 'Checking keys'
  const existingTarget = plan.mode === 'append' ? plan.target : undefined
  const mapped = plan.columns.map(({ name }) => name)
  const rules = {
    stage,
    required: plan.required,
    key: plan.key,
    existing: existingTarget,
    table: listRulesFor(plan.target, mapped),
  }
  return await withLoadSession(database, work.signal, async (session) => {
    const isNew = plan.mode === 'new'
    if (!isNumbered) {
      const isKept = isNew ? await finishStage(session, stage, plan) : await matchesRules(session, rules)
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
