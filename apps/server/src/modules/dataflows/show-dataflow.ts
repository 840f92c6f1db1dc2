import type { TaskStatus } from '@trellis/contract/dataflows/dataflow-words'
import { allows } from '@trellis/contract/core/permissions'
import type { Alerts, Dataflow, DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findWorkspaceBlocks } from './blocks.repository.ts'
import { type CanvasFacts, computeNextDue, readCanvasFacts } from './canvas-facts.ts'
import type { DataflowRow } from './dataflows.repository.ts'
import {
  type FlowRunDay,
  type LastFlowRun,
  countFlowRunsByDataflow,
  findLastFlowRuns,
} from './flow-runs/flow-run-states.repository.ts'
import { findBlockFaults } from './faults/block-faults.ts'
import type { FolderRow } from './folders.repository.ts'
import { readProfileNames } from '../profile/names.service.ts'
import { computeBlockStatus } from './show-block.ts'

const WORST_FIRST: readonly TaskStatus[] = [
  'SYSTEM_EXCEPTION',
  'FAILED',
  'SYSTEM_BLOCKED',
  'BLOCKED',
  'SETUP_INCOMPLETE',
  'RUNNING',
  'PENDING',
  'SUCCESS',
]
const RECENT_DAYS = 7
const DAY_MS = 86_400_000

type BlockSummary = Awaited<ReturnType<typeof findWorkspaceBlocks>>[number]

export async function buildSummaries(
  ctx: WorkspaceCtx,
  rows: readonly DataflowRow[],
  folders: readonly FolderRow[],
): Promise<DataflowSummary[]> {
  const onlyDataflowId = rows.length === 1 ? rows[0]?.id : undefined
  const blocks = rows.length === 0 ? [] : await findWorkspaceBlocks(ctx, onlyDataflowId)
  const facts = await readCanvasFacts(ctx, blocks)
  const today = Math.floor(facts.now.getTime() / DAY_MS)
  const days = Array.from({ length: RECENT_DAYS }, (_, index) => formatDay(today - RECENT_DAYS + 1 + index))
  const ids = rows.map(({ id }) => id)
  const counts = await countFlowRunsByDataflow(ctx, ids, new Date((today - RECENT_DAYS + 1) * DAY_MS))
  const lastRuns = await findLastFlowRuns(ctx, ids)
  const names = await readProfileNames(
    ctx,
    rows.map(({ updated_by }) => updated_by),
  )
  const blocksByFlow = Map.groupBy(blocks, ({ dataflow_id }) => dataflow_id)
  const countsByFlow = Map.groupBy(counts, ({ dataflow_id }) => dataflow_id)
  const folderCodes = new Map(folders.map(({ id, trellis_code }) => [id, trellis_code]))
  return rows.map((row) => {
    const flowBlocks = blocksByFlow.get(row.id) ?? []
    return {
      trellis_code: row.trellis_code,
      name: row.name,
      folder_trellis_code: folderCodes.get(row.folder_id ?? 0) ?? null,
      order: row.position,
      block_count: flowBlocks.length,
      has_unpublished: flowBlocks.some(({ is_same }) => !is_same),
      is_live: flowBlocks.some(({ live_version }) => live_version !== null),
      is_paused: row.is_paused,
      ...summarizeBlocks(flowBlocks, facts),
      last_run: toLastRun(lastRuns.get(row.id)),
      recent: toRecentDays(countsByFlow.get(row.id) ?? [], days),
      updated_at: row.updated_at.toISOString(),
      updated_by: names.get(row.updated_by ?? 0) ?? null,
    }
  })
}

function summarizeBlocks(
  blocks: readonly BlockSummary[],
  facts: CanvasFacts,
): Pick<DataflowSummary, 'status' | 'next_due_at'> {
  const statuses = new Set(blocks.map((block) => computeBlockStatus(block, isComplete(block, facts), facts)))
  const dueTimes = blocks.flatMap((block) => computeNextDue(block, facts)?.getTime() ?? [])
  return {
    status: WORST_FIRST.find((status) => statuses.has(status)) ?? 'SETUP_INCOMPLETE',
    next_due_at: dueTimes.length === 0 ? null : new Date(Math.min(...dueTimes)).toISOString(),
  }
}

function toLastRun(run: LastFlowRun | undefined): DataflowSummary['last_run'] {
  if (!run) return null
  const finishedAt = run.state === 'running' ? null : run.finished_at
  return {
    flow_run_trellis_code: run.code,
    state: run.state,
    at: (finishedAt ?? run.started_at ?? run.created_at).toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
  }
}

const isComplete = ({ kind, settings }: BlockSummary, facts: CanvasFacts): boolean =>
  settings !== null && findBlockFaults(kind, settings, facts.faultFacts).length === 0

const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function toRecentDays(counts: readonly FlowRunDay[], days: readonly string[]): DataflowSummary['recent'] {
  if (counts.length === 0) return []
  return days.map((day) => {
    const { succeeded = 0, failed = 0 } = counts.find((count) => count.day === day) ?? {}
    return { day, succeeded, failed }
  })
}

export async function buildDataflow(
  ctx: WorkspaceCtx,
  row: DataflowRow,
  folders: readonly FolderRow[],
): Promise<Dataflow> {
  const [summary] = await buildSummaries(ctx, [row], folders)
  const names = await readProfileNames(ctx, [row.created_by])
  return {
    ...(summary as DataflowSummary),
    description: row.description,
    alerts: maskAlerts(ctx, row.alerts as Alerts),
    misfire: row.misfire,
    overlap: row.overlap,
    created_at: row.created_at.toISOString(),
    created_by: names.get(row.created_by ?? 0) ?? null,
  }
}

/** A webhook URL is often a credential: only visible with the permission to change it. */
function maskAlerts({ account, workspace }: WorkspaceCtx, alerts: Alerts): Alerts {
  const canChange = allows('dataflows:write', { accountRole: account.role, workspaceRole: workspace.role })
  return canChange ? alerts : { ...alerts, webhook_url: null }
}
