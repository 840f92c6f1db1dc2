import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { qualifyPlatformTable } from '../own-tables.ts'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'

/** Longer than any attempt; these rows can be read again. */
const MAX_OPEN_DAYS = 2
/** These rows exist nowhere else: as long as a deleted block can be restored. */
const MAX_ONLY_COPY_DAYS = 35
const BATCH_SIZE = 500
/** Drops staging tables of abandoned loads; returns their names. Skips active loads. */
export async function dropAbandonedLoads(session: Session): Promise<string[]> {
  const { rows } = await session.query({
    text: `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relkind = 'r' and c.relname ~ '^(load|beside)_[0-9a-f]{32}(_[0-9]{1,3})?$'
            order by c.relname limit ${BATCH_SIZE}`,
    values: [LOADS_SCHEMA],
  })
  const droppedNames: string[] = []
  for (const [name] of rows) {
    const isDropped = await inTransaction(session, () => dropIfAbandoned(session, name ?? '')).catch(ignoreLocked)
    if (isDropped) droppedNames.push(name ?? '')
  }
  return droppedNames
}

/** False if its load is still open, or its rows may exist nowhere else (`ONLY_COPY`) and are not old enough. */
async function dropIfAbandoned(session: Session, name: string): Promise<boolean> {
  const { rows } = await session.query({
    text: `select not w.is_done and w.changed_at > now() - make_interval(days => case
                    when $2 and exists (select from ${LOADS_SCHEMA}.receipts r where r.load_id = w.load_id and r.mode <> 'replace')
                    then ${MAX_ONLY_COPY_DAYS} else ${MAX_OPEN_DAYS} end)
             from ${LOADS_SCHEMA}.writers w where w.load_id = $1 for update of w nowait`,
    values: [parseLoadId(name), String(name.startsWith('beside_'))],
  })
  if (rows.some(([isOpen]) => isOpen === 't')) return false
  await session.query({ text: `drop table if exists ${qualifyPlatformTable(name)}` })
  return true
}

function parseLoadId(name: string): string {
  const hex = name.split('_')[1] ?? ''
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function ignoreLocked(error: unknown): false {
  if (error instanceof WorkspaceDbError && error.sqlState === SQL_STATE.LOCK_NOT_AVAILABLE) return false
  throw error
}
