import { withClient } from '@trellis/control-db/connect'

interface System {
  /** The same for a server and all that follow it. */
  readonly system: string
  readonly isReplica: boolean
  /** Null if it is not connected to its primary, or the login may not see that. */
  readonly timeline: number | null
}

export async function readSystem(connectionString: string, { isReplica = false } = {}): Promise<System> {
  const config = {
    ...{ connectionString, isReplica },
    ...{ application_name: 'trellis-admin', connectionTimeoutMillis: 10_000 },
  }
  const { rows } = await withClient(config, (client) =>
    client.query<System>(
      `select system_identifier::text as system, pg_is_in_recovery() as "isReplica",
              (select received_tli from pg_stat_wal_receiver) as timeline from pg_control_system()`,
    ),
  )
  return rows[0] as System
}

/** The rest of a sentence that begins with "The replica". */
export async function findReplicaProblem(given: { url: string; replicaUrl: string }): Promise<string | undefined> {
  const primary = await readSystem(given.url)
  try {
    const replica = await readSystem(given.replicaUrl, { isReplica: true })
    if (replica.system !== primary.system) return 'is of another server'
    if (replica.timeline === null) {
      return 'is not connected to its primary, or its login may not see that: grant it pg_read_all_stats'
    }
    return undefined
  } catch (error) {
    return `can not be used: ${(error as Error).message.replace(/\.$/, '')}`
  }
}
