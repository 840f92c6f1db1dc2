import { getSourceFormas } from '@trellis/contract/integrations/canvas-sources.endpoints'
import {
  deleteIntegration,
  describeIntegration,
  getIntegration,
  getValidationStatus,
  linkIntegration,
  listIntegrations,
  previewSource,
  tryRestSource,
  updateIntegration,
  validateIntegration,
} from '@trellis/contract/integrations/integrations.endpoints'
import { getPlatform, getSetupForma, listPlatforms } from '@trellis/contract/integrations/platforms.endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { WorkspaceAddress } from '../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../api/api-query.ts'

const ASK_AGAIN_MS = 700
const LOOK_AGAIN_MS = 3000

const toIntegrationInput = (params: WorkspaceAddress, code: string) => ({
  params: { ...params, integration_trellis_code: code },
})
const toPlatformInput = (params: WorkspaceAddress, code: string) => ({
  params: { ...params, platform_trellis_code: code },
})

/** Polls while a connection is being tested. */
export function useIntegrations(params: WorkspaceAddress) {
  return useQuery({
    ...apiQuery(listIntegrations, { params, query: {} }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some((item) => item.state === 'VALIDATING') ? LOOK_AGAIN_MS : false),
  })
}

export function usePlatforms(params: WorkspaceAddress) {
  return useQuery(apiQuery(listPlatforms, { params, query: {} }))
}

export function usePlatform(params: WorkspaceAddress, code: string) {
  return useQuery({ ...apiQuery(getPlatform, toPlatformInput(params, code)), enabled: code !== '' })
}

export function useSetupForma(params: WorkspaceAddress, code: string) {
  return useQuery(apiQuery(getSetupForma, toPlatformInput(params, code)))
}

export function useIntegration(params: WorkspaceAddress, code: string) {
  return useQuery({ ...apiQuery(getIntegration, toIntegrationInput(params, code)), staleTime: 0 })
}

/** The test may end between this response and the first poll, which then never reports an end. */
export function useDescription(params: WorkspaceAddress, code: string) {
  return useQuery({
    ...apiQuery(describeIntegration, toIntegrationInput(params, code)),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'VALIDATING' ? LOOK_AGAIN_MS : false),
  })
}

/** Polls while the test runs, then refetches what it may have changed. */
export function useValidation(params: WorkspaceAddress, code: string) {
  const client = useQueryClient()
  const query = useQuery({
    ...apiQuery(getValidationStatus, toIntegrationInput(params, code)),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'VALIDATING' ? ASK_AGAIN_MS : false),
  })
  const before = useRef<string | null | undefined>(undefined)
  const status = query.data?.status
  useEffect(() => {
    if (before.current === 'VALIDATING' && status !== 'VALIDATING') {
      for (const { id } of [getIntegration, describeIntegration, listIntegrations]) {
        void client.invalidateQueries({ queryKey: [id] })
      }
    }
    before.current = status
  }, [client, status])
  return query
}

export function useRefreshIntegration() {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ queryKey: [getIntegration.id] }), [client])
}

const CHANGED = [listIntegrations, describeIntegration, getIntegration, getValidationStatus]

export function useUpdateIntegration() {
  return useApiMutation(updateIntegration, { invalidates: CHANGED })
}

export function useDeleteIntegration() {
  return useApiMutation(deleteIntegration, { invalidates: [listIntegrations], successText: 'Connection deleted.' })
}

export function useCheckAgain() {
  return useApiMutation(validateIntegration, { invalidates: CHANGED })
}

export function useLink() {
  return useApiMutation(linkIntegration)
}

export function useSourceFormas(params: WorkspaceAddress, code: string, isSource: boolean) {
  return useQuery({
    ...apiQuery(getSourceFormas, { params: { ...params, id: code } }),
    enabled: isSource,
    retry: false,
  })
}

export function usePreview() {
  return useApiMutation(previewSource)
}

export function useRestTrial() {
  return useApiMutation(tryRestSource)
}
