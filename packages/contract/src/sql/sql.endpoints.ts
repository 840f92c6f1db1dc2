import { defineEndpoint } from '../core/endpoint.ts'
import { FileAnswer, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './sql.schemas.ts'

const feature = 'sql'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/sql-executor'
const query = `${base}/sql_query`
const read = { feature, permission: 'sql:run', method: 'GET' } as const
const run = { feature, permission: 'sql:run', method: 'POST' } as const

export const executeSql = defineEndpoint({
  ...run,
  id: 'executeSql',
  path: query,
  summary: 'Start a query as a job',
  params: WorkspaceParams,
  body: schemas.ExecuteSql,
  response: schemas.StartedSqlJob,
  errors: ['not_found', 'conflict', 'limit_reached', 'too_many_requests', 'unavailable'],
})
export const getSqlJob = defineEndpoint({
  ...read,
  id: 'getSqlJob',
  path: `${query}/:job_id`,
  summary: 'A query of mine: its statements and how far it is',
  params: schemas.JobParams,
  response: schemas.SqlJob,
  errors: ['not_found'],
})
export const exportResults = defineEndpoint({
  ...read,
  id: 'exportResults',
  path: `${query}/:integration_trellis_code/:job_id/export_results`,
  summary: 'A result as a file',
  params: schemas.ExportParams,
  query: schemas.ResultExportQuery,
  response: FileAnswer,
  sends: 'file',
  errors: ['not_found', 'conflict'],
})
export const followSqlJob = defineEndpoint({
  ...read,
  id: 'followSqlJob',
  path: `${query}/:job_id/follow`,
  summary: 'States and rows of a query as they come; can be resumed',
  params: schemas.JobParams,
  query: schemas.FollowQuery,
  response: schemas.SqlEvent,
  sends: 'events',
  errors: ['not_found', 'too_many_requests'],
})
export const getResultPage = defineEndpoint({
  ...read,
  id: 'getResultPage',
  path: `${query}/:job_id/results/:statement`,
  summary: 'Rows of a result, a page at a time',
  params: schemas.ResultParams,
  query: schemas.ResultQuery,
  response: schemas.ResultPage,
  errors: ['not_found'],
})
export const getResultCell = defineEndpoint({
  ...read,
  id: 'getResultCell',
  path: `${query}/:job_id/results/:statement/cell/:row/:column`,
  summary: 'One whole cell that was cut in its page',
  params: schemas.CellParams,
  response: schemas.ResultCell,
  errors: ['not_found'],
})
export const cancelSqlJob = defineEndpoint({
  ...run,
  id: 'cancelSqlJob',
  path: `${query}/:job_id/cancel`,
  summary: 'Stop a query',
  params: schemas.JobParams,
  response: schemas.SqlJob,
  worksWhenPlanIsOver: true,
  errors: ['not_found'],
})
export const keepSqlJobRunning = defineEndpoint({
  ...run,
  id: 'keepSqlJobRunning',
  path: `${query}/:job_id/keep_running`,
  summary: 'Let a query go on when nobody follows it any more',
  params: schemas.JobParams,
  response: schemas.SqlJob,
  quiet: true,
  errors: ['not_found'],
})
export const listQueryHistory = defineEndpoint({
  ...read,
  id: 'listQueryHistory',
  path: `${base}/history`,
  summary: 'Queries that were run, newest first',
  params: WorkspaceParams,
  query: schemas.HistoryQuery,
  response: schemas.QueryHistory,
  errors: ['forbidden'],
})
export const getSqlLimits = defineEndpoint({
  ...read,
  id: 'getSqlLimits',
  path: `${base}/limits`,
  summary: 'Row limit and timeout of this workspace',
  params: WorkspaceParams,
  response: schemas.SqlLimits,
})
export const updateSqlLimits = defineEndpoint({
  feature,
  permission: 'sql:manage',
  method: 'PATCH',
  id: 'updateSqlLimits',
  path: `${base}/limits`,
  summary: 'Change the row limit and timeout of this workspace',
  params: WorkspaceParams,
  body: schemas.SqlLimitsPatch,
  response: schemas.SqlLimits,
})

export const sqlEndpoints = [
  executeSql,
  getSqlJob,
  exportResults,
  followSqlJob,
  getResultPage,
  getResultCell,
  cancelSqlJob,
  keepSqlJobRunning,
  listQueryHistory,
  getSqlLimits,
  updateSqlLimits,
]
