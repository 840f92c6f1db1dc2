import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'

/** Between looks: a replica on the same network is a few milliseconds behind. */
const REPLAY_WAITS_MS = [0, 5, 20]
/** Until it is asked again. */
const AVOID_MS = { behind: 1_000, unusable: 10_000 }

type Freshness = 'current' | keyof typeof AVOID_MS

/** A server that follows the primary of a cluster. */
export interface Replica<Server> {
  /** Its server if it has everything that is committed by now; null: read from the primary. */
  find(): Promise<Server | null>
  /** After a lost connection or a conflict with what is replayed. */
  avoid(): void
  close(): Promise<void>
}

interface ReplicaOptions<Server> {
  readonly server: Server
  readonly primary: Pool
  readonly close: () => Promise<void>
}

interface Position {
  readonly lsn: string
  readonly timeline: number
}

interface ReplicaState {
  readonly hasReplayed: boolean
  /** Another timeline: it follows a primary that is none any more. */
  readonly isFollowing: boolean
}

export function createReplica<Server extends { readonly admin: Pool }>({
  server,
  primary,
  close,
}: ReplicaOptions<Server>): Replica<Server> {
  let avoidedUntil = 0
  let currentCheck: Promise<Freshness> | undefined
  let nextCheck: Promise<Freshness> | undefined

  async function checkAndAvoid(): Promise<Freshness> {
    const state = await checkFreshness(primary, server.admin)
    if (state !== 'current') avoidedUntil = performance.now() + AVOID_MS[state]
    return state
  }

  /** Those who come while it is asked share the next answer: the one under way may be older than their commits. */
  async function checkShared(): Promise<Freshness> {
    if (!currentCheck) {
      currentCheck = checkAndAvoid().finally(() => (currentCheck = undefined))
      return await currentCheck
    }
    nextCheck ??= currentCheck.then(() => {
      nextCheck = undefined
      return checkShared()
    })
    return await nextCheck
  }

  return {
    find: async () => (performance.now() >= avoidedUntil && (await checkShared()) === 'current' ? server : null),
    avoid: () => void (avoidedUntil = performance.now() + AVOID_MS.unusable),
    close,
  }
}

async function checkFreshness(primary: Pool, replica: Pool): Promise<Freshness> {
  try {
    const position = await readPosition(primary)
    for (const waitMs of REPLAY_WAITS_MS) {
      if (waitMs > 0) await sleep(waitMs)
      const { hasReplayed, isFollowing } = await readReplicaState(replica, position)
      if (!isFollowing) return 'unusable'
      if (hasReplayed) return 'current'
    }
    return 'behind'
  } catch {
    // A primary that is away fails the session itself, with its own error.
    return 'unusable'
  }
}

/** The insert position, since what is committed without waiting is not flushed yet. */
async function readPosition(primary: Pool): Promise<Position> {
  const { rows } = await primary.query<Position>(
    `select lsn::text, ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline from pg_current_wal_insert_lsn() lsn`,
  )
  return rows[0] as Position
}

async function readReplicaState(replica: Pool, { lsn, timeline }: Position): Promise<ReplicaState> {
  const { rows } = await replica.query<ReplicaState>(
    `select pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasReplayed",
            pg_is_in_recovery() and coalesce((select received_tli = $2 from pg_stat_wal_receiver), false) as "isFollowing"`,
    [lsn, timeline],
  )
  return rows[0] as ReplicaState
}
