import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './integrations.schemas.ts'

const feature = 'integrations'
const permission = 'integrations:read'
const base = '/:account_trellis_code/:workspace_address/platforms'

export const listPlatforms = defineEndpoint({
  id: 'listPlatforms',
  feature,
  permission,
  method: 'GET',
  path: base,
  summary: 'Everything that can be connected, or what has all of the given tags',
  params: WorkspaceParams,
  query: schemas.PlatformFilter,
  response: z.array(schemas.Platform),
})
export const getPlatform = defineEndpoint({
  id: 'getPlatform',
  feature,
  permission,
  method: 'GET',
  path: `${base}/:platform_trellis_code`,
  summary: 'One platform with its documentation',
  params: schemas.PlatformParams,
  response: schemas.PlatformDetails,
  errors: ['not_found'],
})
export const getSetupForma = defineEndpoint({
  id: 'getSetupForma',
  feature,
  permission,
  method: 'GET',
  path: `${base}/setup-forma/:platform_trellis_code`,
  summary: 'What has to be entered to connect a platform',
  params: schemas.PlatformParams,
  response: schemas.SetupForma,
  errors: ['not_found'],
})

export const platformsEndpoints = [listPlatforms, getPlatform, getSetupForma]
