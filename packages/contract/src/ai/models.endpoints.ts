import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Done } from '../core/shapes.ts'
import * as schemas from './models.schemas.ts'

const feature = 'ai'
const path = '/account/:account_trellis_code/ai-model'

export const getAiModel = defineEndpoint({
  feature,
  permission: 'account:read',
  id: 'getAiModel',
  method: 'GET',
  path,
  summary: 'The model that answers questions of this account',
  params: AccountParams,
  response: schemas.AiModel,
})
export const updateAiModel = defineEndpoint({
  feature,
  permission: 'account:update',
  id: 'updateAiModel',
  method: 'PUT',
  path,
  summary: 'Use a model of your own; it is tried out before it is saved',
  params: AccountParams,
  body: schemas.UpdateAiModelRequest,
  response: schemas.AiModel,
  errors: ['invalid_request', 'integration_problem'],
})
export const deleteAiModel = defineEndpoint({
  feature,
  permission: 'account:update',
  id: 'deleteAiModel',
  method: 'DELETE',
  path,
  summary: 'Use the model of the installation again, or none',
  params: AccountParams,
  response: Done,
})

export const modelsEndpoints = [getAiModel, updateAiModel, deleteAiModel]
