import { askModelConsole } from '@trellis/contract/ai/console.endpoints'
import { getSandbox, resetSandbox } from '@trellis/contract/sandbox/sandbox.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

interface Address {
  account_trellis_code: string
  workspace_address: string
}

export const useSandbox = (params: Address) => useQuery(apiQuery(getSandbox, { params }))

/** Why it was refused stands in the dialog. */
export const useResetSandbox = () =>
  useApiMutation(resetSandbox, {
    invalidates: [getSandbox],
    successText: 'The sandbox has fresh sample data.',
    errorText: '',
  })

/** What went wrong stands beside the prompt. */
export const useAskConsole = () => useApiMutation(askModelConsole, { errorText: '' })
