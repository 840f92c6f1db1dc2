import type { TableKind } from '@trellis/workspace-db/catalogue/visible'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { namesOf, reading } from './open-session.ts'

export interface NamedTable {
  readonly schema: string
  readonly name: string
  readonly kind: TableKind
}

/** Tables and views of a database that the person may look into. */
export async function listTableNames(ctx: WorkspaceCtx, integrationCode: string): Promise<readonly NamedTable[]> {
  return await reading(ctx, { integrationCode }, async (session, database) => {
    const { tables } = await namesOf(session, database)
    return tables.map(({ schema, name, kind }) => ({ schema, name, kind }))
  })
}
