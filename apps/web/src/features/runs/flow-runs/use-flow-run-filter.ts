import { FLOW_RUN_STATES } from '@trellis/contract/dataflows/dataflow-words'
import { FLOW_RUN_CAUSES } from '@trellis/contract/runs/flow-runs.schemas'
import { useAddress } from '../../../ui/data/use-address.ts'

const find = <T extends string>(all: readonly T[], text: string | null): T | undefined =>
  all.find((candidate) => candidate === text)

export function useFlowRunFilter() {
  const { params, put } = useAddress()
  const state = find(FLOW_RUN_STATES, params.get('state'))
  const cause = find(FLOW_RUN_CAUSES, params.get('cause'))
  return {
    wanted: { ...(state && { state }), ...(cause && { cause }) },
    isFiltered: state !== undefined || cause !== undefined,
    put,
    clear: () => put({ state: null, cause: null }),
  }
}
