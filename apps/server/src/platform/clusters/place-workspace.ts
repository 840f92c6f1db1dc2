import { type Db, transaction } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { SystemCtx } from '../ctx.ts'

/** What a cluster without a capacity is compared by. */
const USUAL_CAPACITY = 300

/** Stores where its database will be, once. Clusters are locked, so that concurrent placements respect the capacity. */
export async function placeWorkspace(ctx: SystemCtx, id: number, key: string): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await sql`select id from clusters order by id for update`.execute(ctx.db)
    const index = await findRoom(ctx)
    if (index === undefined) {
      throw new Error('No cluster has room for another workspace. See: trellis admin clusters list')
    }
    await ctx.db
      .updateTable('workspaces')
      .set({ database_key: key, cluster_id: index })
      .where('id', '=', id)
      .where('database_key', 'is', null)
      .execute()
  })
}

/** The open cluster of which the smallest part is used; its id. */
export async function findRoom({ db }: { readonly db: Db }, except: number | null = null): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select c.id from clusters c
      left join workspaces w on w.cluster_id = c.id and w.database_key is not null
     where c.state = 'open' and c.id is distinct from ${except}::integer
     group by c.id, c.capacity having c.capacity is null or count(w.id) < c.capacity
     order by count(w.id)::float8 / coalesce(c.capacity, ${USUAL_CAPACITY}), c.id limit 1`.execute(db)
  return rows[0]?.id
}
