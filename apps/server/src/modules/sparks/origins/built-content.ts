import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'

export interface Project {
  readonly id: number
  readonly code: string
}

export interface BuiltContent {
  readonly content: SparkContent
  /** Call in the transaction that saves the spark. */
  readonly settle?: (ctx: WorkspaceCtx, sparkCode: string) => Promise<void>
}
