import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './dataflows.schemas.ts'

const feature = 'dataflows'
const base = '/:account_trellis_code/:workspace_address/dataflows'
const read = { feature, permission: 'dataflows:read', method: 'GET' } as const
const write = { feature, permission: 'dataflows:write' } as const

export const createDataflow = defineEndpoint({
  ...write,
  id: 'createDataflow',
  method: 'POST',
  path: `${base}/`,
  summary: 'Make an empty dataflow',
  params: WorkspaceParams,
  body: schemas.CreateDataflow,
  response: schemas.Dataflow,
  creates: true,
  errors: ['not_found', 'limit_reached'],
})
export const createDataflowFolder = defineEndpoint({
  ...write,
  id: 'createDataflowFolder',
  method: 'POST',
  path: `${base}/folder`,
  summary: 'Make a folder',
  params: WorkspaceParams,
  body: schemas.CreateFolder,
  response: schemas.Folder,
  creates: true,
  errors: ['not_found', 'limit_reached'],
})
export const getDataflowsDashboard = defineEndpoint({
  ...read,
  id: 'getDataflowsDashboard',
  path: `${base}/dashboard-information`,
  summary: 'How the dataflows of a workspace do today',
  params: WorkspaceParams,
  response: schemas.DashboardInformation,
})
export const getFolderStructure = defineEndpoint({
  ...read,
  id: 'getFolderStructure',
  path: `${base}/folder-structure`,
  summary: 'All folders and dataflows',
  params: WorkspaceParams,
  response: schemas.FolderStructure,
})
export const getDataflow = defineEndpoint({
  ...read,
  id: 'getDataflow',
  path: `${base}/:trellis_code`,
  summary: 'One dataflow',
  params: schemas.CodeParams,
  response: schemas.Dataflow,
  errors: ['not_found'],
})
export const describeDataflow = defineEndpoint({
  ...read,
  id: 'describeDataflow',
  path: `${base}/dataflow-descriptions/:trellis_code`,
  summary: 'A dataflow in words',
  params: schemas.CodeParams,
  response: schemas.DataflowDescription,
  errors: ['not_found'],
})
export const deleteDataflow = defineEndpoint({
  ...write,
  id: 'deleteDataflow',
  method: 'DELETE',
  path: `${base}/:trellis_code`,
  summary: 'Delete a dataflow; what it loaded stays',
  params: schemas.CodeParams,
  response: Done,
  errors: ['not_found', 'conflict'],
})
export const restoreDataflow = defineEndpoint({
  ...write,
  id: 'restoreDataflow',
  method: 'POST',
  path: `${base}/undelete/:trellis_code`,
  summary: 'Bring a deleted dataflow back; its schedules go on from now',
  params: schemas.CodeParams,
  response: schemas.Dataflow,
  errors: ['not_found', 'limit_reached'],
})
export const deleteDataflowFolder = defineEndpoint({
  ...write,
  id: 'deleteDataflowFolder',
  method: 'DELETE',
  path: `${base}/folder/:trellis_code`,
  summary: 'Delete a folder; what is in it moves up',
  params: schemas.CodeParams,
  response: Done,
  errors: ['not_found'],
})
export const updateDataflow = defineEndpoint({
  ...write,
  id: 'updateDataflow',
  method: 'PATCH',
  path: `${base}/:relative_trellis_code`,
  summary: 'Rename, move, describe, pause a dataflow or change who is told what',
  params: schemas.RelativeCodeParams,
  body: schemas.UpdateDataflow,
  response: schemas.Dataflow,
  errors: ['not_found'],
})
export const updateDataflowFolder = defineEndpoint({
  ...write,
  id: 'updateDataflowFolder',
  method: 'PATCH',
  path: `${base}/folder/:trellis_code`,
  summary: 'Rename or move a folder',
  params: schemas.CodeParams,
  body: schemas.UpdateFolder,
  response: schemas.Folder,
  errors: ['not_found', 'conflict'],
})

export const dataflowsEndpoints = [
  createDataflow,
  createDataflowFolder,
  getDataflowsDashboard,
  getFolderStructure,
  getDataflow,
  describeDataflow,
  deleteDataflow,
  restoreDataflow,
  deleteDataflowFolder,
  updateDataflow,
  updateDataflowFolder,
]
