import { setTimeout as sleep } from 'node:timers/promises'
import { transaction } from '@trellis/control-db/database'
import { type MovedDatabase, moveDatabase } from '@trellis/workspace-db/move/move-database'
import type { SystemCtx } from '../../ctx.ts'
import { openWorkspaceDatabase } from '../../workspace-database/open-database.ts'
import { endLapsedMoves, endMove } from './end-move.ts'
import { type Move, commitMove, insertMove, renewMove, listActiveRuns, lockMovable } from './moves.repository.ts'

export class MoveProblem extends Error {}

interface MoveRequest {
  readonly workspaceId: number
  readonly integrationCode: string
  readonly toCluster: number
  /** For runs under way; none begins meanwhile. */
  readonly waitMs: number
  readonly onStep: (step: string) => Promise<void> | void
  readonly signal: AbortSignal
}

const BEAT_MS = 10_000
const LOOK_MS = 500
const LOST = 'Another process has taken over this move, because this one was silent for too long.'

/** Afterwards the workspace is wholly on one cluster, whatever happened. */
export async function moveWorkspace(ctx: SystemCtx, request: MoveRequest): Promise<MovedDatabase> {
  await endLapsedMoves(ctx)
  const move = await beginMove(ctx, request)
  const lease = holdLease(ctx, move, request.signal)
  const reportStep = async (step: string) => {
    await lease.renew(step)
    await request.onStep(step)
  }
  try {
    await waitForRuns(ctx, request, { signal: lease.signal, reportStep })
    const { workspaceId, integrationCode } = request
    const { cluster, key, credentials } = await openWorkspaceDatabase(ctx, { workspaceId, integrationCode })
    const to = await ctx.ports.cluster.openById(ctx, move.to_cluster)
    const onStep = async (step: string, detail: string) => await reportStep(`${step} ${detail}`.trim())
    return await moveDatabase({ from: cluster, to, key, credentials, onStep, signal: lease.signal }, async () => {
      if (!(await commitMove(ctx, move))) throw new MoveProblem(LOST)
    })
  } finally {
    lease.end()
    await endMove(ctx, move)
  }
}

async function beginMove(ctx: SystemCtx, { workspaceId, toCluster }: MoveRequest): Promise<Move> {
  return await transaction(ctx, async (ctx) => {
    const workspace = await lockMovable(ctx, workspaceId)
    if (!workspace?.is_ready) throw new MoveProblem('This workspace has no database that could be moved.')
    if (workspace.step !== null) throw new MoveProblem(`It is being moved already: ${workspace.step || 'begun'}.`)
    if (workspace.cluster_id === toCluster) throw new MoveProblem('It is on this cluster already.')
    return await insertMove(ctx, workspaceId, toCluster)
  })
}

function holdLease(ctx: SystemCtx, move: Move, outer: AbortSignal) {
  const lost = new AbortController()
  let step = ''
  const renew = async (now: string) => {
    step = now
    if (await renewMove(ctx, move, step)) return
    lost.abort(new MoveProblem(LOST))
    throw new MoveProblem(LOST)
  }
  const timer = setInterval(() => void renew(step).catch(() => undefined), BEAT_MS)
  return {
    signal: AbortSignal.any([lost.signal, outer]),
    renew,
    end: () => clearInterval(timer),
  }
}

async function waitForRuns(
  ctx: SystemCtx,
  { workspaceId, waitMs }: MoveRequest,
  { signal, reportStep }: { signal: AbortSignal; reportStep: (step: string) => Promise<void> },
): Promise<void> {
  for (const until = Date.now() + waitMs; ;) {
    const active = await listActiveRuns(ctx, workspaceId)
    if (active.length === 0) return
    if (Date.now() > until) {
      const named = active.slice(0, 3).join(', ')
      throw new MoveProblem(
        `${active.length} runs are still going (${named}). Cancel them, or wait longer with --wait.`,
      )
    }
    await reportStep(`waiting for ${active.length} runs`)
    await sleep(LOOK_MS, undefined, { signal })
  }
}
