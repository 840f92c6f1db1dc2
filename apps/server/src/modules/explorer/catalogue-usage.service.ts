import { type Dependency, readDependencies } from '@trellis/workspace-db/catalogue/dependencies'
import { readDependents } from '@trellis/workspace-db/catalogue/dependents'
import type { DeletedObjects } from '@trellis/workspace-db/recycle-bin/deleted-objects'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { getSchema, getTable, withReaderSession } from './open-session.service.ts'

export interface UsageTarget {
  readonly integrationCode: string
  readonly schema: string
  readonly table?: string | undefined
}

export interface CatalogueUsage {
  readonly deleted: DeletedObjects
  readonly uses: readonly Dependency[]
}

/** Dependents by pg_depend: views, foreign keys, partitions, functions and others. */
export async function readCatalogueUsage(
  ctx: WorkspaceCtx,
  { integrationCode, schema, table }: UsageTarget,
): Promise<CatalogueUsage> {
  return await withReaderSession(ctx, { integrationCode }, async (session) => {
    const target =
      table === undefined
        ? { kind: 'schema' as const, oid: (await getSchema(session, schema)).oid }
        : { kind: 'table' as const, oid: (await getTable(session, { schema_name: schema, table_name: table })).oid }
    return { deleted: await readDependents(session, target), uses: await readDependencies(session, target) }
  })
}
