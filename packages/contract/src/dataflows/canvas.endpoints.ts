import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import { CodeParams } from './dataflows.schemas.ts'
import * as schemas from './task-blocks.schemas.ts'

const feature = 'dataflows'
const base = '/:account_trellis_code/:workspace_address/dataflows/canvas'
const blocks = `${base}/task-block`
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const write = { feature, permission: 'dataflows:write' } as const
const create = {
  ...write,
  method: 'POST',
  params: WorkspaceParams,
  creates: true,
  errors: ['not_found', 'limit_reached'],
} as const
const update = {
  ...write,
  method: 'PATCH',
  params: WorkspaceParams,
  errors: ['not_found', 'conflict', 'trigger_cycle', 'limit_reached'],
} as const
const get = { ...read, params: schemas.TaskBlockParams, errors: ['not_found'] } as const

export const putCanvasGroup = defineEndpoint({
  ...create,
  id: 'putCanvasGroup',
  path: `${base}/group`,
  summary: 'Make a group of blocks, or change one',
  body: schemas.PutGroup,
  response: schemas.CanvasGroup,
})
export const deleteCanvasGroup = defineEndpoint({
  ...write,
  id: 'deleteCanvasGroup',
  method: 'DELETE',
  path: `${base}/group/:trellis_code`,
  summary: 'Take a group away; its blocks stay',
  params: CodeParams,
  response: Done,
  errors: ['not_found'],
})
export const getCanvas = defineEndpoint({
  ...read,
  id: 'getCanvas',
  path: `${base}/:dataflow_trellis_code`,
  summary: 'Everything the canvas of a dataflow draws',
  params: schemas.DataflowParams,
  response: schemas.Canvas,
  errors: ['not_found'],
})
export const createSourceBlock = defineEndpoint({
  ...create,
  id: 'createSourceBlock',
  path: `${blocks}/source_task_block`,
  summary: 'Add a source',
  body: schemas.CreateSource,
  response: schemas.SourceBlock,
})
export const createTransformationBlock = defineEndpoint({
  ...create,
  id: 'createTransformationBlock',
  path: `${blocks}/transformation_task_block`,
  summary: 'Add a transformation',
  body: schemas.CreateTransformation,
  response: schemas.TransformationBlock,
})
export const createDestinationBlock = defineEndpoint({
  ...create,
  id: 'createDestinationBlock',
  path: `${blocks}/destination_task_block`,
  summary: 'Add a destination',
  body: schemas.CreateDestination,
  response: schemas.DestinationBlock,
})
export const updateSourceBlock = defineEndpoint({
  ...update,
  id: 'updateSourceBlock',
  path: `${blocks}/source_task_block`,
  summary: 'Change the draft of a source',
  body: schemas.UpdateSource,
  response: schemas.SourceBlock,
})
export const updateTransformationBlock = defineEndpoint({
  ...update,
  id: 'updateTransformationBlock',
  path: `${blocks}/transformation_task_block`,
  summary: 'Change the draft of a transformation',
  body: schemas.UpdateTransformation,
  response: schemas.TransformationBlock,
})
export const updateDestinationBlock = defineEndpoint({
  ...update,
  id: 'updateDestinationBlock',
  path: `${blocks}/destination_task_block`,
  summary: 'Change the draft of a destination',
  body: schemas.UpdateDestination,
  response: schemas.DestinationBlock,
})
export const getSourceBlock = defineEndpoint({
  ...get,
  id: 'getSourceBlock',
  path: `${blocks}/source_task_block/:task_block_trellis_code`,
  summary: 'One source with its draft',
  response: schemas.SourceBlock,
})
export const getTransformationBlock = defineEndpoint({
  ...get,
  id: 'getTransformationBlock',
  path: `${blocks}/transformation_task_block/:task_block_trellis_code`,
  summary: 'One transformation with its draft',
  response: schemas.TransformationBlock,
})
export const getDestinationBlock = defineEndpoint({
  ...get,
  id: 'getDestinationBlock',
  path: `${blocks}/destination_task_block/:task_block_trellis_code`,
  summary: 'One destination with its draft',
  response: schemas.DestinationBlock,
})
export const updateBlockMetadata = defineEndpoint({
  ...write,
  id: 'updateBlockMetadata',
  method: 'PATCH',
  path: `${blocks}/metadata`,
  summary: 'Move blocks, put them into groups, note something about them',
  params: WorkspaceParams,
  body: schemas.UpdateMetadata,
  response: z.array(z.object({ task_block_trellis_code: z.string(), metadata: schemas.BlockMetadata })),
  errors: ['not_found'],
  quiet: true,
})
export const renameBlock = defineEndpoint({
  ...write,
  id: 'renameBlock',
  method: 'PATCH',
  path: `${blocks}/name`,
  summary: 'Rename a block',
  params: WorkspaceParams,
  body: schemas.RenameBlock,
  response: Done,
  errors: ['not_found', 'conflict'],
})
export const deleteBlock = defineEndpoint({
  ...write,
  id: 'deleteBlock',
  method: 'DELETE',
  path: `${blocks}/:task_block_trellis_code`,
  summary: 'Delete a block; those that wait for it no longer do',
  params: schemas.TaskBlockParams,
  response: Done,
  errors: ['not_found', 'conflict'],
})
export const restoreBlock = defineEndpoint({
  ...write,
  id: 'restoreBlock',
  method: 'POST',
  path: `${blocks}/undelete/:task_block_trellis_code`,
  summary: 'Bring a deleted block back, with its versions and runs',
  params: schemas.TaskBlockParams,
  response: schemas.BlockCard,
  errors: ['not_found', 'trigger_cycle', 'limit_reached'],
})
export const describeBlock = defineEndpoint({
  ...get,
  id: 'describeBlock',
  path: `${blocks}/task-block-description/:task_block_trellis_code`,
  summary: 'A block in words; short for a tooltip',
  query: z.object({ short: z.optional(z.stringbool()) }),
  response: schemas.BlockDescription,
})
export const getPreviousBlocks = defineEndpoint({
  ...get,
  id: 'getPreviousBlocks',
  path: `${base}/previous-task-block-information/:task_block_trellis_code`,
  summary: 'Blocks this one can wait for and read from, with what they write',
  response: schemas.PreviousBlocks,
})
export const listPackages = defineEndpoint({
  ...read,
  id: 'listPackages',
  path: `${base}/packages`,
  summary: 'What JavaScript transformations can import',
  params: WorkspaceParams,
  response: z.array(z.object({ name: z.string(), version: z.string(), summary: z.string() })),
})

export const canvasEndpoints = [
  putCanvasGroup,
  deleteCanvasGroup,
  getCanvas,
  createSourceBlock,
  createTransformationBlock,
  createDestinationBlock,
  updateSourceBlock,
  updateTransformationBlock,
  updateDestinationBlock,
  getSourceBlock,
  getTransformationBlock,
  getDestinationBlock,
  updateBlockMetadata,
  renameBlock,
  deleteBlock,
  restoreBlock,
  describeBlock,
  getPreviousBlocks,
]

export const packagesEndpoints = [listPackages]
