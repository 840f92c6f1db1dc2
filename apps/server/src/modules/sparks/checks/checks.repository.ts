import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { UsedTable } from '../versions.repository.ts'

interface CheckedSpark {
  readonly id: number
  readonly trellis_code: string
  readonly checked_shape: string | null
  /** Of sources of the shown version over the workspace's own database. */
  readonly tables: readonly UsedTable[]
}

/** With the tables that the shown version of each reads in the database of the given code. */
export async function findSparksToCheck(
  db: Db,
  { workspaceId, integrationCode }: { workspaceId: number; integrationCode: string },
): Promise<CheckedSpark[]> {
  const { rows } = await sql<CheckedSpark>`
    select s.id::int as id, s.trellis_code, s.checked_shape, jsonb_agg(distinct t.used) as tables
      from sparks s
      join spark_sources q on q.version_id = coalesce(s.pinned_version_id, s.latest_version_id) and q.integration_code = ${integrationCode}
      cross join lateral jsonb_array_elements(q.tables) t(used)
     where s.workspace_id = ${workspaceId}
     group by s.id order by s.id`.execute(db)
  return rows
}

export async function setCheckedShape(db: Db, id: number, shape: string): Promise<void> {
  await db.updateTable('sparks').set({ checked_shape: shape }).where('id', '=', id).execute()
}
