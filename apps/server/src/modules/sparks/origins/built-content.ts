import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'

export interface Project {
  readonly id: number
  readonly code: string
}

export interface BuiltContent {
  readonly content: SparkContent
  /** Inside the transaction that keeps the spark. */
  readonly settle?: (ctx: WorkspaceCtx, sparkCode: string) => Promise<void>
}
