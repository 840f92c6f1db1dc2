import { askModelConsole } from '@trellis/contract/ai/console.endpoints'
import { getSandbox, resetSandbox } from '@trellis/contract/sandbox/sandbox.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

export const useSandbox = (params: WorkspaceAddress) => useQuery(apiQuery(getSandbox, { params }))

export const useResetSandbox = () =>
  useApiMutation(resetSandbox, {
    invalidates: [getSandbox],
    successText: 'The sandbox has fresh sample data.',
    errorText: '',
  })

export const useAskConsole = () => useApiMutation(askModelConsole, { errorText: '' })
