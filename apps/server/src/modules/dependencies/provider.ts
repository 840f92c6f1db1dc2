import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

/** Tables and views of one database that something may use. */
export interface TablesTarget {
  readonly integrationCode: string
  readonly tables: readonly { readonly schema: string; readonly name: string }[]
  /** Schemas that the tables are in. */
  readonly schemas: readonly string[]
  /** The schema that is meant as a whole. */
  readonly wholeSchema?: string | undefined
}

/**
 * One kind of thing that uses tables. A new kind is a file in `providers/` and a line in `all-providers.ts`;
 * every delete dialog and the explorer then tell of it.
 */
export interface DependencyProvider {
  /** What uses the tables. */
  listUsers?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
  /** What the tables come from. */
  listUsed?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
}
