import { createAccessToken, listAccessTokens, revokeAccessToken } from '@trellis/contract/tokens/tokens.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

export function useTokens() {
  return useQuery(apiQuery(listAccessTokens, {}))
}

export function useCreateToken() {
  return useApiMutation(createAccessToken, { invalidates: [listAccessTokens] })
}

export function useRevokeToken() {
  return useApiMutation(revokeAccessToken, { invalidates: [listAccessTokens], successText: 'Token revoked.' })
}
