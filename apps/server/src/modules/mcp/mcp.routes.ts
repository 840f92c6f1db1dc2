import * as calls from '@trellis/contract/tokens/agents.endpoints'
import { handle } from '../../http/handle.ts'
import { decideAgentRequest, getAgentRequest } from './agents.service.ts'

export const mcpRoutes = [
  handle(calls.getAgentRequest, ({ query }, ctx) => getAgentRequest(ctx, query)),
  handle(calls.decideAgentRequest, ({ body }, ctx) => decideAgentRequest(ctx, body)),
]
