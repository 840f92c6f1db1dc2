import { setTimeout as sleep } from 'node:timers/promises'
import type { SlotState } from '@trellis/connector-kit/change-log'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { quoteName } from '../column-kinds.ts'
import type { Link, ReplicationLink } from '../link.ts'
import { toStatementError } from '../problems.ts'

interface TableName {
  readonly schema: string
  readonly table: string
}

const PUBLICATIONS_SINCE = 100_000
const PARTITION_ROOT_SINCE = 130_000

const slotError = (message: string, advice: string) => new ConnectorError('configuration', message, { advice })

export async function assertCanFollow(link: Link): Promise<void> {
  const [row] = await link.query(
    `select current_setting('server_version_num'), current_setting('wal_level'), current_user, pg_is_in_recovery(),
            (select rolsuper or rolreplication from pg_roles where rolname = current_user),
            exists (select from pg_roles r where r.rolname = 'rds_replication' and pg_has_role(r.oid, 'member'))`,
  )
  const [version, level, user, isStandby, canReplicate, canOnRds] = row ?? []
  if (Number(version) < PUBLICATIONS_SINCE)
    throw slotError(
      'The server is older than PostgreSQL 10 and can’t publish changes.',
      'Read the table by a cursor column.',
    )
  if (level !== 'logical')
    throw slotError(
      `The server does not write what logical replication needs: wal_level is ${level}.`,
      'Set wal_level = logical in postgresql.conf (rds.logical_replication = 1 on Amazon RDS) and restart the server.',
    )
  if (isStandby === 't')
    throw slotError('The server is a standby: its changes can’t be published there.', 'Connect to the primary server.')
  if (canReplicate !== 't' && canOnRds !== 't')
    throw slotError(
      `The user ${user} has no right to read the log.`,
      `Have it granted: ALTER ROLE ${quoteName(user ?? '')} WITH REPLICATION; (GRANT rds_replication TO … on Amazon RDS)`,
    )
}

export async function assertFreeSlot(link: Link): Promise<void> {
  const [row] = await link.query(
    `select current_setting('max_replication_slots'), (select count(*) from pg_replication_slots)`,
  )
  const [most, used] = row ?? []
  if (Number(used) >= Number(most))
    throw slotError(
      `All ${most} replication slots of the server are in use.`,
      'Raise max_replication_slots, or drop a slot that nobody reads (pg_drop_replication_slot).',
    )
}

/** Before the slot: a slot cannot decode changes from before its publication existed. */
export async function ensurePublication(link: Link, slot: string, { schema, table }: TableName): Promise<void> {
  const [found] = await link.query(
    `select (select count(*) = 1 and bool_and(schemaname = $2 and tablename = $3) from pg_publication_tables where pubname = $1)
       from pg_publication where pubname = $1`,
    [slot, schema, table],
  )
  if (found?.[0] === 't') return
  const [version] = await link.query(`select current_setting('server_version_num')`)
  const options = Number(version?.[0]) >= PARTITION_ROOT_SINCE ? ' with (publish_via_partition_root = true)' : ''
  const create = `create publication ${quoteName(slot)} for table ${quoteName(schema)}.${quoteName(table)}${options}`
  try {
    await link.query(`drop publication if exists ${quoteName(slot)}`)
    await link.query(create)
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause
    if (cause?.code !== '42501') throw error
    throw new ConnectorError('configuration', `The user has no right to publish the changes of ${schema}.${table}.`, {
      advice: `Have the owner of the table run: ${create};`,
      cause: error,
    })
  }
}

/** A slot has one reader. The caller holds the run's lease, so an earlier worker's connection is terminated. */
export async function endSlotReader(link: Link, slot: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const rows = await link.query(
      `select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1 and active_pid is not null`,
      [slot],
    )
    if (rows.length === 0) return
    await sleep(100)
  }
  throw new ConnectorError('transient', 'The replication slot is still in use by another connection.')
}

export async function dropSlot(link: Link, slot: string): Promise<void> {
  await endSlotReader(link, slot)
  await link.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and database = current_database()`,
    [slot],
  )
}

export async function dropPublication(link: Link, slot: string): Promise<void> {
  await link.query(`drop publication if exists ${quoteName(slot)}`)
}

/** The exported snapshot is valid only while this connection stays open and idle. */
export async function createSlot(
  { client }: ReplicationLink,
  slot: string,
): Promise<{ position: string; snapshot: string }> {
  try {
    const text = `CREATE_REPLICATION_SLOT ${quoteName(slot)} LOGICAL pgoutput EXPORT_SNAPSHOT`
    const { rows } = await client.query<{ consistent_point: string; snapshot_name: string }>(text)
    const [row] = rows
    if (!row) throw new Error('The server made no slot.')
    return { position: row.consistent_point, snapshot: row.snapshot_name }
  } catch (error) {
    throw toStatementError(error)
  }
}

export interface SlotPosition {
  readonly confirmed: string | null
  readonly isLost: boolean
  readonly end: string
}

export async function findSlot(link: Link, slot: string): Promise<SlotPosition | undefined> {
  const [row] = await link.query(
    `select confirmed_flush_lsn, to_jsonb(s)->>'wal_status' = 'lost' or to_jsonb(s)->>'invalidation_reason' is not null, pg_current_wal_flush_lsn()
       from pg_replication_slots s where slot_name = $1 and database = current_database() and plugin = 'pgoutput'`,
    [slot],
  )
  return row && { confirmed: row[0] ?? null, isLost: row[1] === 't', end: row[2] ?? '0/0' }
}

export async function listSlots(link: Link, prefix: string): Promise<SlotState[]> {
  const rows = await link.query(
    `select slot_name, case when to_jsonb(s)->>'wal_status' is distinct from 'lost'
              then pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end, active
       from pg_replication_slots s where starts_with(slot_name, $1) and database = current_database() order by 1`,
    [prefix],
  )
  return rows.map(([name, kept, isActive]) => ({
    name: name ?? '',
    keptBytes: kept === null || kept === undefined ? null : Math.max(0, Number(kept)),
    isActive: isActive === 't',
  }))
}
