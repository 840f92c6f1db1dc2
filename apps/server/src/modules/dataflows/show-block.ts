import type { TaskStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { PUBLISH_STATES } from '@trellis/contract/dataflows/task-blocks.schemas'
import { hasSchedule } from '@trellis/contract/dataflows/triggers'
import { computeTaskStatus } from '@trellis/dataflow-engine/runs/task-status'
import type { BlockRow, LastRun } from './blocks.repository.ts'
import { type CanvasFacts, computeNextDue, listUpstreamBlocks } from './canvas-facts.ts'
import { findBlockFaults } from './faults/block-faults.ts'
import type { Fault } from './faults/fault.ts'
import { describeTriggerForm } from './words/trigger-words.ts'

type PublishState = (typeof PUBLISH_STATES)[number]

const toLastRun = (run: LastRun | undefined) =>
  run
    ? {
        task_run_trellis_code: run.trellis_code,
        status: run.status,
        waiting_for: run.needs_decision ? ('decision' as const) : null,
        at: (run.finished_at ?? run.started_at ?? run.due_at).toISOString(),
      }
    : null

/** A published, unchanged block needs no publishing, even if its connection has a problem now. */
function computePublishState(row: Pick<BlockRow, 'is_same' | 'live_version'>, faults: readonly Fault[]): PublishState {
  if (row.is_same) return 'published'
  if (faults.some(({ kind }) => kind === 'missing')) return 'incomplete'
  if (faults.length > 0) return 'invalid'
  return row.live_version === null ? 'never' : 'changed'
}

export function computeBlockStatus(
  row: Pick<BlockRow, 'id' | 'live_version' | 'live_trigger'>,
  isComplete: boolean,
  facts: CanvasFacts,
): TaskStatus {
  const lastRun = facts.lastRuns.get(row.id)
  const upstream = row.live_trigger ? listUpstreamBlocks(row.live_trigger, facts) : []
  return computeTaskStatus({
    isSetUp: row.live_version !== null || isComplete,
    isWorkspaceBlocked: facts.isWorkspaceBlocked,
    lastRun: lastRun ? { status: lastRun.status, startedAt: (lastRun.started_at ?? lastRun.due_at).getTime() } : null,
    upstream: upstream.flatMap((code) => {
      const run = facts.lastRuns.get(facts.byCode.get(code)?.id ?? 0)
      return run ? [{ status: run.status, endedAt: run.finished_at?.getTime() ?? null }] : []
    }),
  })
}

export function toBlockCard(row: BlockRow, facts: CanvasFacts): BlockCard {
  const { settings } = row
  const faults = findBlockFaults(row.kind, settings, facts.faultFacts)
  const connection = facts.connections.get(settings.integration_trellis_code ?? '')
  return {
    task_block_trellis_code: row.trellis_code,
    dataflow_trellis_code: row.dataflow_code,
    kind: row.kind,
    name: row.name,
    metadata: { x: row.x, y: row.y, group_trellis_code: row.group_code, note: row.note },
    status: computeBlockStatus(row, faults.length === 0, facts),
    platform_trellis_code: connection?.platformCode ?? null,
    platform_icon: connection?.icon ?? null,
    integration_name: connection?.name ?? null,
    publish_state: computePublishState(row, faults),
    faults,
    version: row.version,
    published_version: row.live_version,
    published_number: row.live_number,
    last_run: toLastRun(facts.lastRuns.get(row.id)),
    next_due_at: computeNextDue(row, facts)?.toISOString() ?? null,
    updated_at: row.updated_at.toISOString(),
    updated_by: row.updated_by,
    waits_for: listUpstreamBlocks(settings.trigger, facts),
    trigger_scope: settings.trigger.eventEvaluationType,
    has_schedule: hasSchedule(settings.trigger),
    trigger_in_words: describeTriggerForm(settings.trigger, (code) => facts.byCode.get(code)?.name),
  }
}
