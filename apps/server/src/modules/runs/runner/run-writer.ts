import type { SystemCtx } from '../../../platform/ctx.ts'
import { createBatcher } from './batcher.ts'
import { type StatusMove, type RunEnd, endRuns, moveRuns } from './finish.repository.ts'

export interface RunWriter {
  /** False if another worker holds the run by now. */
  move(moveRun: StatusMove): Promise<boolean>
  /** Undefined if another worker holds the run, or if downstream blocks wait for it. */
  end(endRun: { run: { id: number; epoch: number }; end: RunEnd }): Promise<Date | undefined>
}

export function createRunWriter(ctx: SystemCtx): RunWriter {
  const moveRun = createBatcher((moves: readonly StatusMove[]) => moveRuns(ctx, moves))
  const endRun = createBatcher((ends: readonly Parameters<RunWriter['end']>[0][]) => endRuns(ctx, ends))
  return { move: ({ id, epoch, from, to }) => moveRun({ id, epoch, from, to }), end: endRun }
}
