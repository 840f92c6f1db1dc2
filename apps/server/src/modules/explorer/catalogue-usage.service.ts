import { type Dependency, readDependencies } from '@trellis/workspace-db/catalogue/dependencies'
import { readDependents } from '@trellis/workspace-db/catalogue/dependents'
import type { Going } from '@trellis/workspace-db/recycle-bin/going'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { getSchema, getTable, reading } from './open-session.service.ts'

export interface UsagePlace {
  readonly integrationCode: string
  readonly schema: string
  /** Without a table the whole schema is meant. */
  readonly table?: string | undefined
}

export interface CatalogueUsage {
  readonly going: Going
  readonly uses: readonly Dependency[]
}

/** What the database itself knows: views, keys, partitions, functions and the rest that holds on to a table or schema. */
export async function readCatalogueUsage(
  ctx: WorkspaceCtx,
  { integrationCode, schema, table }: UsagePlace,
): Promise<CatalogueUsage> {
  return await reading(ctx, { integrationCode }, async (session) => {
    const target =
      table === undefined
        ? { kind: 'schema' as const, oid: (await getSchema(session, schema)).oid }
        : { kind: 'table' as const, oid: (await getTable(session, { schema_name: schema, table_name: table })).oid }
    return { going: await readDependents(session, target), uses: await readDependencies(session, target) }
  })
}
