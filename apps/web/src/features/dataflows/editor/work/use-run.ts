import { executeDataflow, listFlowRuns } from '@trellis/contract/runs/flow-runs.endpoints'
import { executeBlock, listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useNavigate } from 'react-router'
import { useApiMutation, withDetail } from '../../../../api/api-query.ts'
import { call } from '../../../../api/call.ts'
import { getErrorDetail } from '../../../../api/api-error.ts'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { useDataflowsScope } from '../../dataflows.queries.ts'

export type RunScope = 'block' | 'from_here'

export function useRunFlow(onStarted: () => void) {
  const { paths } = useDataflowsScope()
  const navigate = useNavigate()
  return useApiMutation(executeDataflow, {
    invalidates: [listFlowRuns, listTaskRuns],
    errorText: withDetail('The dataflow was not started.'),
    onSuccess: ({ dataflow_trellis_code: dataflow, flow_run_trellis_code: flowRun }) => {
      onStarted()
      showToast({
        tone: 'success',
        text: 'The dataflow was started.',
        action: { label: 'Watch', onSelect: () => void navigate(paths.flowRun(dataflow, flowRun)) },
      })
    },
  })
}

export function useRun(onStarted: () => void) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  return async (blocks: readonly BlockCard[], scope: RunScope) => {
    const refusals: string[] = []
    let started = 0
    for (const { task_block_trellis_code, name } of blocks) {
      try {
        await call(executeBlock, { params: { ...address, task_block_trellis_code }, body: { scope } })
        started += 1
      } catch (error) {
        refusals.push(`${name}: ${getErrorDetail(error)}`)
      }
    }
    onStarted()
    const [first] = blocks
    if (started > 0 && first)
      showToast({
        tone: 'success',
        text: started === 1 ? `${first.name} was started.` : `${started} blocks were started.`,
        action: { label: 'Watch', onSelect: () => void navigate(paths.logs(first.dataflow_trellis_code)) },
      })
    if (refusals.length > 0) showToast({ tone: 'danger', text: 'Not everything ran.', detail: refusals.join(' ') })
  }
}
