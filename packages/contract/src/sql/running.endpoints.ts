import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as z from 'zod/mini'
import { FileId } from '../worksheets/worksheets.schemas.ts'
import { RunningQueries, StopQuery } from './running.schemas.ts'
import { Parameters } from './sql.schemas.ts'

const feature = 'sql'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/sql-executor'

export const listRunningQueries = defineEndpoint({
  feature,
  permission: 'sql:run',
  method: 'GET',
  id: 'listRunningQueries',
  path: `${base}/running`,
  summary: 'Queries that run now: mine, or everything in the database of the workspace for its admins',
  params: WorkspaceParams,
  response: RunningQueries,
  errors: ['not_found', 'unavailable'],
})
export const stopRunningQuery = defineEndpoint({
  feature,
  permission: 'sql:run',
  method: 'POST',
  id: 'stopRunningQuery',
  path: `${base}/running/stop`,
  summary: 'Stop a query of mine, or any of the workspace as its admin',
  params: WorkspaceParams,
  body: StopQuery,
  response: Done,
  worksWhenPlanIsOver: true,
  errors: ['not_found', 'unavailable'],
})
export const getRememberedParameters = defineEndpoint({
  feature,
  permission: 'sql:run',
  method: 'GET',
  id: 'getRememberedParameters',
  path: `${base}/parameters/:file_id`,
  summary: 'The values I last used for the parameters of a worksheet',
  params: z.extend(WorkspaceParams, { file_id: FileId }),
  response: z.object({ parameters: Parameters }),
})

export const runningEndpoints = [listRunningQueries, stopRunningQuery, getRememberedParameters]
