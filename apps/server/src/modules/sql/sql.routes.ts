import * as running from '@trellis/contract/sql/running.endpoints'
import * as calls from '@trellis/contract/sql/sql.endpoints'
import * as transactions from '@trellis/contract/sql/transactions.endpoints'
import { handle, handleEvents } from '../../http/handle.ts'
import { exportResults } from './export-results.ts'
import { followSqlJob } from './follow-job.ts'
import { listQueryHistory } from './query-history.ts'
import { getRememberedParameters } from './remembered-parameters.repository.ts'
import { listRunningQueries, stopRunningQuery } from './running/running-queries.ts'
import { getResultCell, getResultPage } from './read-results.ts'
import { cancelSqlJob, getSqlJob, keepSqlJobRunning } from './sql-jobs.ts'
import { getSqlLimits, updateSqlLimits } from './sql-limits.ts'
import { startSql } from './start-sql.ts'
import { endSqlTransaction, getSqlTransaction } from './transactions/transactions.ts'

export const sqlRoutes = [
  handle(calls.executeSql, ({ body }, ctx) => startSql(ctx, body)),
  handle(calls.getSqlJob, ({ params }, ctx) => getSqlJob(ctx, params.job_id)),
  handle(calls.exportResults, ({ params, query }, ctx) => exportResults(ctx, params, query)),
  handleEvents(calls.followSqlJob, ({ params, query }, ctx) => followSqlJob(ctx, params.job_id, query)),
  handle(calls.getResultPage, ({ params, query }, ctx) => getResultPage(ctx, params, query)),
  handle(calls.getResultCell, ({ params }, ctx) => getResultCell(ctx, params)),
  handle(calls.cancelSqlJob, ({ params }, ctx) => cancelSqlJob(ctx, params.job_id)),
  handle(calls.keepSqlJobRunning, ({ params }, ctx) => keepSqlJobRunning(ctx, params.job_id)),
  handle(calls.listQueryHistory, ({ query }, ctx) => listQueryHistory(ctx, query)),
  handle(calls.getSqlLimits, (_, ctx) => getSqlLimits(ctx)),
  handle(calls.updateSqlLimits, ({ body }, ctx) => updateSqlLimits(ctx, body)),
  handle(running.listRunningQueries, (_, ctx) => listRunningQueries(ctx)),
  handle(running.stopRunningQuery, ({ body }, ctx) => stopRunningQuery(ctx, body)),
  handle(running.getRememberedParameters, ({ params }, ctx) => getRememberedParameters(ctx, params.file_id)),
  handle(transactions.getSqlTransaction, ({ params }, ctx) => getSqlTransaction(ctx, params.file_id)),
  handle(transactions.endSqlTransaction, ({ params, body }, ctx) => endSqlTransaction(ctx, params.file_id, body)),
]
