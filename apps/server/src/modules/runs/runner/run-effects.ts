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
  /** Records the success; undefined if another worker holds the run by now. */
  readonly end: () => Promise<Date | undefined>
}

export interface RunEffects {
  /** Afterwards no writer with a lower epoch can commit in the workspace's database. */
  fence(ctx: SystemCtx, run: FencedRun): Promise<void>
  /**
   * In one transaction: locks downstream blocks, ends the run, delivers the event. Fixed lock order, blocks before the
   * run, avoids a deadlock.
   */
  succeed(
    ctx: { readonly db: Db },
    run: SucceededRun,
  ): Promise<{ readonly at: Date | undefined; readonly queued: number }>
}
