import { parseDatabaseNames } from '../names.ts'
import type { AdminClient } from './watched-sessions.ts'

export type WriteStopReason = 'disk' | 'quota'

/** Stored as a database setting, for all processes and restarts. */
const WRITES_STOPPED_SETTING = 'trellis.writes_stopped'

/** default_transaction_read_only: sessions may override it to drop tables; those that keep writing are terminated. */
export async function stopWrites(client: AdminClient, database: string, reason: WriteStopReason): Promise<void> {
  const name = parseDatabaseNames(database).database
  await client.query(`alter database ${name} set default_transaction_read_only = on`)
  await client.query(`alter database ${name} set ${WRITES_STOPPED_SETTING} = '${reason}'`)
}

export async function allowWrites(client: AdminClient, database: string): Promise<void> {
  const name = parseDatabaseNames(database).database
  await client.query(`alter database ${name} reset default_transaction_read_only`)
  await client.query(`alter database ${name} reset ${WRITES_STOPPED_SETTING}`)
  await allowWriterConnections(client, database)
}

export async function refuseWriterConnections(client: AdminClient, database: string): Promise<void> {
  const { database: name, readWrite, guest } = parseDatabaseNames(database)
  await client.query(`revoke connect on database ${name} from ${readWrite}, ${guest}`)
}

export async function allowWriterConnections(client: AdminClient, database: string): Promise<void> {
  const { database: name, readWrite, guest } = parseDatabaseNames(database)
  await client.query(`grant connect on database ${name} to ${readWrite}, ${guest}`)
}

export async function listStoppedDatabases(client: AdminClient): Promise<ReadonlyMap<string, WriteStopReason>> {
  const { rows } = await client.query<{ database: string; reason: WriteStopReason }>(
    `select d.datname as database, split_part(setting, '=', 2) as reason
       from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, unnest(s.setconfig) as setting
      where s.setrole = 0 and starts_with(setting, '${WRITES_STOPPED_SETTING}=')`,
  )
  return new Map(rows.map(({ database, reason }) => [database, reason]))
}

export interface WriteAccess {
  /** Existing connections of a closed login must not be used. */
  readonly canConnect: boolean
  readonly stopped: WriteStopReason | undefined
}

/** Reads the database's setting, which a login could override for itself. */
export async function readWriteAccess(client: AdminClient): Promise<WriteAccess> {
  const { rows } = await client.query<{ allowed: boolean; reason: WriteStopReason | null }>(
    `select pg_catalog.has_database_privilege(session_user, pg_catalog.current_database(), 'connect') as allowed,
            (select pg_catalog.split_part(setting, '=', 2)
               from pg_catalog.pg_db_role_setting s join pg_catalog.pg_database d on d.oid = s.setdatabase,
                    pg_catalog.unnest(s.setconfig) as setting
              where s.setrole = 0 and d.datname = pg_catalog.current_database()
                and pg_catalog.starts_with(setting, '${WRITES_STOPPED_SETTING}=') limit 1) as reason`,
  )
  return { canConnect: rows[0]?.allowed === true, stopped: rows[0]?.reason ?? undefined }
}

/** The platform's startup options override the database's setting, so it is applied explicitly. */
export async function enforceWriteStop(
  client: AdminClient,
  knownWriteAccess?: WriteAccess,
): Promise<WriteStopReason | undefined> {
  const { stopped } = knownWriteAccess ?? (await readWriteAccess(client))
  if (stopped) await client.query("select pg_catalog.set_config('default_transaction_read_only', 'on', false)")
  return stopped
}
