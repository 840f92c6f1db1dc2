import { defineEndpoint } from '../core/endpoint.ts'
import * as schemas from './dataflows.schemas.ts'

const feature = 'dataflows'
const base = '/:account_trellis_code/:workspace_address/dataflows'
const write = { feature, permission: 'dataflows:write' } as const

export const testDataflowAlerts = defineEndpoint({
  ...write,
  id: 'testDataflowAlerts',
  method: 'POST',
  path: `${base}/test-alerts/:trellis_code`,
  summary: 'Send a test to everyone a dataflow tells',
  params: schemas.CodeParams,
  response: schemas.AlertTest,
  errors: ['not_found', 'too_many_requests'],
})

export const renewAlertKey = defineEndpoint({
  ...write,
  id: 'renewAlertKey',
  method: 'POST',
  path: `${base}/alert-key/:trellis_code`,
  summary: 'Sign the messages of a webhook with a new key; the one before ends at once',
  params: schemas.CodeParams,
  response: schemas.AlertKey,
  creates: true,
  errors: ['not_found'],
})

export const alertsEndpoints = [testDataflowAlerts, renewAlertKey]
