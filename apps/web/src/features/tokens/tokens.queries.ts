import { type AgentRequestQuery, decideAgentRequest, getAgentRequest } from '@trellis/contract/tokens/agents.endpoints'
import { createAccessToken, listAccessTokens, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

export function useTokens() {
  return useQuery(apiQuery(listAccessTokens, {}))
}

export function useAgentRequest(query: AgentRequestQuery) {
  return useQuery({ ...apiQuery(getAgentRequest, { query }), retry: false, staleTime: 0 })
}

export function useDecideAgentRequest() {
  return useApiMutation(decideAgentRequest, { invalidates: [listAccessTokens] })
}

export function useCreateToken() {
  return useApiMutation(createAccessToken, { invalidates: [listAccessTokens] })
}

export function useRevokeToken() {
  return useApiMutation(revokeAccessToken, { invalidates: [listAccessTokens], successText: 'Token revoked.' })
}
