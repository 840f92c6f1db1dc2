import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './explorer.schemas.ts'

const feature = 'explorer'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager'

export const listLabels = defineEndpoint({
  id: 'listLabels',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/label/all`,
  summary: 'Labels of this workspace with the number of tables that carry each',
  params: WorkspaceParams,
  response: z.array(z.extend(schemas.Label, { table_count: z.int() })),
})
export const createLabel = defineEndpoint({
  id: 'createLabel',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/create`,
  summary: 'Create a label',
  params: WorkspaceParams,
  body: schemas.LabelCreate,
  response: schemas.Label,
  creates: true,
  errors: ['conflict'],
})
export const updateLabel = defineEndpoint({
  id: 'updateLabel',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/update`,
  summary: 'Change name or colour of a label',
  params: WorkspaceParams,
  body: schemas.LabelUpdate,
  response: schemas.Label,
  errors: ['not_found', 'conflict'],
})
export const deleteLabel = defineEndpoint({
  id: 'deleteLabel',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/delete`,
  summary: 'Delete a label; tables lose it',
  params: WorkspaceParams,
  body: schemas.LabelId,
  response: Done,
  errors: ['not_found'],
  worksWhenPlanIsOver: true,
})
export const addLabelToTable = defineEndpoint({
  id: 'addLabelToTable',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/add_to_table`,
  summary: 'Put a label on a table',
  params: WorkspaceParams,
  body: schemas.TableLabel,
  response: Done,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})
export const removeLabelFromTable = defineEndpoint({
  id: 'removeLabelFromTable',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/remove_from_table`,
  summary: 'Take a label off a table',
  params: WorkspaceParams,
  body: schemas.TableLabel,
  response: Done,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
  worksWhenPlanIsOver: true,
})
export const setTableLabels = defineEndpoint({
  id: 'setTableLabels',
  feature,
  permission: 'explorer:write',
  method: 'POST',
  path: `${base}/label/update_table_labels`,
  summary: 'Set all labels of a table at once',
  params: WorkspaceParams,
  body: schemas.TableLabels,
  response: z.array(schemas.Label),
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'unavailable'],
})

export const labelsEndpoints = [
  listLabels,
  createLabel,
  updateLabel,
  deleteLabel,
  addLabelToTable,
  removeLabelFromTable,
  setTableLabels,
]
