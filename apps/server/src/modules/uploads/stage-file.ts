import { MAX_BAD_ROWS } from '@trellis/contract/uploads/uploads.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import {
  type RuleViolation,
  type StageRules,
  findRuleViolations,
  matchesRules,
  deleteStagedRows,
  listRulesOverColumns,
} from '@trellis/loads/checks'
import { toStageName } from '@trellis/loads/own-tables'
import { countStagedRows, addKeyAndIndexes, renameStage } from '@trellis/loads/stage'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { AppError } from '../../platform/app-error.ts'
import { type Attempt, type FilledRows, TooManyBadRows, fillRows } from './fill-rows.ts'
import { tryDropStage, withLoadSession } from './job-work.ts'
import type { StagedFrom } from './plan/file-plan.ts'
import { describeViolations } from './rejected-rows.ts'
import type { StagedRows, Staging } from './staging.ts'
import { listRejectedRows } from './uploads.repository.ts'

/** Tries fast paths first: rows are numbered only if one violates a constraint, to find it. */
export async function stageFile(staging: Staging, earlierStage?: StagedFrom): Promise<StagedRows> {
  const { work, database, profile } = staging
  const stage = toStageName(work.job.id, work.attempt)
  try {
    const plainAttempt = { stage, isNumbered: false }
    const checkedStagedRows = await checkStagedRows(
      staging,
      plainAttempt,
      (await reuseStage(staging, stage, earlierStage)) ?? (await fillRows(staging, plainAttempt)),
    )
    if (checkedStagedRows) return checkedStagedRows
    const numberedAttempt = { stage, isNumbered: true }
    const stagedRows = await checkStagedRows(staging, numberedAttempt, await fillRows(staging, numberedAttempt))
    if (!stagedRows) throw new Error('Numbered rows still break the rules of their table.')
    return stagedRows
  } catch (error) {
    await tryDropStage(database, stage)
    if (!(error instanceof TooManyBadRows)) throw error
    return { stage, isNumbered: false, rows: profile.rows, goodRows: 0, bad: error.bad, isOver: true, emptied: 0 }
  }
}

/** Rows that were staged while the file was inspected. They are renamed first: an attempt that dies leaves none. */
async function reuseStage(
  { work, database, plan }: Staging,
  stage: string,
  earlierStage: StagedFrom | undefined,
): Promise<FilledRows | undefined> {
  if (!earlierStage || earlierStage.fingerprint !== null || earlierStage.rowsFingerprint !== plan.rowsFingerprint)
    return undefined
  const count = await withLoadSession(database, work.signal, async (session) => {
    await renameStage(session, earlierStage.stage, stage)
    return await countStagedRows(session, stage)
  })
  const badRows = await listRejectedRows(work.ctx, work.file.id)
  if (count !== earlierStage.goodRows || count + badRows.length !== earlierStage.rows) return undefined
  work.progress.rows = earlierStage.rows
  return { rows: earlierStage.rows, bad: badRows, emptied: 0 }
}

async function checkStagedRows(
  staging: Staging,
  attempt: Attempt,
  filledRows: FilledRows,
): Promise<StagedRows | undefined> {
  const { rows, emptied } = filledRows
  const violations = await checkOrExplain(staging, attempt)
  if (!violations) return undefined
  const badRows = [...filledRows.bad, ...(await describeViolations(staging, violations))]
  if (badRows.length > MAX_BAD_ROWS) throw new TooManyBadRows(badRows)
  const sortedBadRows = badRows.toSorted((a, b) => a.row - b.row)
  const { stage, isNumbered } = attempt
  return { stage, isNumbered, rows, goodRows: rows - badRows.length, bad: sortedBadRows, isOver: false, emptied }
}

const TOO_MANY_TO_SORT =
  'Sorting so many rows for their key takes more temporary space than the database gives. Choose a shorter key or none and fewer indexes, or split the file and append its parts.'

async function checkOrExplain(staging: Staging, attempt: Attempt): Promise<readonly RuleViolation[] | undefined> {
  try {
    return await findViolations(staging, attempt)
  } catch (error) {
    if (!(error instanceof WorkspaceDbError) || error.sqlState !== SQL_STATE.CONFIGURATION_LIMIT_EXCEEDED) throw error
    throw new AppError('conflict', TOO_MANY_TO_SORT, { cause: error })
  }
}

async function findViolations(
  { work, database, plan }: Staging,
  { stage, isNumbered }: Attempt,
): Promise<readonly RuleViolation[] | undefined> {
  work.progress.step = 'Checking keys'
  const existingTable = plan.mode === 'append' ? plan.target : undefined
  const mappedNames = plan.columns.map(({ name }) => name)
  const rules: StageRules = {
    stage,
    required: plan.required,
    key: plan.key,
    existingTable,
    table: listRulesOverColumns(plan.target, mappedNames),
  }
  return await withLoadSession(database, work.signal, async (session) => {
    const isNew = plan.mode === 'new'
    if (!isNumbered) {
      const hasNoViolation = isNew ? await addKeyAndIndexes(session, stage, plan) : await matchesRules(session, rules)
      return hasNoViolation ? [] : undefined
    }
    const violations = await findRuleViolations(session, rules, MAX_BAD_ROWS + 1)
    await deleteStagedRows(
      session,
      stage,
      violations.map(({ row }) => row),
    )
    if (isNew && violations.length <= MAX_BAD_ROWS && !(await addKeyAndIndexes(session, stage, plan))) {
      throw new Error('A stage without its broken rows still breaks its rules.')
    }
    return violations
  })
}
