import { listActions, isEmptyAction } from '@trellis/contract/dataflows/triggers'
import type { TriggerStatus } from '@trellis/contract/runs/trigger-status.schemas'
import { type BranchReport, explainTrigger } from '@trellis/dataflow-engine/triggers/explain'
import { type Trigger, toActivityBranch, findSchedule } from '@trellis/dataflow-engine/triggers/trigger'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getBlock } from '../runs.service.ts'
import { toBranchName, toTrigger } from '../triggers/trigger-batch.ts'
import { computeNextDueTimes, toDueTime } from './due-times.ts'
import * as repository from './trigger-status.repository.ts'
import type { TriggerRow } from './trigger-status.repository.ts'

export const toLiveTrigger = (row: TriggerRow, now: Date): Trigger =>
  toTrigger({ form: row.form, published_at: row.published_at ?? now })

export async function readTriggerStatus(ctx: WorkspaceCtx, code: string): Promise<TriggerStatus> {
  const { id, dataflow_id: dataflowId } = await getBlock(ctx, code)
  const rows = await repository.findTriggers(ctx, dataflowId)
  const triggerRow = rows.find((row) => row.id === id) as TriggerRow
  const now = ctx.clock.now()
  const unusedEvents = await repository.findUnused(ctx, id)
  const tick = await repository.findLastTick(ctx, id)
  const trigger = toLiveTrigger(triggerRow, now)
  const report = explainTrigger({
    trigger,
    now: now.getTime(),
    unused: unusedEvents.map((row) => ({
      id: String(row.id),
      branch: toBranchName(row),
      at: row.happened_at.getTime(),
    })),
    since: ((await repository.findLastFiring(ctx, id)) ?? triggerRow.published_at ?? now).getTime(),
    blocks: new Map(rows.map((row) => [row.code, { name: row.name, lastRun: toLastRun(row) }])),
    lastTick: tick ? { at: tick.nominal_at.getTime(), outcome: tick.outcome } : null,
  })
  const schedule = trigger.scope === 'none' ? undefined : findSchedule(trigger)
  return {
    scope: triggerRow.form.eventEvaluationType,
    in_words: report.sentence,
    is_published: triggerRow.published_at !== null,
    branches: toBranches(triggerRow, report.branches),
    next_due: schedule ? computeNextDueTimes(schedule, now.getTime()).times.map(toDueTime) : [],
    last_tick: tick
      ? {
          nominal_at: tick.nominal_at.toISOString(),
          has_fired: tick.outcome === 'fired',
          in_words: report.lastTick ?? '',
          task_run_trellis_code: tick.run_code,
        }
      : null,
  }
}

const toLastRun = ({ last_status: status, last_at: at }: TriggerRow) =>
  status && at ? { status, at: at.getTime() } : null

function toBranches({ form }: TriggerRow, reports: readonly BranchReport[]): TriggerStatus['branches'] {
  return listActions(form).flatMap(([id, action]) => {
    if (isEmptyAction(action)) return []
    const name = action.action === 'Schedule' ? 'schedule' : toActivityBranch(action.actionValue.taskBlockTrellisCode)
    const report = reports.find((branchReport) => branchReport.name === name)
    if (!report) return []
    return [
      {
        action_id: id,
        kind: action.action,
        label: `${report.label[0]?.toUpperCase()}${report.label.slice(1)}. ${report.sentence}`,
        has_arrived: report.hasArrived,
        since: new Date(report.since).toISOString(),
        waiting: report.count,
      },
    ]
  })
}
