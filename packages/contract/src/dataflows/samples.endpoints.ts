import { defineEndpoint } from '../core/endpoint.ts'
import * as schemas from './task-blocks.schemas.ts'

const blocks = '/:account_trellis_code/:workspace_address/dataflows/canvas/task-block'
const write = { feature: 'dataflows', permission: 'dataflows:write' } as const

export const sampleBlock = defineEndpoint({
  ...write,
  id: 'sampleBlock',
  method: 'POST',
  path: `${blocks}/sample/:task_block_trellis_code`,
  summary: 'Some real rows that go into a block, or come out of its draft; nothing is written',
  params: schemas.TaskBlockParams,
  body: schemas.SampleRequest,
  response: schemas.BlockSample,
  errors: [
    'not_found',
    'block_incomplete',
    'statement_failed',
    'statement_timeout',
    'integration_problem',
    'too_many_requests',
  ],
  quiet: true,
})

export const samplesEndpoints = [sampleBlock]
