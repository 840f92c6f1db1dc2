import type { SystemCtx } from '../../../platform/ctx.ts'
import { createBatcher } from './batcher.ts'
import { type Move, type RunEnd, endRuns, moveRuns } from './finish.repository.ts'

export interface RunWriter {
  /** False if another worker holds the run by now. */
  move(move: Move): Promise<boolean>
  /** Undefined if another worker holds the run, or if downstream blocks wait for it. */
  end(end: { run: { id: number; epoch: number }; end: RunEnd }): Promise<Date | undefined>
}

export function createRunWriter(ctx: SystemCtx): RunWriter {
  const move = createBatcher((moves: readonly Move[]) => moveRuns(ctx, moves))
  const end = createBatcher((ends: readonly Parameters<RunWriter['end']>[0][]) => endRuns(ctx, ends))
  return { move: ({ id, epoch, from, to }) => move({ id, epoch, from, to }), end }
}
