import { namesOfDatabase } from '../names.ts'
import type { AdminClient } from './watched-sessions.ts'

/** The disk is nearly full, or the workspace's account has used up what its plan gives. */
export type StopReason = 'disk' | 'quota'

/** Kept with the database, so that every process and a new start of the watch know. */
const SETTING = 'trellis.writes_stopped'

/**
 * New transactions can only read unless they say otherwise. A session that does can still drop a table to make room;
 * one that goes on writing is ended by the watch.
 */
export async function stopWrites(client: AdminClient, database: string, reason: StopReason): Promise<void> {
  const name = namesOfDatabase(database).database
  await client.query(`alter database ${name} set default_transaction_read_only = on`)
  await client.query(`alter database ${name} set ${SETTING} = '${reason}'`)
}

export async function allowWrites(client: AdminClient, database: string): Promise<void> {
  const name = namesOfDatabase(database).database
  await client.query(`alter database ${name} reset default_transaction_read_only`)
  await client.query(`alter database ${name} reset ${SETTING}`)
  await openToWriters(client, database)
}

/** For a database that grows although its writes were stopped: only readers of the platform get in. */
export async function closeToWriters(client: AdminClient, database: string): Promise<void> {
  const { database: name, readWrite, guest } = namesOfDatabase(database)
  await client.query(`revoke connect on database ${name} from ${readWrite}, ${guest}`)
}

export async function openToWriters(client: AdminClient, database: string): Promise<void> {
  const { database: name, readWrite, guest } = namesOfDatabase(database)
  await client.query(`grant connect on database ${name} to ${readWrite}, ${guest}`)
}

export async function listStopped(client: AdminClient): Promise<ReadonlyMap<string, StopReason>> {
  const { rows } = await client.query<{ database: string; reason: StopReason }>(
    `select d.datname as database, split_part(setting, '=', 2) as reason
       from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, unnest(s.setconfig) as setting
      where s.setrole = 0 and starts_with(setting, '${SETTING}=')`,
  )
  return new Map(rows.map(({ database, reason }) => [database, reason]))
}

/**
 * For the platform's own writing session, whose options come before the database's: makes it read only where writes are
 * stopped, and says why. Reads what the administrator stored: a login can store another value for itself.
 */
export async function obeyStop(client: AdminClient): Promise<StopReason | undefined> {
  const { rows } = await client.query<{ reason: StopReason }>(
    `select pg_catalog.split_part(setting, '=', 2) as reason,
            pg_catalog.set_config('default_transaction_read_only', 'on', false)
       from pg_catalog.pg_db_role_setting s join pg_catalog.pg_database d on d.oid = s.setdatabase,
            pg_catalog.unnest(s.setconfig) as setting
      where s.setrole = 0 and d.datname = pg_catalog.current_database()
        and pg_catalog.starts_with(setting, '${SETTING}=')`,
  )
  return rows[0]?.reason
}
