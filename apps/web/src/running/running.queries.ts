import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import { getOverrides } from '@trellis/contract/runs/versions.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../api/api-query.ts'

const blockParams = (address: WorkspaceAddress, task_block_trellis_code: string) => ({
  params: { ...address, task_block_trellis_code },
})

export const useExecuteBlock = () =>
  useApiMutation(calls.executeBlock, { invalidates: [calls.listTaskRuns, calls.getTaskRun, getCanvas] })

export function useOverrides(address: WorkspaceAddress, block: string, isSource: boolean) {
  return useQuery({ ...apiQuery(getOverrides, blockParams(address, block)), enabled: isSource, staleTime: 0 })
}

export function useTriggerStatus(address: WorkspaceAddress, block: string) {
  return useQuery({ ...apiQuery(calls.getTriggerStatus, blockParams(address, block)), staleTime: 0 })
}

export function useSimulation(address: WorkspaceAddress, block: string | undefined) {
  return useQuery({
    ...apiQuery(calls.simulateTriggers, blockParams(address, block ?? '')),
    enabled: block !== undefined,
  })
}
