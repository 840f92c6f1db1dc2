import { defineEndpoint } from '../core/endpoint.ts'
import { CodeParams } from '../dataflows/dataflows.schemas.ts'
import * as schemas from './flow-runs.schemas.ts'

const feature = 'runs'
const base = '/:account_trellis_code/:workspace_address/dataflows'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const run = { feature, permission: 'dataflows:write', method: 'POST' } as const

export const executeDataflow = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'executeDataflow',
  path: `${base}/execute/:trellis_code`,
  summary: 'Run a dataflow now, from the blocks that wait for no other block of it',
  params: CodeParams,
  response: schemas.FlowRun,
  creates: true,
  errors: ['not_found', 'block_incomplete', 'conflict', 'plan_expired'],
})
export const listFlowRuns = defineEndpoint({
  ...read,
  id: 'listFlowRuns',
  path: `${base}/flow-runs/:trellis_code`,
  summary: 'Runs of a dataflow as a whole, newest first',
  params: CodeParams,
  query: schemas.FlowRunFilter,
  response: schemas.FlowRunPage,
  errors: ['not_found'],
})
export const getFlowRun = defineEndpoint({
  ...read,
  id: 'getFlowRun',
  path: `${base}/flow-run/:flow_run_trellis_code`,
  summary: 'One run of a dataflow with its block runs, compared with earlier ones',
  params: schemas.FlowRunParams,
  response: schemas.FlowRunDetails,
  errors: ['not_found'],
})
export const getFlowRunLogs = defineEndpoint({
  ...read,
  id: 'getFlowRunLogs',
  path: `${base}/flow-run/:flow_run_trellis_code/logs`,
  summary: 'Lines of the logs of all blocks of a flow run in one stream',
  params: schemas.FlowRunParams,
  query: schemas.FlowRunLogFilter,
  response: schemas.FlowRunLogPage,
  errors: ['not_found'],
})
export const cancelFlowRun = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'cancelFlowRun',
  path: `${base}/flow-run/:flow_run_trellis_code/cancel`,
  summary: 'Stop every block of a flow run, and start none that waits for them',
  params: schemas.FlowRunParams,
  response: schemas.FlowRun,
  errors: ['not_found', 'conflict'],
  worksWhenPlanIsOver: true,
})
export const retryFlowRun = defineEndpoint({
  ...run,
  tokenScope: 'run',
  id: 'retryFlowRun',
  path: `${base}/flow-run/:flow_run_trellis_code/retry`,
  summary: 'Run again what failed in a flow run; what waits for it follows',
  params: schemas.FlowRunParams,
  response: schemas.FlowRun,
  creates: true,
  errors: ['not_found', 'block_incomplete', 'conflict', 'plan_expired'],
})

export const flowRunsEndpoints = [
  executeDataflow,
  listFlowRuns,
  getFlowRun,
  getFlowRunLogs,
  cancelFlowRun,
  retryFlowRun,
]
