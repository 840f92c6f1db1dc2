import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './actions.schemas.ts'

const base = '/:account_trellis_code/:workspace_address/actions'
const use = { feature: 'actions', permission: 'ai:use' } as const

export const listActions = defineEndpoint({
  ...use,
  id: 'listActions',
  method: 'GET',
  path: `${base}/`,
  summary: 'Actions I may use here',
  params: WorkspaceParams,
  response: schemas.Actions,
})
export const listActionResources = defineEndpoint({
  ...use,
  id: 'listActionResources',
  method: 'GET',
  path: `${base}/resources/`,
  summary: 'Schemas, tables and views to mention',
  params: WorkspaceParams,
  query: schemas.ResourcesQuery,
  response: schemas.Resources,
  errors: ['unavailable'],
})
export const listActionItems = defineEndpoint({
  ...use,
  id: 'listActionItems',
  method: 'GET',
  path: `${base}/action_items`,
  summary: 'Log of my actions, the latest first',
  params: WorkspaceParams,
  query: schemas.ActionItemsQuery,
  response: schemas.ActionItems,
})
export const createActionItem = defineEndpoint({
  ...use,
  id: 'createActionItem',
  method: 'POST',
  path: `${base}/action_items`,
  summary: 'Prepare an action and preview it',
  params: WorkspaceParams,
  body: schemas.CreateActionItemRequest,
  response: schemas.ActionItem,
  creates: true,
  errors: ['not_found', 'invalid_request', 'unavailable'],
})
export const getActionItem = defineEndpoint({
  ...use,
  id: 'getActionItem',
  method: 'GET',
  path: `${base}/action_items/:action_id`,
  summary: 'An action that was proposed to me',
  params: schemas.ActionItemParams,
  response: schemas.ActionItem,
  errors: ['not_found'],
})
export const decideActionItem = defineEndpoint({
  ...use,
  id: 'decideActionItem',
  method: 'PATCH',
  path: `${base}/action_items/:action_id`,
  summary: 'Accept, decline or undo an action',
  params: schemas.ActionItemParams,
  body: schemas.DecideActionItemRequest,
  response: schemas.ActionItem,
  errors: ['not_found', 'conflict'],
})
export const getAction = defineEndpoint({
  ...use,
  id: 'getAction',
  method: 'GET',
  path: `${base}/:action_type`,
  summary: 'One action with what can be chosen for it',
  params: schemas.ActionTypeParams,
  query: schemas.ActionTypeQuery,
  response: schemas.ActionWithChoices,
  errors: ['not_found', 'unavailable'],
})

export const actionsEndpoints = [
  listActions,
  listActionResources,
  listActionItems,
  createActionItem,
  getActionItem,
  decideActionItem,
  getAction,
]
