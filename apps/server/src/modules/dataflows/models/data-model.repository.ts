import type { Settings } from '@trellis/contract/dataflows/start-settings'
import type { AnyDb } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: AnyDb }

interface LiveBlock {
  readonly id: number
  readonly version: number
  readonly draft: Settings
  readonly live: Settings
}

/** Only the block. Fixed lock order, dataflow before block, avoids a deadlock with publishing. */
export async function lockLiveBlock({ db }: WithDb, code: string): Promise<LiveBlock | undefined> {
  const { rows } = await sql<LiveBlock>`
    select b.id, b.version, b.settings as draft, v.settings as live
      from task_blocks b join task_block_versions v on v.block_id = b.id and v.version = b.live_version
     where b.trellis_code = ${code} and b.deleted_at is null for no key update of b`.execute(db)
  return rows[0]
}

export async function insertFollowedVersion(
  { db }: WithDb,
  id: number,
  newVersion: { version: number; live: string; draft: string; draftVersion: number; message: string },
): Promise<void> {
  await sql`
    with made as (
      insert into task_block_versions (block_id, account_id, version, settings, message)
      select id, account_id, ${newVersion.version}, ${newVersion.live}::json, ${newVersion.message} from task_blocks where id = ${id}
      returning block_id)
    update task_blocks set settings = ${newVersion.draft}::json, version = ${newVersion.draftVersion},
           live_version = ${newVersion.version}, updated_at = clock_timestamp()
      from made where id = made.block_id`.execute(db)
}
