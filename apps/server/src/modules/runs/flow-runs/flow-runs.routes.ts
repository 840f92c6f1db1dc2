import * as calls from '@trellis/contract/runs/flow-runs.endpoints'
import { type Route, handle } from '../../../http/handle.ts'
import { readFlowRunLogs } from './flow-run-logs.ts'
import { cancelFlowRun, executeDataflow, getFlowRun, listFlowRuns, retryFlowRun } from './flow-runs.service.ts'

export const flowRunsRoutes: readonly Route[] = [
  handle(calls.executeDataflow, ({ params }, ctx) => executeDataflow(ctx, params.trellis_code)),
  handle(calls.listFlowRuns, ({ params, query }, ctx) => listFlowRuns(ctx, params.trellis_code, query)),
  handle(calls.getFlowRun, ({ params }, ctx) => getFlowRun(ctx, params.flow_run_trellis_code)),
  handle(calls.getFlowRunLogs, ({ params, query }, ctx) => readFlowRunLogs(ctx, params.flow_run_trellis_code, query)),
  handle(calls.cancelFlowRun, ({ params }, ctx) => cancelFlowRun(ctx, params.flow_run_trellis_code)),
  handle(calls.retryFlowRun, ({ params }, ctx) => retryFlowRun(ctx, params.flow_run_trellis_code)),
]
