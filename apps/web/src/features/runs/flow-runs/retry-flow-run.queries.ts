import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import * as calls from '@trellis/contract/runs/flow-runs.endpoints'
import { getTaskRun, listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import { useApiMutation, withDetail } from '../../../api/api-query.ts'

export const FLOW_RUN_CHANGED = {
  invalidates: [calls.listFlowRuns, calls.getFlowRun, listTaskRuns, getTaskRun, getWorkspaceDashboard],
}

export const useRetryFlowRun = () =>
  useApiMutation(calls.retryFlowRun, {
    ...FLOW_RUN_CHANGED,
    successText: 'The blocks that did not succeed run again.',
    errorText: withDetail('The run was not started.'),
  })
