import { type AnyDb, platformTables } from '@trellis/control-db/database'

export async function findNames(
  ctx: { readonly db: AnyDb },
  ids: readonly number[],
): Promise<{ id: number; first_name: string; surname: string }[]> {
  if (ids.length === 0) return []
  return await platformTables(ctx)
    .selectFrom('profiles')
    .select(['id', 'first_name', 'surname'])
    .where('id', 'in', ids)
    .execute()
}
