import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done } from '../core/shapes.ts'
import { TaskBlockParams } from '../dataflows/task-blocks.schemas.ts'
import * as versions from './versions.schemas.ts'

const feature = 'runs'
const base = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const run = { feature, permission: 'dataflows:write', method: 'POST' } as const

export const publishBlock = defineEndpoint({
  ...run,
  id: 'publishBlock',
  path: `${base}/publish/:task_block_trellis_code`,
  summary: 'Make the draft the version that triggers run',
  params: TaskBlockParams,
  body: versions.PublishBlock,
  response: versions.BlockVersion,
  errors: ['not_found', 'conflict', 'block_incomplete', 'trigger_cycle'],
})
export const planPublish = defineEndpoint({
  ...read,
  id: 'planPublish',
  path: `${base}/publish-plan/:task_block_trellis_code`,
  summary: 'What publishing would change: settings, tables, rows that would not fit, who reads them',
  params: TaskBlockParams,
  response: versions.PublishPlan,
  errors: ['not_found'],
})
export const listBlockVersions = defineEndpoint({
  ...read,
  id: 'listBlockVersions',
  path: `${base}/versions/:task_block_trellis_code`,
  summary: 'Every published version of a block, newest first',
  params: TaskBlockParams,
  response: z.array(versions.BlockVersion),
  errors: ['not_found'],
})
export const restoreBlockVersion = defineEndpoint({
  ...run,
  id: 'restoreBlockVersion',
  path: `${base}/restore/:task_block_trellis_code`,
  summary: 'Make an earlier version the draft',
  params: TaskBlockParams,
  body: versions.RestoreVersion,
  response: Done,
  errors: ['not_found', 'conflict', 'limit_reached'],
})
export const getOverrides = defineEndpoint({
  ...read,
  id: 'getOverrides',
  path: `${base}/source_task_block/:task_block_trellis_code/overrides`,
  summary: 'What a single run of a source may do otherwise',
  params: TaskBlockParams,
  response: versions.Overrides,
  errors: ['not_found'],
})

export const versionsEndpoints = [publishBlock, planPublish, listBlockVersions, restoreBlockVersion, getOverrides]
