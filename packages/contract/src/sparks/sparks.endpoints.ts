import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import { OwnSparkSchedule, SaveSparkScheduleRequest, SparkSchedule } from './spark-schedules.schemas.ts'
import * as schemas from './sparks.schemas.ts'

const base = '/:account_trellis_code/:workspace_address/sparks'
const one = `${base}/:spark_trellis_code`
const versions = `${base}/versions/:spark_trellis_code`
const schedule = `${one}/schedule`
const use = { feature: 'sparks', permission: 'ai:use' } as const
const read = { ...use, method: 'GET' } as const
const write = { feature: 'sparks', permission: 'ai:write' } as const

export const createSpark = defineEndpoint({
  ...write,
  id: 'createSpark',
  method: 'POST',
  path: base,
  summary: 'Create a spark from a template, an answer, a query, a prompt or its content',
  params: WorkspaceParams,
  body: schemas.CreateSparkRequest,
  response: schemas.Spark,
  creates: true,
  errors: [
    'not_found',
    'invalid_request',
    'limit_reached',
    'statement_failed',
    'integration_problem',
    'credits_used_up',
    'unavailable',
  ],
})
export const listSparks = defineEndpoint({
  ...read,
  id: 'listSparks',
  path: base,
  summary: 'Sparks of this workspace',
  params: WorkspaceParams,
  response: schemas.Sparks,
})
export const listProjectSparks = defineEndpoint({
  ...read,
  id: 'listProjectSparks',
  path: `${base}/project/:project_trellis_code`,
  summary: 'Sparks of one AI project',
  params: schemas.SparkProjectParams,
  response: schemas.Sparks,
  errors: ['not_found'],
})
export const listSparkTemplates = defineEndpoint({
  ...read,
  id: 'listSparkTemplates',
  path: `${base}/templates`,
  summary: 'Templates of sparks and the columns they need',
  params: WorkspaceParams,
  response: schemas.SparkTemplates,
})
export const previewSpark = defineEndpoint({
  ...write,
  id: 'previewSpark',
  method: 'POST',
  path: `${base}/preview`,
  summary: 'What a template makes of a table, without creating it',
  params: WorkspaceParams,
  body: schemas.PreviewSparkRequest,
  response: schemas.SparkPreview,
  errors: ['not_found', 'invalid_request', 'integration_problem', 'unavailable'],
  quiet: true,
})
export const checkSparkSource = defineEndpoint({
  ...write,
  id: 'checkSparkSource',
  method: 'POST',
  path: `${base}/check-source`,
  summary: 'Try the query of a spark before it is saved',
  params: WorkspaceParams,
  body: schemas.CheckSparkSourceRequest,
  response: schemas.SparkSourceCheck,
  errors: ['not_found', 'invalid_request', 'integration_problem', 'unavailable'],
  quiet: true,
})
export const getSpark = defineEndpoint({
  ...read,
  id: 'getSpark',
  path: one,
  summary: 'One spark',
  params: schemas.SparkParams,
  response: schemas.Spark,
  errors: ['not_found'],
})
export const updateSpark = defineEndpoint({
  ...write,
  id: 'updateSpark',
  method: 'PUT',
  path: one,
  summary: 'Change a spark: name, content as a new version, pinned version, tile of the dashboard',
  params: schemas.SparkParams,
  body: schemas.UpdateSparkRequest,
  response: schemas.Spark,
  errors: ['not_found', 'conflict', 'invalid_request', 'limit_reached', 'integration_problem', 'unavailable'],
})
export const deleteSpark = defineEndpoint({
  ...write,
  id: 'deleteSpark',
  method: 'DELETE',
  path: one,
  summary: 'Delete a spark with its versions',
  params: schemas.SparkParams,
  response: Done,
  errors: ['not_found'],
})
export const listSparkVersions = defineEndpoint({
  ...read,
  id: 'listSparkVersions',
  path: versions,
  summary: 'Versions of a spark, newest first',
  params: schemas.SparkParams,
  response: schemas.SparkVersions,
  errors: ['not_found'],
})
export const getLatestSparkVersion = defineEndpoint({
  ...read,
  id: 'getLatestSparkVersion',
  path: `${versions}/latest`,
  summary: 'The newest version of a spark with its content',
  params: schemas.SparkParams,
  response: schemas.SparkVersionDetail,
  errors: ['not_found'],
})
export const getSparkVersion = defineEndpoint({
  ...read,
  id: 'getSparkVersion',
  path: `${versions}/:spark_version_trellis_code`,
  summary: 'One version of a spark with its content',
  params: schemas.SparkVersionParams,
  response: schemas.SparkVersionDetail,
  errors: ['not_found'],
})
export const getSparkData = defineEndpoint({
  ...read,
  id: 'getSparkData',
  path: `${base}/data-source/:based_key`,
  summary: 'Rows of a source of a spark, with the rights of who asks',
  params: schemas.SparkDataParams,
  query: schemas.SparkDataQuery,
  response: schemas.SparkData,
  errors: [
    'not_found',
    'invalid_request',
    'statement_failed',
    'statement_timeout',
    'integration_problem',
    'unavailable',
  ],
})
export const getSparkSchedule = defineEndpoint({
  ...read,
  id: 'getSparkSchedule',
  path: schedule,
  summary: 'When a spark is mailed to me',
  params: schemas.SparkParams,
  response: OwnSparkSchedule,
  errors: ['not_found'],
})
export const saveSparkSchedule = defineEndpoint({
  ...use,
  id: 'saveSparkSchedule',
  method: 'PUT',
  path: schedule,
  summary: 'Mail a spark to me by the clock',
  params: schemas.SparkParams,
  body: SaveSparkScheduleRequest,
  response: SparkSchedule,
  errors: ['not_found', 'invalid_request'],
})
export const deleteSparkSchedule = defineEndpoint({
  ...use,
  id: 'deleteSparkSchedule',
  method: 'DELETE',
  path: schedule,
  summary: 'Stop mailing a spark to me',
  params: schemas.SparkParams,
  response: Done,
  errors: ['not_found'],
})

export const sparksEndpoints = [
  createSpark,
  listSparks,
  listProjectSparks,
  listSparkTemplates,
  previewSpark,
  checkSparkSource,
  getSpark,
  updateSpark,
  deleteSpark,
  listSparkVersions,
  getLatestSparkVersion,
  getSparkVersion,
  getSparkData,
  getSparkSchedule,
  saveSparkSchedule,
  deleteSparkSchedule,
]
