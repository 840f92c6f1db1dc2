import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { formatClock, formatDate, describeDueTime, formatDuration } from '../schedules/in-words.ts'
import { findNextDue } from '../schedules/due-times.ts'
import type { TickOutcome } from '../policies/tick-outcome.ts'
import { describeTick } from '../policies/tick-outcome.ts'
import type { TriggerEvent } from './events.ts'
import type { Branch, BranchName, Trigger } from './trigger.ts'
import { decideFirings } from './decide-firings.ts'

export interface TriggerFacts {
  readonly trigger: Trigger
  readonly now: number
  readonly unused: readonly TriggerEvent[]
  readonly since: number
  readonly blocks: ReadonlyMap<string, { name: string; lastRun: { status: RunStatus; at: number } | null }>
  readonly lastTick: { at: number; outcome: TickOutcome } | null
}

export interface BranchReport {
  readonly name: BranchName
  readonly label: string
  readonly hasArrived: boolean
  /** Unused events; several while other branches are missing. */
  readonly count: number
  /** When the oldest unused event arrived, or since when one is missing. */
  readonly since: number
  readonly sentence: string
}

export interface TriggerReport {
  readonly state: 'off' | 'any' | 'waiting' | 'ready'
  readonly sentence: string
  readonly branches: readonly BranchReport[]
  readonly missing: readonly BranchName[]
  readonly lastTick: string | null
  readonly nextDue: number | null
}

export function explainTrigger(facts: TriggerFacts): TriggerReport {
  const { trigger, now, lastTick } = facts
  const branches = trigger.scope === 'none' ? [] : trigger.branches.map((branch) => toBranchReport(branch, facts))
  const missingBranches = trigger.scope === 'all' ? branches.filter(({ hasArrived }) => !hasArrived) : []
  const state = computeState(facts, missingBranches.length)
  const schedule = trigger.branches.find((branch) => 'schedule' in branch)
  return {
    state,
    sentence: formatState(state, missingBranches),
    branches,
    missing: missingBranches.map(({ name }) => name),
    lastTick:
      lastTick &&
      describeTick(
        lastTick.at,
        lastTick.outcome,
        missingBranches.map(({ label }) => label),
      ),
    nextDue: (schedule && 'schedule' in schedule ? findNextDue(schedule.schedule, now)?.at : undefined) ?? null,
  }
}

function computeState({ trigger, unused }: TriggerFacts, missing: number): TriggerReport['state'] {
  if (trigger.scope === 'none') return 'off'
  if (decideFirings(trigger, unused).firings.length > 0) return 'ready'
  return trigger.scope === 'all' && missing > 0 ? 'waiting' : 'any'
}

function formatState(state: TriggerReport['state'], missingBranches: readonly BranchReport[]): string {
  if (state === 'off') return 'Nothing starts this block by itself. Run it by hand or give it a trigger.'
  if (state === 'ready') return 'Everything has arrived; a run is being started.'
  if (state === 'any') return 'The next of these starts a run.'
  return `Waiting for ${missingBranches.map(({ label }) => label).join(', ')}.`
}

function toBranchReport(branch: Branch, facts: TriggerFacts): BranchReport {
  const events = facts.unused.filter((event) => event.branch === branch.name)
  const oldestEventAt = events.length === 0 ? null : Math.min(...events.map(({ at }) => at))
  const label = 'blockId' in branch ? (facts.blocks.get(branch.blockId)?.name ?? 'a deleted block') : 'the schedule'
  const hasArrived = oldestEventAt !== null
  return {
    name: branch.name,
    label,
    hasArrived,
    count: events.length,
    since: oldestEventAt ?? facts.since,
    sentence: hasArrived
      ? describeArrival(oldestEventAt, events.length, facts.now)
      : describeMissingBranch(branch, facts),
  }
}

function describeArrival(oldestEventAt: number, count: number, now: number): string {
  const moreText = count === 1 ? '' : `, ${count - 1} more behind it`
  return `Arrived ${formatAgo(now - oldestEventAt)}${moreText}.`
}

function describeMissingBranch(branch: Branch, { now, since, blocks }: TriggerFacts): string {
  const missing = `Nothing for ${formatDuration(now - since)}`
  if ('schedule' in branch) {
    const due = findNextDue(branch.schedule, now)
    return due
      ? `${missing}; next due ${describeDueTime(due)}.`
      : `${missing}, and this schedule never comes due again.`
  }
  const block = blocks.get(branch.blockId)
  if (!block) return 'The block it waits for was deleted. Take it out of the trigger.'
  if (!block.lastRun) return `${missing}; it has never run.`
  const { status, at } = block.lastRun
  const lastRunText = status === 'SUCCESS' && at > since ? 'its last success is on its way, it came' : LAST_RUN[status]
  return `${missing}; ${lastRunText} on ${formatDate(at)} at ${formatClock(at)} UTC.`
}

const LAST_RUN: Record<RunStatus, string> = {
  QUEUED: 'a run was queued',
  SYSTEM_DEQUEUED: 'a run was taken up',
  SYSTEM_BLOCKED: 'a run was paused',
  PROVISIONING: 'a run began to start',
  INITIALIZING: 'a run began to start',
  RUNNING: 'a run was started',
  SUCCESS: 'its last success came before that,',
  FAILED: 'its last run failed',
  EXCEPTION: 'its last run ended with a fault of ours',
}

const formatAgo = (ms: number): string => (ms < 1000 ? 'just now' : `${formatDuration(ms)} ago`)
