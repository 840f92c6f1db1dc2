import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import { ProfileContext } from './workspaces.schemas.ts'

const feature = 'workspaces'

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

export const workspacesEndpoints = [getProfileContext]
