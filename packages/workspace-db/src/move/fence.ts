import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkspaceNames } from '../names.ts'
import type { AdminClient } from '../watch/watched-sessions.ts'
import { refuseWriterConnections, allowWriterConnections } from '../watch/stop-writes.ts'

/** Stored as a database setting, so that every process can say why it is closed. */
const MOVING_SETTING = 'trellis.moving'
const END_TIMEOUT_MS = 30_000
const END_POLL_MS = 50

/** Reads continue. Stored in the database, so that it stays closed if this process ends. */
export async function closeForMove(admin: AdminClient, { database }: WorkspaceNames): Promise<void> {
  await admin.query(`alter database ${database} set ${MOVING_SETTING} = 'on'`)
  await refuseWriterConnections(admin, database)
}

export async function openAfterMove(admin: AdminClient, { database }: WorkspaceNames): Promise<void> {
  await allowWriterConnections(admin, database)
  await admin.query(`alter database ${database} reset ${MOVING_SETTING}`)
}

/** Ends all sessions but those that can only read. */
export async function endWriters(admin: AdminClient, { database, readOnly }: WorkspaceNames): Promise<void> {
  for (const giveUpAt = Date.now() + END_TIMEOUT_MS; ;) {
    const { rowCount } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = $1 and backend_type = 'client backend' and usename <> $2
          and usename !~ '^w_[0-9a-f]{16}_a_[0-9a-f]{16}$'`,
      [database, readOnly],
    )
    if (rowCount === 0) return
    if (Date.now() > giveUpAt) throw new Error('Sessions that write did not end.')
    await sleep(END_POLL_MS)
  }
}

export async function isMoving(admin: AdminClient, database: string): Promise<boolean> {
  const { rowCount } = await admin.query(
    `select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where s.setrole = 0 and d.datname = $1 and '${MOVING_SETTING}=on' = any(s.setconfig)`,
    [database],
  )
  return rowCount === 1
}

/** Closed, and by nobody opened meanwhile. */
export async function assertClosed(admin: AdminClient, { database, readWrite, guest }: WorkspaceNames): Promise<void> {
  const { rows } = await admin.query<{ open: boolean }>(
    `select has_database_privilege($2, $1, 'connect') or has_database_privilege($3, $1, 'connect') as open`,
    [database, readWrite, guest],
  )
  if (rows[0]?.open !== false || !(await isMoving(admin, database))) {
    throw new Error('The database was opened to writers while it was copied.')
  }
}
