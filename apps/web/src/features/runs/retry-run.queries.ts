import { getWorkspaceDashboard } from '@trellis/contract/dashboard/dashboard.endpoints'
import { getFlowRun, listFlowRuns } from '@trellis/contract/runs/flow-runs.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import { useApiMutation, withDetail } from '../../api/api-query.ts'

export const RUN_CHANGED = {
  invalidates: [calls.listTaskRuns, calls.getTaskRun, listFlowRuns, getFlowRun, getWorkspaceDashboard],
}

export const useRetryRun = () =>
  useApiMutation(calls.retryTaskRun, {
    ...RUN_CHANGED,
    successText: 'The block runs again.',
    errorText: withDetail('The run was not started.'),
  })

export const useDecideSchemaChange = () =>
  useApiMutation(calls.decideSchemaChange, {
    ...RUN_CHANGED,
    successText: 'The run continues from where it paused.',
    errorText: withDetail('Your decision was not saved.'),
  })
