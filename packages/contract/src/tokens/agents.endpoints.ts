import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'

/** OAuth scopes of an agent. The person's own permissions limit it further. */
export const AgentScope = z.enum(['read', 'write'])
export type AgentScope = z.infer<typeof AgentScope>

const Text = z.string().check(z.minLength(1), z.maxLength(2000))
const request = {
  client_id: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  redirect_uri: Text,
  resource: Text,
  scope: z.optional(z.string().check(z.maxLength(200))),
}
const AgentRequestQuery = z.object(request)
export type AgentRequestQuery = z.infer<typeof AgentRequestQuery>

export const AgentRequest = z.object({
  client_name: z.string(),
  /** The redirect URI's host, or the custom scheme of an app on this computer. */
  redirect_place: z.string(),
  account_name: z.string(),
  workspace_name: z.string(),
  scopes: z.array(AgentScope),
  days: z.int(),
})
export type AgentRequest = z.infer<typeof AgentRequest>

export const AgentDecision = z.object({
  ...request,
  decision: z.enum(['allow', 'deny']),
  /** S256 only. */
  code_challenge: z.string().check(z.regex(/^[\w-]{43}$/)),
  state: z.optional(z.string().check(z.maxLength(2000))),
})
export type AgentDecision = z.infer<typeof AgentDecision>

const feature = 'tokens'
const permission = 'profile:self'

export const getAgentRequest = defineEndpoint({
  id: 'getAgentRequest',
  feature,
  permission,
  method: 'GET',
  path: '/profile-token/agent-request',
  summary: 'Which agent asks for access to which workspace',
  query: AgentRequestQuery,
  response: AgentRequest,
  errors: ['not_found'],
})
export const decideAgentRequest = defineEndpoint({
  id: 'decideAgentRequest',
  feature,
  permission,
  method: 'POST',
  path: '/profile-token/agent-request',
  summary: 'Give an agent access to a workspace, or refuse it; answers where the browser has to go',
  body: AgentDecision,
  response: z.object({ redirect_to: z.string() }),
  errors: ['not_found', 'forbidden'],
})

export const agentsEndpoints = [getAgentRequest, decideAgentRequest]
