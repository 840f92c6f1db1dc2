import * as calls from '@trellis/contract/runs/quarantine.endpoints'
import { type Route, handle } from '../../../http/handle.ts'
import { readComparisons } from './comparisons.ts'
import { downloadQuarantine, settleQuarantine, readQuarantine } from './quarantine.ts'
import { undoRun } from './undo.ts'

export const loadedRoutes: readonly Route[] = [
  handle(calls.listQuarantine, ({ params, query }, ctx) => readQuarantine(ctx, params.task_run_trellis_code, query)),
  handle(calls.downloadQuarantine, ({ params }, ctx) => downloadQuarantine(ctx, params.task_run_trellis_code)),
  handle(calls.settleQuarantine, ({ params, body }, ctx) => settleQuarantine(ctx, params.task_run_trellis_code, body)),
  handle(calls.listComparisons, ({ params }, ctx) => readComparisons(ctx, params.task_run_trellis_code)),
  handle(calls.undoTaskRun, ({ params }, ctx) => undoRun(ctx, params.task_run_trellis_code)),
]
