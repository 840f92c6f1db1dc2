import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './database-admin.schemas.ts'

const feature = 'database-admin'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-admin'

export const getFirewall = defineEndpoint({
  id: 'getFirewall',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/firewall/:integration_trellis_code`,
  summary: 'Who may reach the database from where',
  params: schemas.DatabaseParams,
  response: schemas.Firewall,
  errors: ['not_found', 'unavailable'],
})
export const addFirewallRule = defineEndpoint({
  id: 'addFirewallRule',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/firewall`,
  summary: 'Add a rule',
  params: WorkspaceParams,
  body: schemas.FirewallRuleCreate,
  response: schemas.Firewall,
  creates: true,
  errors: ['not_found', 'conflict', 'any_address', 'unavailable'],
})
export const setFirewall = defineEndpoint({
  id: 'setFirewall',
  feature,
  permission: 'database-admin:write',
  method: 'PUT',
  path: `${base}/firewall`,
  summary: 'Replace all rules',
  params: WorkspaceParams,
  body: schemas.FirewallPut,
  response: schemas.Firewall,
  errors: ['not_found', 'conflict', 'lock_out', 'any_address', 'unavailable'],
})
export const getConnection = defineEndpoint({
  id: 'getConnection',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/connection/:integration_trellis_code`,
  summary: 'Where and how outside tools connect',
  params: schemas.DatabaseParams,
  response: schemas.Connection,
  errors: ['not_found', 'unavailable'],
})
export const testConnection = defineEndpoint({
  id: 'testConnection',
  feature,
  permission: 'database-admin:read',
  method: 'POST',
  path: `${base}/connection/test`,
  summary: 'Try a login from here',
  params: WorkspaceParams,
  body: schemas.ConnectionTestRequest,
  response: schemas.ConnectionTest,
  errors: ['not_found', 'unavailable'],
  quiet: true,
})
export const getRights = defineEndpoint({
  id: 'getRights',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/rights/:integration_trellis_code`,
  summary: 'Who can do what, and through what',
  params: schemas.DatabaseParams,
  response: schemas.Rights,
  errors: ['not_found', 'unavailable'],
})
export const checkReach = defineEndpoint({
  id: 'checkReach',
  feature,
  permission: 'database-admin:read',
  method: 'POST',
  path: `${base}/reach`,
  summary: 'Could this profile from this address do this to this table?',
  params: WorkspaceParams,
  body: schemas.ReachQuestion,
  response: schemas.Reach,
  errors: ['not_found', 'unavailable'],
  quiet: true,
})
export const planDatabaseChange = defineEndpoint({
  id: 'planDatabaseChange',
  feature,
  permission: 'database-admin:write',
  method: 'POST',
  path: `${base}/plan`,
  summary: 'The SQL a change would run, without running it',
  params: WorkspaceParams,
  body: schemas.PlannedChange,
  response: schemas.SqlPlan,
  errors: ['not_found', 'conflict', 'unavailable'],
  quiet: true,
})
export const listDatabaseSessions = defineEndpoint({
  id: 'listDatabaseSessions',
  feature,
  permission: 'database-admin:read',
  method: 'GET',
  path: `${base}/sessions/:integration_trellis_code`,
  summary: 'Who is connected now',
  params: schemas.DatabaseParams,
  response: z.array(schemas.DatabaseSession),
  errors: ['not_found', 'unavailable'],
})
export const endDatabaseSession = defineEndpoint({
  id: 'endDatabaseSession',
  feature,
  permission: 'database-admin:write',
  method: 'DELETE',
  path: `${base}/sessions/:integration_trellis_code/:pid`,
  summary: 'End one connection',
  params: schemas.SessionParams,
  response: Done,
  errors: ['not_found', 'unavailable'],
})

export const firewallEndpoints = [
  getFirewall,
  addFirewallRule,
  setFirewall,
  getConnection,
  testConnection,
  getRights,
  checkReach,
  planDatabaseChange,
  listDatabaseSessions,
  endDatabaseSession,
]
