import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './database-admin.schemas.ts'

const feature = 'database-admin'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-admin'

export const listDatabaseRoles = defineEndpoint({
  id: 'listDatabaseRoles',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/roles/:integration_trellis_code`,
  summary: 'All roles of a database',
  params: schemas.DatabaseParams,
  response: z.array(schemas.DatabaseRole),
  errors: ['not_found', 'unavailable'],
})
export const getDatabaseRole = defineEndpoint({
  id: 'getDatabaseRole',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/roles/:integration_trellis_code/:role_trellis_code`,
  summary: 'One of the roles',
  params: schemas.DatabaseRoleParams,
  response: schemas.DatabaseRole,
  errors: ['not_found', 'unavailable'],
})
export const listRoleTemplates = defineEndpoint({
  id: 'listRoleTemplates',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/roles/role_templates/:integration_trellis_code`,
  summary: 'What a role can be made from',
  params: schemas.DatabaseParams,
  response: z.array(schemas.RoleTemplate),
  errors: ['not_found', 'unavailable'],
})
export const getDatabaseRoleByCode = defineEndpoint({
  id: 'getDatabaseRoleByCode',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/roles/role/:role_trellis_code`,
  summary: 'A role by its code alone',
  params: schemas.RoleCodeParams,
  response: schemas.DatabaseRole,
  errors: ['not_found', 'unavailable'],
})
export const createDatabaseRole = defineEndpoint({
  id: 'createDatabaseRole',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/roles`,
  summary: 'Make a role from templates',
  params: WorkspaceParams,
  body: schemas.DatabaseRoleCreate,
  response: schemas.DatabaseRole,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const updateDatabaseRole = defineEndpoint({
  id: 'updateDatabaseRole',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/roles`,
  summary: 'Change a role',
  params: WorkspaceParams,
  body: schemas.DatabaseRoleUpdate,
  response: schemas.DatabaseRole,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const deleteDatabaseRole = defineEndpoint({
  id: 'deleteDatabaseRole',
  feature,
  permission: 'database-admin:write',
  method: 'DELETE',
  path: `${base}/roles/:integration_trellis_code/:role_trellis_code`,
  summary: 'Delete a role; whoever held it loses its rights',
  params: schemas.DatabaseRoleParams,
  response: Done,
  errors: ['not_found', 'unavailable'],
})
export const listDatabaseGroups = defineEndpoint({
  id: 'listDatabaseGroups',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/groups/:integration_trellis_code`,
  summary: 'All groups of a database',
  params: schemas.DatabaseParams,
  response: z.array(schemas.DatabaseGroup),
  errors: ['not_found', 'unavailable'],
})
export const getDatabaseGroup = defineEndpoint({
  id: 'getDatabaseGroup',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/groups/:integration_trellis_code/:group_trellis_code`,
  summary: 'One of the groups',
  params: schemas.DatabaseGroupParams,
  response: schemas.DatabaseGroup,
  errors: ['not_found', 'unavailable'],
})
export const createDatabaseGroup = defineEndpoint({
  id: 'createDatabaseGroup',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/groups`,
  summary: 'Make a group',
  params: WorkspaceParams,
  body: schemas.DatabaseGroupCreate,
  response: schemas.DatabaseGroup,
  creates: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const updateDatabaseGroup = defineEndpoint({
  id: 'updateDatabaseGroup',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/groups`,
  summary: 'Change a group',
  params: WorkspaceParams,
  body: schemas.DatabaseGroupUpdate,
  response: schemas.DatabaseGroup,
  errors: ['not_found', 'conflict', 'unavailable'],
})
export const deleteDatabaseGroup = defineEndpoint({
  id: 'deleteDatabaseGroup',
  feature,
  permission: 'database-admin:write',
  method: 'DELETE',
  path: `${base}/groups/:integration_trellis_code/:group_trellis_code`,
  summary: 'Delete a group; its members stay',
  params: schemas.DatabaseGroupParams,
  response: Done,
  errors: ['not_found', 'unavailable'],
})

export const databaseRolesEndpoints = [
  listDatabaseRoles,
  getDatabaseRole,
  listRoleTemplates,
  getDatabaseRoleByCode,
  createDatabaseRole,
  updateDatabaseRole,
  deleteDatabaseRole,
  listDatabaseGroups,
  getDatabaseGroup,
  createDatabaseGroup,
  updateDatabaseGroup,
  deleteDatabaseGroup,
]
