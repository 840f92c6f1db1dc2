import type { Validation } from '@trellis/contract/uploads/uploads.schemas'
import { isResourceLimitError } from '@trellis/loads/checks'
import { type Diff, diffByKey } from '@trellis/loads/diff'
import { withSession } from '@trellis/workspace-db/session'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import { type StagedFrom, planFile, getProfile, parseStagedFrom } from './plan/file-plan.ts'
import { type FileWork, openJobDatabase, tryDropStage, withLoadSession } from './job-work.ts'
import type { LoadPlan } from './plan/load-plan.ts'
import { listNarrowingWarnings } from './plan/narrowed-columns.ts'
import { stageFile } from './stage-file.ts'
import { type StagedRows, toSessionTarget } from './staging.ts'
import { replaceBadRows, setFile } from './uploads.repository.ts'

const MAX_SHOWN_ROWS = 100
const DIFF_TIMEOUT_MS = 60_000

export async function validateFile(work: FileWork): Promise<void> {
  const database = await openJobDatabase(work)
  const plan = await withLoadSession(database, work.signal, (session) => planFile(session, work.file))
  await stageAndSaveValidation(work, { database, plan })
}

export async function stageAndSaveValidation(
  work: FileWork,
  { database, plan }: { database: OpenDatabase; plan: LoadPlan },
): Promise<StagedRows> {
  const { ctx, file } = work
  const earlierStage = parseStagedFrom(file)
  const staging = { work, database, plan, profile: getProfile(file) }
  const stagedRows = await stageFile(staging, earlierStage)
  try {
    work.progress.step = 'Comparing with the table'
    const comparison = stagedRows.isOver
      ? { diff: null, warning: undefined }
      : await compareWithTable(staging, stagedRows)
    const validation: Validation = {
      rows: stagedRows.rows,
      good_rows: stagedRows.goodRows,
      bad_rows: stagedRows.bad.length,
      has_more_bad_rows: stagedRows.isOver,
      first_bad_rows: stagedRows.bad
        .slice(0, MAX_SHOWN_ROWS)
        .map(({ row, line, column, value, reason }) => ({ row, line, column, value, reason })),
      diff: comparison.diff as Validation['diff'],
      warnings: [
        ...listNarrowingWarnings(plan.columns, staging.profile),
        ...(comparison.warning ? [comparison.warning] : []),
        ...listEmptiedWarnings(stagedRows),
      ],
    }
    const stagedFrom: StagedFrom = {
      stage: stagedRows.stage,
      rowsFingerprint: plan.rowsFingerprint,
      fingerprint: plan.fingerprint,
      rows: stagedRows.rows,
      goodRows: stagedRows.goodRows,
      isNumbered: stagedRows.isNumbered,
    }
    work.signal.throwIfAborted()
    await replaceBadRows(ctx, file, stagedRows.bad)
    await setFile(ctx, file.id, {
      state: 'validated',
      rows: stagedRows.rows,
      validation: JSON.stringify(validation),
      staged_from: stagedRows.isOver ? null : JSON.stringify(stagedFrom),
    })
  } catch (error) {
    await tryDropStage(database, stagedRows.stage)
    throw error
  }
  if (earlierStage && earlierStage.stage !== stagedRows.stage) await tryDropStage(database, earlierStage.stage)
  return stagedRows
}

const listEmptiedWarnings = ({ emptied }: StagedRows) =>
  emptied === 0
    ? []
    : [
        emptied === 1
          ? 'One value that did not fit is left empty.'
          : `${emptied} values that did not fit are left empty.`,
      ]

async function compareWithTable(
  staging: Parameters<typeof stageFile>[0],
  stagedRows: StagedRows,
): Promise<{ diff: Diff | null; warning: string | undefined }> {
  const { database, plan } = staging
  const { target } = plan
  if (!target || target.primaryKey.length === 0) return { diff: null, warning: undefined }
  const columns = plan.columns.map(({ name }) => name)
  try {
    const diff = await withSession(
      database.cluster,
      { ...toSessionTarget(staging), limits: { statementMs: DIFF_TIMEOUT_MS, workMemMb: 64 } },
      (session) => diffByKey(session, stagedRows.stage, { target, columns }),
    )
    return { diff, warning: undefined }
  } catch (error) {
    if (!isResourceLimitError(error)) throw error
    return { diff: null, warning: 'The table is too large to compare the rows one by one.' }
  }
}
