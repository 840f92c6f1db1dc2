import { defineEndpoint } from '../core/endpoint.ts'
import { Done } from '../core/shapes.ts'
import { CodeParams } from '../dataflows/dataflows.schemas.ts'
import * as schemas from './inbound-webhooks.schemas.ts'

const feature = 'runs'
const path = '/:account_trellis_code/:workspace_address/dataflows/inbound-webhook/:trellis_code'
const write = { feature, permission: 'dataflows:write' } as const

export const getInboundWebhook = defineEndpoint({
  feature,
  permission: 'dataflows:read',
  id: 'getInboundWebhook',
  method: 'GET',
  path,
  summary: 'Whether other systems can start a dataflow by webhook, and the last call',
  params: CodeParams,
  response: schemas.FoundInboundWebhook,
  errors: ['not_found'],
})
export const createInboundWebhook = defineEndpoint({
  ...write,
  id: 'createInboundWebhook',
  method: 'POST',
  path,
  summary: 'Make the address by which other systems start a dataflow; its secret is shown this once',
  params: CodeParams,
  response: schemas.NewInboundWebhook,
  creates: true,
  errors: ['not_found', 'conflict'],
})
export const rotateInboundWebhook = defineEndpoint({
  ...write,
  id: 'rotateInboundWebhook',
  method: 'POST',
  path: `${path}/rotate`,
  summary: 'Replace the secret in the address; the address before ends at once',
  params: CodeParams,
  response: schemas.NewInboundWebhook,
  creates: true,
  errors: ['not_found'],
})
export const deleteInboundWebhook = defineEndpoint({
  ...write,
  id: 'deleteInboundWebhook',
  method: 'DELETE',
  path,
  summary: 'Remove the address; calls to it are refused from now on',
  params: CodeParams,
  response: Done,
  errors: ['not_found'],
})

export const inboundWebhooksEndpoints = [
  getInboundWebhook,
  createInboundWebhook,
  rotateInboundWebhook,
  deleteInboundWebhook,
]
