import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './integrations.schemas.ts'

const feature = 'integrations'
const base = '/:account_trellis_code/:workspace_address/integrations'
const one = { feature, params: schemas.IntegrationParams } as const

export const listIntegrations = defineEndpoint({
  id: 'listIntegrations',
  feature,
  permission: 'integrations:read',
  method: 'GET',
  path: base,
  summary: 'The connections of a workspace',
  params: WorkspaceParams,
  query: schemas.IntegrationFilter,
  response: z.array(schemas.Integration),
})
export const createIntegration = defineEndpoint({
  id: 'createIntegration',
  feature,
  permission: 'integrations:write',
  method: 'POST',
  path: base,
  summary: 'Keep the settings of a connection; it is checked when they are complete',
  params: WorkspaceParams,
  body: schemas.CreateIntegration,
  response: schemas.IntegrationDetails,
  creates: true,
  errors: ['not_found', 'limit_reached'],
})
export const getIntegration = defineEndpoint({
  ...one,
  id: 'getIntegration',
  permission: 'integrations:read',
  method: 'GET',
  path: `${base}/:integration_trellis_code`,
  summary: 'One connection with its settings, without its secrets',
  response: schemas.IntegrationDetails,
  errors: ['not_found'],
})
export const updateIntegration = defineEndpoint({
  ...one,
  id: 'updateIntegration',
  permission: 'integrations:write',
  method: 'PATCH',
  path: `${base}/:integration_trellis_code`,
  summary: 'Change a connection; changed settings are checked again',
  body: schemas.UpdateIntegration,
  response: schemas.IntegrationDetails,
  errors: ['not_found', 'conflict', 'forbidden'],
})
export const deleteIntegration = defineEndpoint({
  ...one,
  id: 'deleteIntegration',
  permission: 'integrations:write',
  method: 'DELETE',
  path: `${base}/:integration_trellis_code`,
  summary: 'Delete a connection and its secrets; refused while something uses it',
  response: Done,
  errors: ['not_found', 'integration_in_use', 'forbidden'],
})
export const linkIntegration = defineEndpoint({
  id: 'linkIntegration',
  feature,
  permission: 'integrations:write',
  method: 'POST',
  path: `${base}/link`,
  summary: "Make the link to the platform's consent page",
  params: WorkspaceParams,
  body: schemas.LinkRequest,
  response: schemas.LinkAnswer,
  errors: ['not_found', 'conflict', 'integration_incomplete'],
})
export const describeIntegration = defineEndpoint({
  ...one,
  id: 'describeIntegration',
  permission: 'integrations:read',
  method: 'GET',
  path: `${base}/integration-descriptions/:integration_trellis_code`,
  summary: 'A connection in words: settings, use, history',
  response: schemas.IntegrationDescription,
  errors: ['not_found'],
})
export const getPostgresSchema = defineEndpoint({
  ...one,
  id: 'getPostgresSchema',
  permission: 'integrations:write',
  method: 'GET',
  path: `${base}/postgres_schema/:integration_trellis_code`,
  summary: 'Schemas and tables of a connected database',
  response: schemas.OutsideSchemas,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'too_many_requests'],
})
export const validateIntegration = defineEndpoint({
  ...one,
  id: 'validateIntegration',
  permission: 'integrations:write',
  method: 'POST',
  path: `${base}/validate/:integration_trellis_code`,
  summary: 'Check a connection now',
  response: schemas.ValidationStatus,
  errors: ['not_found', 'integration_incomplete'],
})
export const getValidationStatus = defineEndpoint({
  ...one,
  id: 'getValidationStatus',
  permission: 'integrations:read',
  method: 'GET',
  path: `${base}/validation-status/:integration_trellis_code`,
  summary: 'How the latest check of a connection goes or ended',
  response: schemas.ValidationStatus,
  errors: ['not_found'],
})
export const listIntegrationOptions = defineEndpoint({
  ...one,
  id: 'listIntegrationOptions',
  permission: 'integrations:write',
  method: 'GET',
  path: `${base}/options/:integration_trellis_code`,
  summary: 'Choices for an element of a forma that only the platform knows',
  query: schemas.OptionsQuery,
  response: schemas.Options,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'too_many_requests'],
})
export const previewSource = defineEndpoint({
  ...one,
  id: 'previewSource',
  permission: 'integrations:write',
  method: 'POST',
  path: `${base}/preview/:integration_trellis_code`,
  summary: 'Sample rows of a source with statistics, candidate keys and cursors',
  body: schemas.PreviewRequest,
  response: schemas.SourcePreview,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'too_many_requests'],
  quiet: true,
})
export const tryRestSource = defineEndpoint({
  id: 'tryRestSource',
  feature,
  permission: 'integrations:write',
  method: 'POST',
  path: `${base}/rest-trial`,
  summary: 'Run a few requests of a REST source that is being built',
  params: WorkspaceParams,
  body: schemas.RestTrial,
  response: schemas.RestTrialResult,
  errors: ['not_found', 'too_many_requests'],
  quiet: true,
})

export const integrationsEndpoints = [
  listIntegrations,
  createIntegration,
  getIntegration,
  updateIntegration,
  deleteIntegration,
  linkIntegration,
  describeIntegration,
  getPostgresSchema,
  validateIntegration,
  getValidationStatus,
  listIntegrationOptions,
  previewSource,
  tryRestSource,
]
