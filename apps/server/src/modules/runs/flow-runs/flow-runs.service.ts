import type * as schemas from '@trellis/contract/runs/flow-runs.schemas'
import { transaction } from '@trellis/control-db/database'
import { compareFlowRun, measureWork } from '@trellis/dataflow-engine/flow-runs/compare-flow-runs'
import { type WaitingBlock, findRoots } from '@trellis/dataflow-engine/flow-runs/expected-blocks'
import { findRetryable } from '@trellis/dataflow-engine/flow-runs/flow-run-state'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import type * as z from 'zod/mini'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findProfileId } from '../../../platform/person-ctx.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { cancelRuns, findRunsOfFlow } from '../runs.repository.ts'
import { getBlock, getDataflowId, runNotFoundError, queueRun, retryRun } from '../runs.service.ts'
import { toTaskRun } from '../show-run.ts'
import * as repository from './flow-runs.repository.ts'
import type { BlockRunRow, FlowRunRow } from './flow-runs.repository.ts'
import { toFlowRun, summarizeBlockRuns, toBlockRun } from './show-flow-run.ts'

const FLOW_RUNS_PER_PAGE = 25
/** Candidates examined per page of a state. */
const MAX_EXAMINED = 500
const MAX_COMPARED = 10
const COMPARISON_CANDIDATES = 60

export async function getFlowRunRow(ctx: WorkspaceCtx, code: string): Promise<FlowRunRow> {
  const flowRun = await repository.findFlowRun(ctx, code)
  if (!flowRun) throw runNotFoundError()
  return flowRun
}

export async function listFlowRuns(
  ctx: WorkspaceCtx,
  dataflowCode: string,
  filter: z.infer<typeof schemas.FlowRunFilter>,
): Promise<z.infer<typeof schemas.FlowRunPage>> {
  const dataflowId = await getDataflowId(ctx, dataflowCode)
  const graph = await repository.findWaitingBlocks(ctx, dataflowId)
  const limit = filter.limit ?? FLOW_RUNS_PER_PAGE
  let earlierBlockRuns = filter.before === undefined ? null : (await getFlowRunRow(ctx, filter.before)).id
  const matchingRuns: schemas.FlowRun[] = []
  for (let examinedCount = 0; examinedCount < MAX_EXAMINED;) {
    const { state, cause, from, to } = filter
    const rows = await repository.findFlowRuns(ctx, {
      dataflowId,
      before: earlierBlockRuns,
      state,
      cause,
      from,
      to,
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const shown = await toFlowRuns(ctx, page, graph)
    for (const [index, flowRun] of shown.entries()) {
      if (state !== undefined && flowRun.state !== state) continue
      matchingRuns.push(flowRun)
      const hasMore = index < shown.length - 1 || rows.length > limit
      if (matchingRuns.length === limit)
        return { flow_runs: matchingRuns, next: hasMore ? flowRun.flow_run_trellis_code : null }
    }
    if (rows.length <= limit) return { flow_runs: matchingRuns, next: null }
    examinedCount += page.length
    earlierBlockRuns = page.at(-1)?.id ?? earlierBlockRuns
    if (examinedCount >= MAX_EXAMINED) return { flow_runs: matchingRuns, next: page.at(-1)?.code ?? null }
  }
  return { flow_runs: matchingRuns, next: null }
}

export async function listRecentFlowRuns(
  ctx: WorkspaceCtx,
  limit: number,
): Promise<(schemas.FlowRun & { dataflow_name: string })[]> {
  const rows = await repository.findFlowRuns(ctx, { before: null, isReal: true, limit })
  const names = new Map(rows.map(({ code, dataflow_name }) => [code, dataflow_name]))
  return (await toFlowRuns(ctx, rows, [])).map((run) => ({
    ...run,
    dataflow_name: names.get(run.flow_run_trellis_code) ?? '',
  }))
}

async function toFlowRuns(
  ctx: WorkspaceCtx,
  flowRuns: readonly FlowRunRow[],
  graph: readonly WaitingBlock[],
): Promise<schemas.FlowRun[]> {
  if (flowRuns.length === 0) return []
  const ids = flowRuns.map(({ id }) => id)
  const runs = Map.groupBy(await repository.findBlockRuns(ctx, ids), ({ flow_run_id }) => flow_run_id)
  return flowRuns.map((flowRun) => toFlowRun(flowRun, runs.get(flowRun.id) ?? [], graph))
}

async function readFlowRun(ctx: WorkspaceCtx, flowRun: FlowRunRow): Promise<schemas.FlowRun> {
  const graph = await repository.findWaitingBlocks(ctx, flowRun.dataflow_id)
  return toFlowRun(flowRun, await repository.findBlockRuns(ctx, [flowRun.id]), graph)
}

export async function getFlowRun(ctx: WorkspaceCtx, code: string): Promise<schemas.FlowRunDetails> {
  const flowRun = await getFlowRunRow(ctx, code)
  const shown = await readFlowRun(ctx, flowRun)
  return {
    ...shown,
    dataflow_name: flowRun.dataflow_name,
    runs: (await findRunsOfFlow(ctx, flowRun.id)).map(toTaskRun),
    comparison: await compareWithEarlier(ctx, flowRun),
  }
}

/** Compares with flow runs of the same blocks: partial ones say nothing about the whole. */
async function compareWithEarlier(
  ctx: WorkspaceCtx,
  flowRun: FlowRunRow,
): Promise<schemas.FlowRunDetails['comparison']> {
  const query = { dataflowId: flowRun.dataflow_id, before: flowRun.id, limit: COMPARISON_CANDIDATES }
  const ids = (await repository.findFlowRuns(ctx, query)).map(({ id }) => id)
  const runs = Map.groupBy(await repository.findBlockRuns(ctx, [flowRun.id, ...ids]), ({ flow_run_id }) => flow_run_id)
  const blockRuns = runs.get(flowRun.id) ?? []
  const earlierRuns = ids
    .map((id) => runs.get(id) ?? [])
    .filter((rows) => rows.length > 0 && isComparable(blockRuns, rows))
    .filter((rows) => summarizeBlockRuns(rows, []).state === 'succeeded')
    .slice(0, MAX_COMPARED)
  const result = compareFlowRun(
    toMeasure(blockRuns),
    earlierRuns.flatMap((rows) => toMeasure(rows) ?? []),
  )
  return {
    count: earlierRuns.length,
    duration_ms: result.durationMs,
    rows: result.rows,
    duration_ratio: result.durationRatio,
    rows_ratio: result.rowsRatio,
    changed_blocks: findChangedBlocks(blockRuns, earlierRuns[0] ?? []),
  }
}

const isComparable = (blockRuns: readonly BlockRunRow[], otherBlockRuns: readonly BlockRunRow[]): boolean => {
  const blocks = new Set(blockRuns.map(({ block_code }) => block_code))
  const otherBlocks = new Set(otherBlockRuns.map(({ block_code }) => block_code))
  return (
    blocks.size === otherBlocks.size &&
    [...blocks].every((code) => otherBlocks.has(code)) &&
    blockRuns[0]?.is_shadow === otherBlockRuns[0]?.is_shadow
  )
}

function toMeasure(rows: readonly BlockRunRow[]) {
  const { state, startedAt, finishedAt, rows: written } = summarizeBlockRuns(rows, [])
  if (state === 'running' || startedAt === null || finishedAt === null) return null
  return { durationMs: measureWork(rows.map(toBlockRun)), rows: written }
}

function findChangedBlocks(blockRuns: readonly BlockRunRow[], earlierBlockRuns: readonly BlockRunRow[]): string[] {
  const versions = new Map(earlierBlockRuns.map(({ block_code, block_version }) => [block_code, block_version]))
  const changedBlockRuns = blockRuns.filter(({ block_code, block_version }) => {
    const version = versions.get(block_code)
    return version !== undefined && version !== block_version
  })
  return [...new Set(changedBlockRuns.map(({ block_name }) => block_name))]
}

export async function cancelFlowRun(ctx: WorkspaceCtx, code: string): Promise<schemas.FlowRun> {
  const flowRun = await getFlowRunRow(ctx, code)
  const findOpenRuns = async () =>
    (await repository.findBlockRuns(ctx, [flowRun.id])).filter(({ status }) => !isTerminal(status))
  if ((await findOpenRuns()).length === 0) throw new AppError('conflict', 'This run has ended already.')
  ctx.http.addAuditDetail({ what: `cancelled a run of “${flowRun.dataflow_name}”` })
  await repository.markFlowRunCancelled(ctx, flowRun.id, ctx.clock.now())
  await cancelRuns(
    ctx,
    (await findOpenRuns()).map(({ id }) => id),
  )
  return await readFlowRun(ctx, flowRun)
}

export async function retryFlowRun(ctx: WorkspaceCtx, code: string): Promise<schemas.FlowRun> {
  const flowRun = await getFlowRunRow(ctx, code)
  await transaction(ctx, async (tx) => {
    await repository.lockFlowRun(tx, flowRun.id)
    const rows = await repository.findBlockRuns(tx, [flowRun.id])
    if (rows.some(({ status }) => !isTerminal(status))) {
      throw new AppError('conflict', 'This run has not ended. Cancel it first.')
    }
    const retryableRuns = findRetryable(rows.map(toBlockRun)).filter(({ row }) => !row.is_block_deleted)
    if (retryableRuns.length === 0) throw new AppError('conflict', 'Nothing of this run has to be run again.')
    for (const { row } of retryableRuns) await retryRun(tx, row.code)
  })
  ctx.http.addAuditDetail({ what: `retried a run of “${flowRun.dataflow_name}”` })
  return await readFlowRun(ctx, flowRun)
}

export async function executeDataflow(ctx: WorkspaceCtx, dataflowCode: string): Promise<schemas.FlowRun> {
  const dataflowId = await getDataflowId(ctx, dataflowCode)
  const code = await startFlowRun(ctx, dataflowId, ctx.actor.scopes === null ? 'person' : 'api')
  const flowRun = await getFlowRunRow(ctx, code)
  ctx.http.addAuditDetail({ what: `ran “${flowRun.dataflow_name}”` })
  return await readFlowRun(ctx, flowRun)
}

export async function startFlowRun(
  ctx: WorkspaceCtx,
  dataflowId: number,
  cause: 'person' | 'api' | 'inbound_webhook',
): Promise<string> {
  const roots = findRoots(await repository.findWaitingBlocks(ctx, dataflowId))
  if (roots.length === 0) {
    throw new AppError('block_incomplete', 'Nothing in this dataflow was published. Publish a block first.')
  }
  const code = generateTrellisCode()
  await transaction(ctx, async (tx) => {
    const profileId = findProfileId(ctx)
    const flowRunId = await repository.insertFlowRun(tx, { dataflowId, code, cause, profileId })
    for (const { id } of roots) {
      const block = await getBlock(tx, id)
      await queueRun(tx, block, { request: { scope: 'from_here' }, startedBy: cause, flowRunId })
    }
  })
  return code
}
