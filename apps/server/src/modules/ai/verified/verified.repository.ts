import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

interface VerifiedToCheck {
  readonly id: number
  readonly project_id: number
  readonly sql: string
  readonly checked_shape: string | null
}

export async function findVerifiedToCheck(
  db: Db,
  { workspaceId, integrationCode }: { workspaceId: number; integrationCode: string },
): Promise<VerifiedToCheck[]> {
  const { rows } = await sql<VerifiedToCheck>`
    select c.id::int as id, c.project_id::int as project_id, c.sql, c.checked_shape
      from ai_contexts c
     where c.workspace_id = ${workspaceId} and c.kind = 'verified_question' and c.sql is not null
       and c.project_id is not null and c.integration_code = ${integrationCode}
     order by c.project_id, c.id`.execute(db)
  return rows
}

/** A query that was changed meanwhile keeps what its own check found. */
export async function setVerifiedCheck(
  db: Db,
  { id, sql: checked }: VerifiedToCheck,
  outcome: { problem: string | null; checked_shape: string },
): Promise<void> {
  await db.updateTable('ai_contexts').set(outcome).where('id', '=', id).where('sql', '=', checked).execute()
}
