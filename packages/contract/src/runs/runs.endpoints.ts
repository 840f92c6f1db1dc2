import { defineEndpoint } from '../core/endpoint.ts'
import { FileAnswer, WorkspaceParams } from '../core/shapes.ts'
import { CodeParams } from '../dataflows/dataflows.schemas.ts'
import { TaskBlockParams } from '../dataflows/task-blocks.schemas.ts'
import * as schemas from './runs.schemas.ts'
import * as triggers from './trigger-status.schemas.ts'

const feature = 'runs'
const base = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const run = { feature, permission: 'dataflows:write', method: 'POST' } as const

export const executeBlock = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'executeBlock',
  path: `${base}/execute/:task_block_trellis_code`,
  summary: 'Run a block now, or from it on; over a past range for a backfill',
  params: TaskBlockParams,
  body: schemas.ExecuteBlock,
  response: schemas.TaskRun,
  creates: true,
  errors: ['not_found', 'block_incomplete', 'conflict', 'plan_expired'],
})
export const getTriggerStatus = defineEndpoint({
  ...read,
  id: 'getTriggerStatus',
  path: `${base}/trigger-status/:task_block_trellis_code`,
  summary: 'What a block waits for: what has come, what has not, and what comes next',
  params: TaskBlockParams,
  response: triggers.TriggerStatus,
  errors: ['not_found'],
})
export const simulateTriggers = defineEndpoint({
  ...read,
  id: 'simulateTriggers',
  path: `${base}/trigger-simulation/:task_block_trellis_code`,
  summary: 'When the blocks of this dataflow would run in the next 60 days',
  params: TaskBlockParams,
  response: triggers.Simulation,
  limit: { ip: [60, 60] },
  errors: ['not_found'],
})
export const previewDueTimes = defineEndpoint({
  ...run,
  permission: 'dataflows:read',
  id: 'previewDueTimes',
  path: `${base}/due-times`,
  summary: 'The next due times of a schedule that is being written',
  params: WorkspaceParams,
  body: triggers.DueTimesRequest,
  response: triggers.DueTimes,
  quiet: true,
  worksWhenPlanIsOver: true,
})
export const followDataflow = defineEndpoint({
  ...read,
  id: 'followDataflow',
  path: '/:account_trellis_code/:workspace_address/dataflows/follow/:trellis_code',
  summary: 'What happens to the runs of a dataflow, as it happens',
  params: CodeParams,
  response: schemas.DataflowEvent,
  sends: 'events',
  errors: ['not_found', 'too_many_requests'],
})
export const followTaskRunLogs = defineEndpoint({
  ...read,
  id: 'followTaskRunLogs',
  path: `${base}/task-run-logs-live/:task_run_trellis_code`,
  summary: 'Lines of the log of a run, as they are written',
  params: schemas.TaskRunParams,
  query: schemas.LogFilter,
  response: schemas.LogEvent,
  sends: 'events',
  errors: ['not_found', 'too_many_requests'],
})
export const listTaskRuns = defineEndpoint({
  ...read,
  id: 'listTaskRuns',
  path: '/:account_trellis_code/:workspace_address/dataflows/task-runs/:trellis_code',
  summary: 'Runs of a dataflow, newest first',
  params: CodeParams,
  query: schemas.RunFilter,
  response: schemas.RunPage,
  errors: ['not_found'],
})
export const getTaskRun = defineEndpoint({
  ...read,
  id: 'getTaskRun',
  path: `${base}/task-runs/:task_run_trellis_code`,
  summary: 'One run with its attempts and receipts',
  params: schemas.TaskRunParams,
  response: schemas.TaskRunDetails,
  errors: ['not_found'],
})
export const cancelTaskRun = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'cancelTaskRun',
  path: `${base}/task-runs/:task_run_trellis_code/cancel`,
  summary: 'Stop a run',
  params: schemas.TaskRunParams,
  response: schemas.TaskRun,
  errors: ['not_found', 'conflict'],
  worksWhenPlanIsOver: true,
})
export const retryTaskRun = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'retryTaskRun',
  path: `${base}/task-runs/:task_run_trellis_code/retry`,
  summary: 'Run again from the block that failed',
  params: schemas.TaskRunParams,
  response: schemas.TaskRun,
  creates: true,
  errors: ['not_found', 'block_incomplete', 'conflict', 'plan_expired'],
})
export const decideSchemaChange = defineEndpoint({
  ...run,
  id: 'decideSchemaChange',
  path: `${base}/task-runs/:task_run_trellis_code/schema-decision`,
  summary: 'Decide on changed columns that a run asks about; a retry of the run goes on from where it paused',
  params: schemas.TaskRunParams,
  body: schemas.DecideSchemaChange,
  response: schemas.TaskRun,
  creates: true,
  errors: ['not_found', 'block_incomplete', 'conflict', 'plan_expired'],
})
export const getTaskRunLogs = defineEndpoint({
  ...read,
  id: 'getTaskRunLogs',
  path: `${base}/task-run-logs/:task_run_trellis_code`,
  summary: 'Lines of the log of a run',
  params: schemas.TaskRunParams,
  query: schemas.LogFilter,
  response: schemas.LogPage,
  errors: ['not_found'],
})
export const downloadTaskRunLogs = defineEndpoint({
  ...read,
  id: 'downloadTaskRunLogs',
  path: `${base}/task-run-logs-download/:task_run_trellis_code`,
  summary: 'The whole log of a run as a text file',
  params: schemas.TaskRunParams,
  response: FileAnswer,
  sends: 'file',
  errors: ['not_found'],
})

export const runsEndpoints = [
  executeBlock,
  listTaskRuns,
  getTaskRun,
  cancelTaskRun,
  retryTaskRun,
  decideSchemaChange,
  getTaskRunLogs,
  downloadTaskRunLogs,
  followDataflow,
  followTaskRunLogs,
  getTriggerStatus,
  simulateTriggers,
  previewDueTimes,
]
