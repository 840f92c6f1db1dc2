import type { Db } from '@trellis/control-db/database'

interface RemovedProject {
  readonly trellis_code: string
  readonly name: string
  readonly account_id: number
  readonly workspace_id: number
}

export async function removeProjectsDeletedBefore(
  { db }: { readonly db: Db },
  before: Date,
  limit: number,
): Promise<RemovedProject[]> {
  return await db
    .deleteFrom('worksheet_projects')
    .where('id', 'in', (select) =>
      select.selectFrom('worksheet_projects').select('id').where('deleted_at', '<', before).orderBy('id').limit(limit),
    )
    .returning(['trellis_code', 'name', 'account_id', 'workspace_id'])
    .execute()
}
