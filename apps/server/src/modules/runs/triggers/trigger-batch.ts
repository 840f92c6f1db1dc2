import type { Db } from '@trellis/control-db/database'
import { chooseFlowRun } from '@trellis/dataflow-engine/flow-runs/choose-flow-run'
import { type TickOutcome, describeOutcome } from '@trellis/dataflow-engine/policies/tick-outcome'
import { TRIGGER_CHANGED_REASON, startTriggeredRuns } from '@trellis/dataflow-engine/triggers/start-triggered-runs'
import type { TriggerEvent } from '@trellis/dataflow-engine/triggers/events'
import type { TriggerStore } from '@trellis/dataflow-engine/triggers/ports'
import {
  type BranchName,
  NO_TRIGGER,
  type Trigger,
  toActivityBranch,
  parseTrigger,
} from '@trellis/dataflow-engine/triggers/trigger'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import * as repository from './trigger-batch.repository.ts'
import type { EventRow, LiveBlock, NewEvent } from './trigger-batch.repository.ts'

type WithDb = { readonly db: Db }

/** A form from an older version that is invalid now starts nothing. */
export function toTrigger({ form, published_at }: Pick<LiveBlock, 'form' | 'published_at'>): Trigger {
  try {
    return parseTrigger(form, published_at.getTime())
  } catch {
    return NO_TRIGGER
  }
}

/**
 * Delivers events to locked blocks and starts runs, in bulk: reads before and writes after the engine decides, so that
 * a thousand due times cost a few statements. In a transaction, after `lockBlocks`. Returns the number of queued runs.
 */
export async function deliverEvents(
  ctx: WithDb,
  blocks: readonly LiveBlock[],
  events: readonly NewEvent[],
): Promise<number> {
  const ids = blocks.map(({ id }) => id)
  await repository.insertEvents(ctx, events)
  const unusedByBlock = Map.groupBy(await repository.readUnusedEvents(ctx, ids), ({ block_id }) => block_id)
  const openRunsByBlock = Map.groupBy(await repository.readOpenRuns(ctx, ids), ({ block_id }) => block_id)
  const cancelledFlowRuns = new Set<string>()
  for (;;) {
    const changes = createChanges()
    for (const block of blocks) {
      const triggerState = {
        unusedEvents: unusedByBlock.get(block.id) ?? [],
        openRuns: openRunsByBlock.get(block.id) ?? [],
        changes,
        cancelled: cancelledFlowRuns,
      }
      await startTriggeredRuns(createTriggerStore(block, triggerState), {
        id: block.code,
        trigger: toTrigger(block),
        overlap: block.overlap,
      })
    }
    const movedRuns = toMovedRuns(changes)
    const flowRuns = await repository.ensureFlowRuns(ctx, [...listAllRuns(changes), ...movedRuns])
    // Locked from here on. If some turn out cancelled, the engine decides again without them.
    const cancelledBefore = cancelledFlowRuns.size
    for (const { dataflow_id, flow } of [...listAllRuns(changes), ...movedRuns]) {
      if (flowRuns.get(flow.flow_code)?.is_cancelled) cancelledFlowRuns.add(toFlowRunKey(dataflow_id, flow))
    }
    if (cancelledFlowRuns.size > cancelledBefore) continue
    await writeChanges(ctx, { changes, moved: movedRuns, flowRuns }, [...unusedByBlock.values()].flat())
    return changes.runs.length
  }
}

interface Changes {
  runs: { row: repository.NewTriggeredRun; events: EventRow[] }[]
  cancelled: { row: repository.NewTriggeredRun; events: EventRow[] }[]
  replaced: { runId: number; block: LiveBlock; events: EventRow[]; reason: string }[]
  dropped: { events: EventRow[]; reason: string }[]
}
const createChanges = (): Changes => ({ runs: [], cancelled: [], replaced: [], dropped: [] })
const listAllRuns = ({ runs, cancelled: cancelledFlowRuns }: Changes) =>
  [...runs, ...cancelledFlowRuns].map(({ row }) => row)

const toFlowRunKey = (dataflowId: number, flow: repository.FlowRunRow): string =>
  flow.flow_run_id === null ? `${dataflowId} ${flow.cause_key ?? flow.flow_code}` : String(flow.flow_run_id)

export const toBranchName = (row: Pick<EventRow, 'source_code'>): BranchName =>
  row.source_code === null ? 'schedule' : toActivityBranch(row.source_code)

interface LoadedTriggerState {
  unusedEvents: readonly EventRow[]
  openRuns: readonly repository.OpenRunRow[]
  changes: Changes
  cancelled: ReadonlySet<string>
}

function createTriggerStore(
  block: LiveBlock,
  { unusedEvents, openRuns, changes, cancelled: cancelledFlowRuns }: LoadedTriggerState,
): TriggerStore {
  const byId = new Map(unusedEvents.map((row) => [String(row.id), row]))
  const findRows = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  const toTriggerEvent = (row: EventRow): TriggerEvent => ({
    id: String(row.id),
    // By cause rather than by card: cards may be recreated.
    branch: toBranchName(row),
    at: row.happened_at.getTime(),
  })
  // The oldest counts as active even while queued: only later ones can be replaced.
  const runs: RunReference[] = openRuns.map(({ id, is_waiting }) => ({ id: String(id), isWaiting: is_waiting }))
  const findWaiting = () => runs.slice(1).find(({ isWaiting }) => isWaiting)
  return {
    listUnusedEvents: async () => unusedEvents.map(toTriggerEvent),
    countActive: async () => runs.length - (findWaiting() ? 1 : 0),
    findWaiting: async () => {
      const waitingRun = findWaiting()
      return waitingRun && { id: waitingRun.id, eventIds: [] }
    },
    isCancelled: async (_block, eventIds) =>
      cancelledFlowRuns.size > 0 &&
      cancelledFlowRuns.has(toFlowRunKey(block.dataflow_id, toFlowRun(block.dataflow_id, findRows(eventIds)))),
    addCancelled: async (_block, eventIds) => {
      const events = findRows(eventIds)
      changes.cancelled.push({ row: toTriggeredRun(block, events), events })
    },
    addRun: async ({ eventIds }) => {
      const events = findRows(eventIds)
      const row = toTriggeredRun(block, events)
      runs.push({ id: row.trellis_code, isWaiting: true })
      changes.runs.push({ row, events })
    },
    replaceEvents: async (runId, eventIds, reason) => {
      const newRun = changes.runs.find(({ row }) => row.trellis_code === runId)
      if (newRun) replaceNewRun(newRun, { block, changes, events: findRows(eventIds), reason })
      else changes.replaced.push({ runId: Number(runId), block, events: findRows(eventIds), reason })
    },
    dropEvents: async (_block, eventIds, reason) => void changes.dropped.push({ events: findRows(eventIds), reason }),
  }
}

interface RunReference {
  id: string
  isWaiting: boolean
}

/** A run of this batch is replaced by a newer firing of the same batch. */
function replaceNewRun(
  run: Changes['runs'][number],
  change: { block: LiveBlock; changes: Changes; events: EventRow[]; reason: string },
): void {
  change.changes.dropped.push({ events: run.events, reason: change.reason })
  run.events = change.events
  run.row = { ...toTriggeredRun(change.block, change.events), trellis_code: run.row.trellis_code }
}

function toTriggeredRun(block: LiveBlock, events: readonly EventRow[]): repository.NewTriggeredRun {
  const newest = events.toSorted((a, b) => a.happened_at.getTime() - b.happened_at.getTime()).at(-1)
  const nominalAt = findNominalTime(events)
  return {
    trellis_code: generateTrellisCode(),
    account_id: block.account_id,
    workspace_id: block.workspace_id,
    dataflow_id: block.dataflow_id,
    block_id: block.id,
    block_version: block.version,
    started_by: typeof newest?.tick_id === 'number' ? 'schedule' : 'activity',
    nominal_at: nominalAt,
    due_at: newest?.happened_at ?? new Date(),
    integration_id: block.integration_id,
    flow: toFlowRun(block.dataflow_id, events),
  }
}

function toFlowRun(dataflowId: number, events: readonly EventRow[]): repository.FlowRunRow {
  const choice = chooseFlowRun(
    dataflowId,
    events.map((row) => ({
      nominalAt: row.nominal_at?.getTime() ?? null,
      source:
        row.source_run_id === null || row.source_dataflow_id === null
          ? null
          : { runId: row.source_run_id, dataflowId: row.source_dataflow_id, flowRunId: row.source_flow_run_id },
    })),
  )
  const newFlowRun = choice.do === 'start' ? choice.flowRun : undefined
  const nominalTime = newFlowRun?.nominalAt ?? null
  return {
    flow_run_id: choice.do === 'join' ? choice.flowRunId : null,
    flow_code: generateTrellisCode(),
    cause: newFlowRun?.cause ?? 'event',
    cause_key: newFlowRun?.key ?? null,
    cause_run_id: newFlowRun?.causeRunId ?? null,
    flow_nominal_at: nominalTime === null ? null : new Date(nominalTime),
  }
}

const findNominalTime = (events: readonly EventRow[]): Date | null =>
  events.flatMap(({ nominal_at }) => nominal_at ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null

const toMovedRuns = ({ replaced }: Changes): repository.RestartedRun[] =>
  [...new Map(replaced.map((change) => [change.runId, change])).values()].map(({ runId, block, events }) => ({
    run_id: runId,
    account_id: block.account_id,
    workspace_id: block.workspace_id,
    dataflow_id: block.dataflow_id,
    nominal_at: findNominalTime(events),
    flow: toFlowRun(block.dataflow_id, events),
  }))

const OUTCOMES: Record<string, TickOutcome> = {
  [describeOutcome('overlapped')]: 'overlapped',
  [describeOutcome('replaced')]: 'replaced',
  [TRIGGER_CHANGED_REASON]: 'changed',
}

interface SettledTriggers {
  readonly changes: Changes
  readonly moved: readonly repository.RestartedRun[]
  readonly flowRuns: ReadonlyMap<string, repository.FoundFlowRun>
}

async function writeChanges(
  ctx: WithDb,
  { changes, moved, flowRuns }: SettledTriggers,
  allEvents: readonly EventRow[],
): Promise<void> {
  const assignFlowRun = <T extends { flow: repository.FlowRunRow }>({ flow, ...run }: T) => ({
    ...run,
    flow_run_id: flowRuns.get(flow.flow_code)?.id ?? null,
  })
  const runIdByCode = await repository.insertTriggeredRuns(ctx, [
    ...changes.runs.map(({ row }) => ({ ...assignFlowRun(row), is_cancelled: false })),
    ...changes.cancelled.map(({ row }) => ({ ...assignFlowRun(row), is_cancelled: true })),
  ])
  await repository.updateMovedRuns(ctx, moved.map(assignFlowRun))
  const replaced = Map.groupBy(changes.replaced, ({ runId }) => runId)
  const previousEvents = Map.groupBy(await repository.readRunEvents(ctx, [...replaced.keys()]), ({ run_id }) => run_id)
  const events = new Map<number, repository.EventEnd>()
  const ticks = new Map<number, repository.TickEnd>()
  for (const { tick_id } of allEvents) {
    if (tick_id !== null) ticks.set(tick_id, { id: tick_id, outcome: 'waits_for_others', run_id: null })
  }
  const endEvent = (row: Pick<EventRow, 'id' | 'tick_id'>, runId: number | null, reason: string | null) => {
    events.set(row.id, { id: row.id, run_id: runId, dropped: reason })
    const outcome = reason === null ? 'fired' : (OUTCOMES[reason] ?? 'changed')
    if (row.tick_id !== null) ticks.set(row.tick_id, { id: row.tick_id, outcome, run_id: runId })
  }
  for (const { events: rows, reason } of changes.dropped) for (const row of rows) endEvent(row, null, reason)
  for (const { row, events: rows } of [...changes.runs, ...changes.cancelled]) {
    for (const usedEventRow of rows) endEvent(usedEventRow, runIdByCode.get(row.trellis_code) ?? null, null)
  }
  for (const [runId, replacements] of replaced) {
    for (const row of previousEvents.get(runId) ?? []) endEvent(row, null, replacements[0]?.reason ?? '')
    for (const { events: rows, reason } of replacements.slice(0, -1))
      for (const row of rows) endEvent(row, null, reason)
    for (const row of replacements.at(-1)?.events ?? []) endEvent(row, runId, null)
  }
  await repository.endEvents(ctx, [...events.values()])
  await repository.endTicks(ctx, [...ticks.values()])
}
