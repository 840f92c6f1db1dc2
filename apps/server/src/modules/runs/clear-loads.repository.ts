import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

export interface WorkspaceToClear {
  readonly id: number
  readonly code: string
}

export async function findWorkspacesWithDataflows({ db }: { readonly db: Db }): Promise<WorkspaceToClear[]> {
  const { rows } = await sql<WorkspaceToClear>`
    select w.id, w.trellis_code as code from workspaces w where w.state = 'online' and w.deleted_at is null
       and exists (select from dataflows f where f.workspace_id = w.id) order by w.id`.execute(db)
  return rows
}
