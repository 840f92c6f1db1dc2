import type { SystemCtx } from '../../../platform/ctx.ts'
import { makeBatcher } from './batcher.ts'
import { type Move, type RunEnd, endRuns, moveRuns } from './finish.repository.ts'

/** Steps of all runs of a worker, written together as far as they come together. */
export interface RunWriter {
  /** False when the run is somebody else's by now. */
  move(move: Move): Promise<boolean>
  /** Nothing when the run is somebody else's by now, or when somebody waits for it who has to be told. */
  end(end: { run: { id: number; epoch: number }; end: RunEnd }): Promise<Date | undefined>
}

export function makeRunWriter(ctx: SystemCtx): RunWriter {
  const move = makeBatcher((moves: readonly Move[]) => moveRuns(ctx, moves))
  const end = makeBatcher((ends: readonly Parameters<RunWriter['end']>[0][]) => endRuns(ctx, ends))
  return { move: ({ id, epoch, from, to }) => move({ id, epoch, from, to }), end }
}
