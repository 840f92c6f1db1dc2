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

export interface IntegrationTarget {
  readonly id: number
  readonly trellis_code: string
}

export interface IntegrationUser {
  readonly kind: 'dataflow' | 'project'
  readonly trellis_code: string
  readonly name: string
}

/**
 * One kind of thing that uses tables or connections. A new kind is a file in `providers/` and a line in `all-providers.ts`;
 * every delete dialog, the explorer, the publish plan and integrations then tell of it.
 */
export interface DependencyProvider {
  /** What uses the tables. */
  listUsers?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
  /** What the tables come from. */
  listUsed?(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]>
  listIntegrationUsers?(ctx: WorkspaceCtx, target: IntegrationTarget): Promise<IntegrationUser[]>
}
