import { defineEndpoint } from '../core/endpoint.ts'
import { FileAnswer } from '../core/shapes.ts'
import { Comparisons } from './comparisons.schemas.ts'
import * as schemas from './runs.schemas.ts'

const feature = 'runs'
const base = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const run = { feature, permission: 'dataflows:write', method: 'POST' } as const

export const listQuarantine = defineEndpoint({
  ...read,
  permission: 'dataflows:write',
  id: 'listQuarantine',
  path: `${base}/task-runs/:task_run_trellis_code/quarantine`,
  summary: 'Rows of a run that did not fit',
  params: schemas.TaskRunParams,
  query: schemas.QuarantineFilter,
  response: schemas.QuarantinePage,
  errors: ['not_found'],
})
export const downloadQuarantine = defineEndpoint({
  ...read,
  permission: 'dataflows:write',
  id: 'downloadQuarantine',
  path: `${base}/task-runs/:task_run_trellis_code/quarantine/file`,
  summary: 'All rows of a run that did not fit, as CSV',
  params: schemas.TaskRunParams,
  response: FileAnswer,
  sends: 'file',
  errors: ['not_found'],
})
export const settleQuarantine = defineEndpoint({
  ...run,
  id: 'settleQuarantine',
  path: `${base}/task-runs/:task_run_trellis_code/quarantine`,
  summary: 'Send rows that did not fit again, mended, or put them away',
  params: schemas.TaskRunParams,
  body: schemas.SettleQuarantine,
  response: schemas.SettledQuarantine,
  errors: ['not_found', 'conflict'],
})
export const listComparisons = defineEndpoint({
  ...read,
  permission: 'dataflows:write',
  id: 'listComparisons',
  path: `${base}/task-runs/:task_run_trellis_code/comparisons`,
  summary: 'What a dry run would have made of its tables',
  params: schemas.TaskRunParams,
  response: Comparisons,
  errors: ['not_found'],
})
export const undoTaskRun = defineEndpoint({
  ...run,
  id: 'undoTaskRun',
  path: `${base}/task-runs/:task_run_trellis_code/undo`,
  summary: 'Roll back what the latest run of a block wrote, with its cursor; `undo` of the run tells how far it is',
  params: schemas.TaskRunParams,
  response: schemas.TaskRunDetails,
  errors: ['not_found', 'conflict'],
})

export const quarantineEndpoints = [listQuarantine, downloadQuarantine, settleQuarantine, listComparisons, undoTaskRun]
