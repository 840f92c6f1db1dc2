import type * as schemas from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findProfileId } from '../../platform/person-ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { getRunnableDraft } from '../dataflows/drafts.service.ts'
import { listRunReceipts } from './loaded/receipts.ts'
import * as repository from './runs.repository.ts'
import type { BlockRow, RunRow } from './runs.repository.ts'
import { toTaskRun } from './show-run.ts'
import type { RunRequest } from './runner/run-work.ts'
import { DRY_RUN_UNAVAILABLE, writesWithoutTarget } from './work/dry-run.ts'

/** A looping client must not fill the queue. */
const MAX_WAITING_RUNS = 100
const NOT_FOUND_MESSAGE = 'There is nothing at this address, or you have no access to it.'
export const runNotFoundError = () => new AppError('not_found', NOT_FOUND_MESSAGE)

export async function getBlock(ctx: WorkspaceCtx, code: string): Promise<BlockRow> {
  const block = await repository.findBlock(ctx, code)
  if (!block) throw runNotFoundError()
  return block
}

export async function getRun(ctx: WorkspaceCtx, code: string): Promise<RunRow> {
  const run = await repository.findRun(ctx, code)
  if (!run) throw runNotFoundError()
  return run
}

/** The first of a chain of retries: their writes count together. */
export async function getRootCode(ctx: WorkspaceCtx, code: string): Promise<string> {
  const { id } = await getRun(ctx, code)
  return (await repository.findRootCode(ctx, id)) ?? code
}

export async function getDataflowId(ctx: WorkspaceCtx, code: string): Promise<number> {
  const id = await repository.findDataflowId(ctx, code)
  if (id === undefined) throw runNotFoundError()
  return id
}

type ExecuteBlockInput = z.infer<typeof schemas.ExecuteBlock>

export async function executeBlock(
  ctx: WorkspaceCtx,
  code: string,
  input: ExecuteBlockInput,
): Promise<schemas.TaskRun> {
  const block = await getBlock(ctx, code)
  assertValidWindow(block, input.window)
  if (input.is_shadow) return await executeDryRun(ctx, block, input)
  const request = omitUndefined({ ...input, scope: input.scope ?? 'block' })
  ctx.http.addAuditDetail({ what: `ran “${block.name}”` })
  return await queueRun(ctx, block, { request, startedBy: getStartedBy(ctx, input) })
}

async function executeDryRun(ctx: WorkspaceCtx, block: BlockRow, input: ExecuteBlockInput): Promise<schemas.TaskRun> {
  const createRefusal = () =>
    new AppError('invalid_request', DRY_RUN_UNAVAILABLE, { source: { pointer: '/is_shadow' } })
  if (block.kind === 'Destination') throw createRefusal()
  const { settings, version } = await getRunnableDraft(ctx, block.code)
  if ('language' in settings && writesWithoutTarget(settings)) throw createRefusal()
  const request = omitUndefined({ ...input, scope: 'block' })
  ctx.http.addAuditDetail({ what: `ran the draft of “${block.name}” in the shadow` })
  return await queueRun(
    ctx,
    { ...block, integration_id: block.draft_integration_id },
    { request, startedBy: getStartedBy(ctx, input), draft: { settings, version } },
  )
}

function getStartedBy({ actor }: WorkspaceCtx, { window }: { window?: unknown }): schemas.TaskRun['started_by'] {
  if (window !== undefined) return 'backfill'
  return actor.scopes === null ? 'person' : 'api'
}

function assertValidWindow({ kind }: BlockRow, window: RunRequest['window']): void {
  if (!window) return
  const source = { pointer: '/window' }
  if (kind !== 'Source')
    throw new AppError('invalid_request', 'Only a source can read a range of time again.', { source })
  const areRealDays = [window.from, window.to].every((day) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day))
  if (!areRealDays) throw new AppError('invalid_request', 'There is no such day.', { source })
  if (window.from > window.to) {
    throw new AppError('invalid_request', 'The range must end on or after the day it begins.', { source })
  }
}

const omitUndefined = (request: object): RunRequest =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as RunRequest

interface QueueRunInput {
  readonly request: RunRequest
  readonly startedBy: schemas.TaskRun['started_by']
  readonly retryOf?: { readonly id: number; readonly rootCode: string }
  /** Replaces the published version. A retry takes that of its run. */
  readonly draft?: { readonly version: number; readonly settings?: object }
  readonly flowRunId?: number
}

export async function queueRun(
  ctx: WorkspaceCtx,
  block: BlockRow,
  { draft, ...run }: QueueRunInput,
): Promise<schemas.TaskRun> {
  const version = draft?.version ?? block.live_version
  if (version === null) {
    throw new AppError('block_incomplete', `“${block.name}” was never published. Publish it first.`)
  }
  if ((await repository.countWaitingRuns(ctx, block.id)) >= MAX_WAITING_RUNS) {
    throw new AppError(
      'conflict',
      `${MAX_WAITING_RUNS} runs of “${block.name}” are waiting already. Cancel some of them first.`,
    )
  }
  const code = generateTrellisCode()
  await repository.insertRun(ctx, {
    code,
    block,
    version,
    ...(draft?.settings && { draft: draft.settings }),
    profileId: findProfileId(ctx),
    at: ctx.clock.now(),
    flowRunCode: generateTrellisCode(),
    ...run,
  })
  return toTaskRun(await getRun(ctx, code))
}

export async function listRuns(
  ctx: WorkspaceCtx,
  dataflowCode: string,
  filter: z.infer<typeof schemas.RunFilter>,
): Promise<z.infer<typeof schemas.RunPage>> {
  const rows = await repository.findRuns(ctx, {
    dataflowId: await getDataflowId(ctx, dataflowCode),
    page: filter.page ?? 1,
    status: filter.status,
    blockCode: filter.task_block_trellis_code,
    startedBy: filter.started_by,
    from: filter.from,
    to: filter.to,
  })
  return {
    runs: rows.slice(0, repository.RUNS_PER_PAGE).map(toTaskRun),
    has_more: rows.length > repository.RUNS_PER_PAGE,
  }
}

export async function readRunDetails(ctx: WorkspaceCtx, code: string): Promise<schemas.TaskRunDetails> {
  const run = await getRun(ctx, code)
  const attempts = await repository.findAttempts(ctx, run.id)
  const neighbours = await repository.findNeighbours(ctx, run.id)
  return {
    ...toTaskRun(run),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      started_at: attempt.started_at.toISOString(),
      finished_at: attempt.finished_at?.toISOString() ?? null,
    })),
    receipts: run.is_shadow ? [] : await listRunReceipts(ctx, await getRootCode(ctx, code)),
    ...neighbours,
  }
}

export async function cancelRun(ctx: WorkspaceCtx, code: string): Promise<schemas.TaskRun> {
  const run = await getRun(ctx, code)
  if (isTerminal(run.status)) throw new AppError('conflict', 'This run has ended already.')
  ctx.http.addAuditDetail({ what: `cancelled a run of “${run.block_name}”` })
  await repository.cancelRuns(ctx, [run.id])
  return toTaskRun(await getRun(ctx, code))
}

/** Resumes where the failed run stopped, with the published version. */
export async function retryRun(
  ctx: WorkspaceCtx,
  code: string,
  answers?: RunRequest['answers'],
): Promise<schemas.TaskRun> {
  const run = await getRun(ctx, code)
  if (!isTerminal(run.status)) throw new AppError('conflict', 'This run has not ended. Cancel it first.')
  if (run.status === 'SUCCESS') throw new AppError('conflict', 'This run succeeded. Run the block instead.')
  if (run.is_block_deleted) throw new AppError('conflict', 'The block of this run was deleted.')
  const block = await getBlock(ctx, run.block_code)
  const rootCode = (await repository.findRootCode(ctx, run.id)) ?? run.trellis_code
  if (!answers) ctx.http.addAuditDetail({ what: `ran “${run.block_name}” again` })
  const integrationId = run.is_shadow ? block.draft_integration_id : block.integration_id
  return await queueRun(
    ctx,
    { ...block, integration_id: integrationId },
    {
      request: answers ? { ...run.request, answers } : run.request,
      startedBy: 'retry',
      retryOf: { id: run.id, rootCode },
      ...(run.is_shadow && { draft: { version: run.block_version } }),
    },
  )
}
