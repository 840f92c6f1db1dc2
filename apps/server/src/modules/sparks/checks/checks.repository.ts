import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { UsedTable } from '../versions.repository.ts'

interface CheckedSpark {
  readonly id: number
  readonly trellis_code: string
  readonly checked_shape: string | null
  readonly tables: readonly UsedTable[]
}

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

export async function findConnectedSparks(
  db: Db,
  {
    workspaceId,
    integrationCode,
    before,
    limit,
  }: { workspaceId: number; integrationCode: string; before: Date; limit: number },
): Promise<{ id: number; trellis_code: string }[]> {
  const { rows } = await sql<{ id: number; trellis_code: string }>`
    select s.id::int as id, s.trellis_code from sparks s
     where s.workspace_id = ${workspaceId} and (s.connected_checked_at is null or s.connected_checked_at < ${before})
       and exists (select from spark_sources q
                    where q.version_id = coalesce(s.pinned_version_id, s.latest_version_id) and q.integration_code <> ${integrationCode})
     order by s.connected_checked_at nulls first, s.id limit ${limit}`.execute(db)
  return rows
}

export async function setConnectedChecked(db: Db, id: number, at: Date): Promise<void> {
  await db.updateTable('sparks').set({ connected_checked_at: at }).where('id', '=', id).execute()
}
