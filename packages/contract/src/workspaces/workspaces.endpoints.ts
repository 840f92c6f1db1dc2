import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Done, WorkspaceParams } from '../core/shapes.ts'
import {
  ProfileContext,
  Workspace,
  WorkspaceByIdQuery,
  WorkspaceCreate,
  WorkspaceIdParams,
  WorkspacePatch,
  WorkspaceQuery,
} from './workspaces.schemas.ts'

const feature = 'workspaces'
const params = AccountParams

export const createWorkspace = defineEndpoint({
  id: 'createWorkspace',
  feature,
  permission: 'workspaces:create',
  method: 'POST',
  path: '/:account_trellis_code/workspace',
  summary: 'Create a workspace; its database is made in the background',
  params,
  body: WorkspaceCreate,
  response: Workspace,
  creates: true,
  errors: ['limit_reached', 'address_taken'],
})
export const deleteWorkspace = defineEndpoint({
  id: 'deleteWorkspace',
  feature,
  permission: 'workspaces:delete',
  method: 'DELETE',
  path: '/:account_trellis_code/workspace',
  summary: 'Delete a workspace; can be undone for 7 days',
  params,
  query: WorkspaceQuery,
  response: Done,
  errors: ['not_found'],
})
export const getWorkspace = defineEndpoint({
  id: 'getWorkspace',
  feature,
  permission: 'account:read',
  method: 'GET',
  path: '/:account_trellis_code/workspace/:id',
  summary: 'One workspace, by its id or by its address',
  params: WorkspaceIdParams,
  query: WorkspaceByIdQuery,
  response: Workspace,
  errors: ['not_found'],
})
export const listWorkspaces = defineEndpoint({
  id: 'listWorkspaces',
  feature,
  permission: 'account:read',
  method: 'GET',
  path: '/:account_trellis_code/workspace/account',
  summary: 'The workspaces of this account that I may enter',
  params,
  response: z.array(Workspace),
})
export const updateWorkspace = defineEndpoint({
  id: 'updateWorkspace',
  feature,
  permission: 'workspace:update',
  method: 'PATCH',
  path: '/:account_trellis_code/:workspace_address',
  summary: 'Rename a workspace; its address stays',
  params: WorkspaceParams,
  body: WorkspacePatch,
  response: Workspace,
})
export const getProfileContext = defineEndpoint({
  id: 'getProfileContext',
  feature,
  permission: 'workspace:read',
  method: 'GET',
  path: '/:account_trellis_code/:workspace_address/context/profile-context',
  summary: 'My standing in this workspace',
  params: WorkspaceParams,
  response: ProfileContext,
  errors: ['not_found'],
})

export const workspacesEndpoints = [
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
  getProfileContext,
]
