import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type { Db } from '@trellis/control-db/database'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { RunRequest } from './run-work.ts'

export interface FencedRun {
  readonly epoch: number
  readonly kind: ActivityKind
  readonly workspace_id: number
  readonly workspace_code: string
  readonly block_code: string
  readonly root_code: string
  readonly is_parallel: boolean
  readonly request: RunRequest
  readonly settings: object | null
}

export interface SucceededRun {
  readonly id: number
  readonly block_id: number
  readonly block_code: string
  /** Writes the success; nothing when the run is somebody else's by now. */
  readonly end: () => Promise<Date | undefined>
}

/** What the end of a run does outside the runner's own tables; handed in by whoever starts the worker. */
export interface RunEffects {
  /** Once it resolves, no writer with a lower epoch commits into the workspace's database. */
  fence(ctx: SystemCtx, run: FencedRun): Promise<void>
  /**
   * Inside one transaction: locks the blocks that wait for this one, ends the run, delivers the event. The locks come
   * before the run's own row, otherwise two successes deadlock.
   */
  succeed(
    ctx: { readonly db: Db },
    run: SucceededRun,
  ): Promise<{ readonly at: Date | undefined; readonly queued: number }>
}
