import { validateGaql } from '@trellis/contract/integrations/canvas-sources.endpoints'
import { getPostgresSchema, listIntegrationOptions } from '@trellis/contract/integrations/integrations.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../api/api-query.ts'
import { useSurroundings } from './surroundings.ts'

export function useOptionsFrom(from: string | undefined) {
  const { address, integration } = useSurroundings()
  const params = { ...address, integration_trellis_code: integration ?? '' }
  return useQuery({
    ...apiQuery(listIntegrationOptions, { params, query: { options: from ?? '' } }),
    enabled: from !== undefined && integration !== null,
    retry: false,
  })
}

export function useOutsideTables() {
  const { address, integration } = useSurroundings()
  const params = { ...address, integration_trellis_code: integration ?? '' }
  return useQuery({ ...apiQuery(getPostgresSchema, { params }), enabled: integration !== null, retry: false })
}

export function useValidateGaql() {
  return useApiMutation(validateGaql)
}
