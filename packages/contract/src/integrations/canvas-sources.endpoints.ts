import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './integrations.schemas.ts'

const base = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block'
const listed = { feature: 'integrations', permission: 'integrations:read', method: 'GET' } as const
const platforms = { ...listed, params: WorkspaceParams, response: z.array(schemas.Platform) } as const
const integrations = {
  ...listed,
  params: schemas.CanvasIdParams,
  response: z.array(schemas.Integration),
  errors: ['not_found'],
} as const
const formas = {
  ...listed,
  params: schemas.CanvasIdParams,
  response: schemas.QueryFormas,
  errors: ['not_found'],
} as const

export const listSourcePlatforms = defineEndpoint({
  ...platforms,
  id: 'listSourcePlatforms',
  path: `${base}/source_task_block/platforms`,
  summary: 'Platforms a source block can read from',
})
export const listDestinationPlatforms = defineEndpoint({
  ...platforms,
  id: 'listDestinationPlatforms',
  path: `${base}/destination_task_block/platforms`,
  summary: 'Platforms a destination block can write to',
})
export const listSourceIntegrations = defineEndpoint({
  ...integrations,
  id: 'listSourceIntegrations',
  path: `${base}/source_task_block/integrations/:id`,
  summary: 'Connections of a platform (id) that a source block can read from',
})
export const listDestinationIntegrations = defineEndpoint({
  ...integrations,
  id: 'listDestinationIntegrations',
  path: `${base}/destination_task_block/integrations/:id`,
  summary: 'Connections of a platform (id) that a destination block can write to',
})
export const listTransformationIntegrations = defineEndpoint({
  ...integrations,
  id: 'listTransformationIntegrations',
  path: `${base}/transformation_task_block/integrations/:id`,
  summary: 'Databases of a platform (id) in which a transformation can run',
})
export const getTransformationSchema = defineEndpoint({
  ...listed,
  permission: 'explorer:read',
  id: 'getTransformationSchema',
  path: `${base}/transformation_task_block/schema/:id`,
  summary: 'Schemas and tables of the database (id) in which a transformation runs',
  params: schemas.CanvasIdParams,
  response: schemas.OutsideSchemas,
  errors: ['not_found'],
})
export const getSourceFormas = defineEndpoint({
  ...formas,
  id: 'getSourceFormas',
  path: `${base}/source_task_block/query_formas/:id`,
  summary: 'What has to be entered to read from a connection (id)',
})
export const getDestinationFormas = defineEndpoint({
  ...formas,
  id: 'getDestinationFormas',
  path: `${base}/destination_task_block/query_formas/:id`,
  summary: 'What has to be entered to write to a connection (id)',
})
export const getSourceDataModel = defineEndpoint({
  ...listed,
  permission: 'integrations:write',
  id: 'getSourceDataModel',
  path: `${base}/source_task_block/query_formas/data_model/:id`,
  summary:
    "Fields, types and keys of what a source reads, by its task block or its connection (id) and the subtask's name",
  params: schemas.CanvasIdParams,
  query: z.object({ subtask_name: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: schemas.SourceDataModel,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'too_many_requests'],
})
export const validateGaql = defineEndpoint({
  feature: 'integrations',
  permission: 'integrations:write',
  method: 'POST',
  id: 'validateGaql',
  path: `${base}/source_task_block/google_ads/validate-gaql/:id`,
  summary:
    'Check a query against the catalogue, and with the platform when the connection (id, or that of a task block) works',
  params: schemas.CanvasIdParams,
  body: schemas.QueryValidation,
  response: schemas.QueryVerdict,
  errors: ['not_found', 'integration_incomplete'],
  quiet: true,
})

export const canvasSourcesEndpoints = [
  listSourcePlatforms,
  listDestinationPlatforms,
  listSourceIntegrations,
  listDestinationIntegrations,
  listTransformationIntegrations,
  getTransformationSchema,
  getSourceFormas,
  getDestinationFormas,
  getSourceDataModel,
  validateGaql,
]
