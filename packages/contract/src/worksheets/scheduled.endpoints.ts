import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './scheduled.schemas.ts'
import { BlockUpdate, FileParams, ProjectParams } from './worksheets.schemas.ts'

const feature = 'worksheets'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/project-manager'
const block = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block/:task_block_trellis_code/worksheet'

export const runAsDataflow = defineEndpoint({
  feature,
  permission: 'dataflows:write',
  method: 'POST',
  id: 'runAsDataflow',
  path: `${base}/project/run_as_dataflow`,
  summary: 'Make a transformation block that runs a published worksheet',
  params: WorkspaceParams,
  body: schemas.RunAsDataflow,
  response: schemas.ScheduledBlock,
  creates: true,
  errors: ['not_found', 'conflict', 'limit_reached'],
})
export const getPushPlan = defineEndpoint({
  feature,
  permission: 'worksheets:publish',
  method: 'GET',
  id: 'getPushPlan',
  path: `${base}/project/:project_id/push_plan`,
  summary: 'What publishing my changes would do to the blocks that run these worksheets',
  params: ProjectParams,
  response: z.array(BlockUpdate),
  errors: ['not_found'],
})
export const listWorksheetBlocks = defineEndpoint({
  feature,
  permission: 'dataflows:read',
  method: 'GET',
  id: 'listWorksheetBlocks',
  path: `${base}/project/:project_id/live_file/:file_id/blocks`,
  summary: 'The blocks that run a worksheet',
  params: FileParams,
  response: z.array(schemas.WorksheetBlock),
  errors: ['not_found'],
})
export const getBlockWorksheet = defineEndpoint({
  feature,
  permission: 'dataflows:read',
  method: 'GET',
  id: 'getBlockWorksheet',
  path: block,
  summary: 'The worksheet that the SQL of a block comes from',
  params: schemas.BlockParams,
  response: schemas.BlockWorksheet,
  errors: ['not_found'],
})
export const updateFromWorksheet = defineEndpoint({
  feature,
  permission: 'dataflows:write',
  method: 'POST',
  id: 'updateFromWorksheet',
  path: `${block}/update`,
  summary: 'Put the published version of the worksheet into the draft of its block',
  params: schemas.BlockParams,
  body: schemas.DraftVersionNumber,
  response: Done,
  errors: ['not_found', 'conflict', 'limit_reached'],
})
export const unlinkWorksheet = defineEndpoint({
  feature,
  permission: 'dataflows:write',
  method: 'POST',
  id: 'unlinkWorksheet',
  path: `${block}/unlink`,
  summary: 'Keep the SQL in the block and let go of the worksheet',
  params: schemas.BlockParams,
  body: schemas.DraftVersionNumber,
  response: Done,
  errors: ['not_found', 'conflict'],
})

export const scheduledEndpoints = [
  runAsDataflow,
  getPushPlan,
  listWorksheetBlocks,
  getBlockWorksheet,
  updateFromWorksheet,
  unlinkWorksheet,
]
