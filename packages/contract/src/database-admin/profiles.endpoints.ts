import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './database-admin.schemas.ts'

const feature = 'database-admin'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-admin'

export const listDatabaseProfiles = defineEndpoint({
  id: 'listDatabaseProfiles',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/profiles/:integration_trellis_code`,
  summary: 'All profiles of a database',
  params: schemas.DatabaseParams,
  response: z.array(schemas.DatabaseProfile),
  errors: ['not_found', 'unavailable'],
})
export const getDatabaseProfile = defineEndpoint({
  id: 'getDatabaseProfile',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/profiles/:integration_trellis_code/:profile_trellis_code`,
  summary: 'One of the profiles',
  params: schemas.DatabaseProfileParams,
  response: schemas.DatabaseProfile,
  errors: ['not_found', 'unavailable'],
})
export const createDatabaseProfile = defineEndpoint({
  id: 'createDatabaseProfile',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/profiles`,
  summary: 'Give a member of the workspace a place in the database',
  params: WorkspaceParams,
  body: schemas.DatabaseProfileCreate,
  response: schemas.DatabaseProfile,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const updateDatabaseProfile = defineEndpoint({
  id: 'updateDatabaseProfile',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/profiles`,
  summary: 'Change roles and groups of a profile',
  params: WorkspaceParams,
  body: schemas.DatabaseProfileUpdate,
  response: schemas.DatabaseProfile,
  errors: ['not_found', 'unavailable'],
})
export const setExternalAccess = defineEndpoint({
  id: 'setExternalAccess',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/profiles/external-access`,
  summary: 'Allow or end access with outside tools for a profile',
  params: WorkspaceParams,
  body: schemas.ExternalAccess,
  response: schemas.ProfileWithSecret,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const deleteDatabaseProfile = defineEndpoint({
  id: 'deleteDatabaseProfile',
  feature,
  permission: 'database-admin:write',
  method: 'DELETE',
  path: `${base}/profiles/:integration_trellis_code/:profile_trellis_code`,
  summary: 'Take a member out of the database',
  params: schemas.DatabaseProfileParams,
  response: Done,
  errors: ['not_found', 'unavailable'],
})
export const suggestLoginName = defineEndpoint({
  id: 'suggestLoginName',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/login-name`,
  summary: 'A readable name that is still free, for a login to be made',
  params: WorkspaceParams,
  body: schemas.LoginNameQuestion,
  response: schemas.SuggestedLoginName,
  errors: ['not_found', 'unavailable'],
  quiet: true,
})
export const listExternalProfiles = defineEndpoint({
  id: 'listExternalProfiles',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/external-profile/:integration_trellis_code`,
  summary: 'All external profile of a database',
  params: schemas.DatabaseParams,
  response: z.array(schemas.ExternalProfile),
  errors: ['not_found', 'unavailable'],
})
export const getExternalProfile = defineEndpoint({
  id: 'getExternalProfile',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/external-profile/:integration_trellis_code/:profile_trellis_code`,
  summary: 'One of the external profile',
  params: schemas.DatabaseProfileParams,
  response: schemas.ExternalProfile,
  errors: ['not_found', 'unavailable'],
})
export const createExternalProfile = defineEndpoint({
  id: 'createExternalProfile',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/external-profile`,
  summary: 'Make a login for an outside tool; its password is shown once',
  params: WorkspaceParams,
  body: schemas.ExternalProfileCreate,
  response: schemas.ExternalProfileWithSecret,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const updateExternalProfile = defineEndpoint({
  id: 'updateExternalProfile',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/external-profile`,
  summary: 'Change rights, expiry or connection limit of a login',
  params: WorkspaceParams,
  body: schemas.ExternalProfileUpdate,
  response: schemas.ExternalProfile,
  errors: ['not_found', 'unavailable'],
})
export const rotateExternalProfile = defineEndpoint({
  id: 'rotateExternalProfile',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/external-profile/rotate`,
  summary: 'Give a login a new password; the old one works on for a while',
  params: WorkspaceParams,
  body: schemas.ExternalProfileRotate,
  response: schemas.ExternalProfileWithSecret,
  creates: true,
  errors: ['not_found', 'unavailable'],
})
export const deleteExternalProfile = defineEndpoint({
  id: 'deleteExternalProfile',
  feature,
  permission: 'database-admin:write',
  method: 'DELETE',
  path: `${base}/external-profile/:integration_trellis_code/:profile_trellis_code`,
  summary: 'Delete a login and end its sessions',
  params: schemas.DatabaseProfileParams,
  response: Done,
  errors: ['not_found', 'unavailable'],
})

export const databaseProfilesEndpoints = [
  listDatabaseProfiles,
  getDatabaseProfile,
  createDatabaseProfile,
  updateDatabaseProfile,
  setExternalAccess,
  deleteDatabaseProfile,
  suggestLoginName,
  listExternalProfiles,
  getExternalProfile,
  createExternalProfile,
  updateExternalProfile,
  rotateExternalProfile,
  deleteExternalProfile,
]
