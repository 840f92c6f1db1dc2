import type { Dependent, Usage } from '@trellis/contract/explorer/explorer.schemas'
import { toDependents } from '@trellis/workspace-db/catalogue/dependents'
import type { DeletedObjects } from '@trellis/workspace-db/recycle-bin/deleted-objects'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type UsageTarget, readCatalogueUsage } from '../explorer/catalogue-usage.service.ts'
import { allProviders } from './all-providers.ts'
import { toConfirmation } from './confirmation.ts'
import type { TablesTarget } from './provider.ts'

export async function readUsage(ctx: WorkspaceCtx, usageTarget: UsageTarget): Promise<Usage> {
  const { deleted, uses } = await readCatalogueUsage(ctx, usageTarget)
  const target = toTarget(usageTarget, deleted)
  const others = await listUsers(ctx, target)
  const isNamed = (name: { schema: string; name: string }) =>
    usageTarget.table === undefined
      ? name.schema === usageTarget.schema
      : name.schema === usageTarget.schema && name.name === usageTarget.table
  const named = { ...target, tables: target.tables.filter(isNamed) }
  const used: Dependent[] = uses.map(({ kind, schema, name, detail }) => ({
    kind,
    schema_name: schema,
    name,
    detail,
    effect: 'kept',
    code: null,
  }))
  for (const provider of allProviders) used.push(...((await provider.listUsed?.(ctx, named)) ?? []))
  return { ...toUsage(usageTarget, deleted, others), uses: used }
}

export function toUsage(target: UsageTarget, deletedObjects: DeletedObjects, others: readonly Dependent[]): Usage {
  const items = [...toCatalogueItems(deletedObjects), ...others]
  const { relations } = deletedObjects
  const views = relations.filter(({ letter }) => letter === 'v' || letter === 'm').length
  const named = relations.filter(({ isNamed }) => isNamed).map(({ schema, name }) => JSON.stringify([schema, name]))
  const contents = target.table === undefined ? named : []
  const sum = (key: 'rows' | 'bytes') => relations.reduce((total, relation) => total + relation[key], 0)
  return {
    tables: relations.length - views,
    views,
    rows_estimate: sum('rows'),
    size_bytes: sum('bytes'),
    used_by: items,
    uses: [],
    needs_cascade: contents.length > 0 || items.some(({ effect }) => effect !== 'kept'),
    confirmation: toConfirmation(items, contents),
  }
}

async function listUsers(ctx: WorkspaceCtx, target: TablesTarget): Promise<Dependent[]> {
  const items: Dependent[] = []
  for (const provider of allProviders) items.push(...((await provider.listUsers?.(ctx, target)) ?? []))
  return items
}

function toTarget({ integrationCode, schema, table }: UsageTarget, { relations }: DeletedObjects): TablesTarget {
  return {
    integrationCode,
    tables: relations.map((relation) => ({ schema: relation.schema, name: relation.name })),
    schemas: [...new Set([schema, ...relations.map((relation) => relation.schema)])],
    wholeSchema: table === undefined ? schema : undefined,
  }
}

const toCatalogueItems = (deletedObjects: DeletedObjects): Dependent[] =>
  toDependents(deletedObjects).map(({ kind, schema, name, detail }) => ({
    kind,
    schema_name: schema,
    name,
    detail,
    effect: kind === 'object' ? 'blocks' : 'deleted',
    code: null,
  }))
