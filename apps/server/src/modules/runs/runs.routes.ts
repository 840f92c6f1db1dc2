import * as calls from '@trellis/contract/runs/runs.endpoints'
import { type Route, handle, handleEvents } from '../../http/handle.ts'
import { followDataflow, followLogs } from './follow.ts'
import { decideSchemaChange } from './schema-decision.ts'
import { downloadLogs, readLogs } from './logs.ts'
import { previewDueTimes } from './status/due-times.ts'
import { simulateDataflow } from './status/simulation.ts'
import { readTriggerStatus } from './status/trigger-status.ts'
import { cancelRun, executeBlock, listRuns, retryRun, readRunDetails } from './runs.service.ts'

export const runsRoutes: readonly Route[] = [
  handle(calls.executeBlock, ({ params, body }, ctx) => executeBlock(ctx, params.task_block_trellis_code, body)),
  handle(calls.listTaskRuns, ({ params, query }, ctx) => listRuns(ctx, params.trellis_code, query)),
  handle(calls.getTaskRun, ({ params }, ctx) => readRunDetails(ctx, params.task_run_trellis_code)),
  handle(calls.cancelTaskRun, ({ params }, ctx) => cancelRun(ctx, params.task_run_trellis_code)),
  handle(calls.retryTaskRun, ({ params }, ctx) => retryRun(ctx, params.task_run_trellis_code)),
  handle(calls.decideSchemaChange, ({ params, body }, ctx) =>
    decideSchemaChange(ctx, params.task_run_trellis_code, body.choice),
  ),
  handle(calls.getTaskRunLogs, ({ params, query }, ctx) => readLogs(ctx, params.task_run_trellis_code, query)),
  handle(calls.downloadTaskRunLogs, ({ params }, ctx) => downloadLogs(ctx, params.task_run_trellis_code)),
  handleEvents(calls.followDataflow, ({ params }, ctx) => followDataflow(ctx, params.trellis_code)),
  handleEvents(calls.followTaskRunLogs, ({ params, query }, ctx) =>
    followLogs(ctx, params.task_run_trellis_code, query),
  ),
  handle(calls.getTriggerStatus, ({ params }, ctx) => readTriggerStatus(ctx, params.task_block_trellis_code)),
  handle(calls.simulateTriggers, ({ params }, ctx) => simulateDataflow(ctx, params.task_block_trellis_code)),
  handle(calls.previewDueTimes, ({ body }, ctx) => previewDueTimes(ctx, body.schedule)),
]
