import type { ExecuteSql } from '@trellis/contract/sql/sql.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { publishJobChange } from '../live-jobs.ts'
import { listReferences } from '../saved-results/result-references.ts'
import { type JobRow, type NewJob, findJob, insertJob } from '../sql-jobs.repository.ts'
import { serveTransaction } from './hold-transaction.ts'
import { enterTransaction } from './transactions.ts'
import type { TransactionRow } from './transactions.repository.ts'

export function assertManualCommit(ctx: WorkspaceCtx, body: ExecuteSql): void {
  const refuse = (message: string) => new AppError('invalid_request', message)
  if (body.file_id === undefined) throw refuse('Manual commit is for worksheets: name the worksheet.')
  if (body.integration_trellis_code !== managedCode(ctx.workspace.code)) {
    throw refuse('Manual commit works on the database of the workspace. Connected databases use autocommit.')
  }
  if (body.explain === 'analyze') {
    throw refuse(
      'Explain and analyze rolls back what it runs, so it is not part of a transaction. Use autocommit for it.',
    )
  }
  if (listReferences(body.sql).length > 0) {
    throw refuse('Saved results (@result) can be used with autocommit only.')
  }
}

export interface InTransaction {
  readonly row: JobRow | undefined
  readonly transaction?: TransactionRow
  readonly isNew?: boolean
}

export async function insertInTransaction(ctx: WorkspaceCtx, job: NewJob): Promise<InTransaction> {
  if (await findJob(ctx, job.id)) return { row: undefined }
  const { integration_code: integrationCode, request } = job
  const { rowLimit, timeoutSeconds } = request
  const entered = await enterTransaction(ctx, { fileId: job.file_id ?? '', integrationCode, rowLimit, timeoutSeconds })
  const { id, row_limit, timeout_seconds } = entered.row
  // A session has one limit, set by its first statement.
  const limits = { rowLimit: row_limit, timeoutSeconds: timeout_seconds }
  const row = await insertJob(ctx, { ...job, request: { ...request, ...limits }, transaction_id: id })
  return { row, transaction: entered.row, isNew: entered.isNew }
}

export function runInTransaction(ctx: WorkspaceCtx, { transaction, isNew }: InTransaction): void {
  if (transaction && isNew) serveTransaction(ctx, transaction)
  else if (transaction) publishJobChange(transaction.id)
}
