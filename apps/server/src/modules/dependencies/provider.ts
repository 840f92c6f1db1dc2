import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

export interface TablesTarget {
  readonly integrationCode: string
  readonly tables: readonly { readonly schema: string; readonly name: string }[]
  readonly schemas: readonly string[]
  readonly wholeSchema?: string | undefined
}

/** A new kind of dependent is a file in `providers/` and a line in `all-providers.ts`. */
export interface DependencyProvider {
  listUsers?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
  listUsed?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
}
