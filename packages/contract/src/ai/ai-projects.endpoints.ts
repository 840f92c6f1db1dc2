import { defineEndpoint } from '../core/endpoint.ts'
import { Done, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './ai.schemas.ts'

const feature = 'ai'
const base = '/:account_trellis_code/:workspace_address/ai'
const project = `${base}/project/:project_trellis_code`
const context = `${base}/business-context`
const read = { feature, permission: 'ai:use', method: 'GET' } as const

export const createAiProject = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'createAiProject',
  method: 'POST',
  path: `${base}/project`,
  summary: 'Create an AI project',
  params: WorkspaceParams,
  body: schemas.AiProjectCreate,
  response: schemas.AiProject,
  creates: true,
  errors: ['conflict'],
})
export const listAiProjects = defineEndpoint({
  ...read,
  id: 'listAiProjects',
  path: `${base}/project`,
  summary: 'AI projects of this workspace',
  params: WorkspaceParams,
  query: schemas.PageQuery,
  response: schemas.AiProjects,
})
export const getAiProject = defineEndpoint({
  ...read,
  id: 'getAiProject',
  path: project,
  summary: 'One AI project',
  params: schemas.ProjectParams,
  response: schemas.AiProject,
  errors: ['not_found'],
})
export const listStarterQuestions = defineEndpoint({
  ...read,
  id: 'listStarterQuestions',
  path: `${project}/questions`,
  summary: 'Questions that the tables of an AI project can answer, to begin with',
  params: schemas.ProjectParams,
  response: schemas.StarterQuestions,
  errors: ['not_found'],
})
export const listSuggestedQuestions = defineEndpoint({
  feature,
  permission: 'ai:write',
  method: 'GET',
  id: 'listSuggestedQuestions',
  path: `${project}/suggested-questions`,
  summary: 'Queries of worksheets that are run often and could be verified questions of an AI project',
  params: schemas.ProjectParams,
  response: schemas.SuggestedQuestions,
  errors: ['not_found'],
})
export const updateAiProject = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'updateAiProject',
  method: 'PATCH',
  path: project,
  summary: 'Change name or description of an AI project',
  params: schemas.ProjectParams,
  body: schemas.AiProjectPatch,
  response: schemas.AiProject,
  errors: ['not_found', 'conflict'],
})
export const deleteAiProject = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'deleteAiProject',
  method: 'DELETE',
  path: project,
  summary: 'Delete an AI project with its conversations and context',
  params: schemas.ProjectParams,
  response: Done,
  errors: ['not_found'],
})
export const getAiProjectTables = defineEndpoint({
  ...read,
  id: 'getAiProjectTables',
  path: `${project}/:integration_trellis_code/tables`,
  summary: 'Tables of a database, and which of them the project may read',
  params: schemas.ProjectTablesParams,
  response: schemas.AiProjectTables,
  errors: ['not_found', 'unavailable'],
})
export const updateAiProjectTables = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'updateAiProjectTables',
  method: 'PUT',
  path: `${project}/:integration_trellis_code/tables`,
  summary: 'Choose the tables of a database that the project may read',
  params: schemas.ProjectTablesParams,
  body: schemas.UpdateProjectTablesRequest,
  response: schemas.AiProjectTables,
  errors: ['not_found', 'unavailable'],
})
export const createBusinessContext = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'createBusinessContext',
  method: 'POST',
  path: context,
  summary: 'Add a definition, other words for a term, or a verified question',
  params: WorkspaceParams,
  body: schemas.CreateBusinessContextRequest,
  response: schemas.BusinessContext,
  creates: true,
  errors: ['not_found', 'invalid_request'],
})
export const listBusinessContexts = defineEndpoint({
  ...read,
  id: 'listBusinessContexts',
  path: context,
  summary: 'Business context of this workspace and its projects',
  params: WorkspaceParams,
  query: schemas.PageQuery,
  response: schemas.BusinessContexts,
})
export const getBusinessContext = defineEndpoint({
  ...read,
  id: 'getBusinessContext',
  path: `${context}/:context_trellis_code`,
  summary: 'One piece of business context',
  params: schemas.ContextParams,
  response: schemas.BusinessContext,
  errors: ['not_found'],
})
export const updateBusinessContext = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'updateBusinessContext',
  method: 'PUT',
  path: `${context}/:context_trellis_code`,
  summary: 'Change a piece of business context',
  params: schemas.ContextParams,
  body: schemas.UpdateBusinessContextRequest,
  response: schemas.BusinessContext,
  errors: ['not_found', 'invalid_request'],
})
export const deleteBusinessContext = defineEndpoint({
  feature,
  permission: 'ai:write',
  id: 'deleteBusinessContext',
  method: 'DELETE',
  path: `${context}/:context_trellis_code`,
  summary: 'Delete a piece of business context',
  params: schemas.ContextParams,
  response: Done,
  errors: ['not_found'],
})

export const aiProjectsEndpoints = [
  createAiProject,
  listAiProjects,
  getAiProject,
  listStarterQuestions,
  listSuggestedQuestions,
  updateAiProject,
  deleteAiProject,
  getAiProjectTables,
  updateAiProjectTables,
  createBusinessContext,
  listBusinessContexts,
  getBusinessContext,
  updateBusinessContext,
  deleteBusinessContext,
]
