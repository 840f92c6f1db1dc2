import { endSessionsWithReason } from '@trellis/workspace-db/watch/ended-sessions'
import {
  type WriteStopReason,
  allowWrites,
  refuseWriterConnections,
  listStoppedDatabases,
  allowWriterConnections,
  stopWrites,
} from '@trellis/workspace-db/watch/stop-writes'
import { type AdminClient, type WatchedSession, measureDatabases } from '@trellis/workspace-db/watch/watched-sessions'

/** Measuring starts before the limit, so that it is known who grows. */
const CLOSER = 0.1
/** Hysteresis, so that writes are not toggled with every row. */
const RELEASE = 0.03
/** Beyond this there is no time to find out who grows. */
const EMERGENCY = 0.05
/** Enough to drop tables; sessions that write longer are terminated. */
const FREEING_MS = 1_000
const EVADED_BYTES = 64 * 1024 * 1024
const CLOSED_MS = 60_000
const DATABASE_MISSING = '3D000'

interface StoppedDatabase {
  readonly reason: WriteStopReason
  bytes: number | undefined
  closedAt: number | undefined
}

interface DiskGuard {
  /** Share of the disk at which writes stop. */
  readonly limit: number
  readonly warn: (line: string) => void
  /** Frees WAL; on its own connection, as it may take seconds. */
  readonly checkpoint: () => Promise<void>
}

export interface DiskLook {
  readonly use: number
  readonly sessions: readonly WatchedSession[]
  readonly overQuota: ReadonlySet<string>
}

/** Workspaces may be removed at any time. */
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === DATABASE_MISSING)) throw error
}

/** Stops writes of the growing workspace: a full disk would take every database down. */
export function createDiskGuard({ limit, warn, checkpoint }: DiskGuard) {
  let stopped: Map<string, StoppedDatabase> | undefined
  let sizes: ReadonlyMap<string, number> = new Map()
  let freeing: Promise<void> | undefined

  async function stop(
    client: AdminClient,
    database: string,
    { look, reason }: { look: DiskLook; reason: WriteStopReason },
  ) {
    warn(
      reason === 'disk'
        ? `The disk is ${Math.round(look.use * 100)} % full: writing was stopped in ${database}, which grew most. Make room on the disk.`
        : `Writing was stopped in ${database}: its account has used up its storage.`,
    )
    stopped?.set(database, { reason, bytes: sizes.get(database), closedAt: undefined })
    await stopWrites(client, database, reason)
    const ownSessions = look.sessions.filter((session) => session.database === database)
    const ending = ownSessions.filter(({ isReadOnly, isActive }) => !isReadOnly || (reason === 'disk' && isActive))
    await endSessionsWithReason(
      client,
      ending.map(({ pid }) => pid),
      reason,
    )
    if (reason === 'disk') freeing ??= checkpoint().finally(() => (freeing = undefined))
  }

  /** Sessions may re-enable writes to delete data, but not to fill the disk. */
  async function hold(client: AdminClient, look: DiskLook, now: number): Promise<void> {
    for (const [database, entry] of stopped ?? []) {
      const ownSessions = look.sessions.filter((session) => session.database === database)
      const isBack = entry.closedAt !== undefined && now - entry.closedAt > CLOSED_MS
      if (isBack) {
        entry.closedAt = undefined
        entry.bytes = sizes.get(database)
        await allowWriterConnections(client, database)
      }
      const bytes = sizes.get(database)
      if (bytes !== undefined) entry.bytes = Math.min(entry.bytes ?? bytes, bytes)
      const hasEvaded = bytes !== undefined && bytes - (entry.bytes ?? bytes) > EVADED_BYTES
      if (hasEvaded && entry.closedAt === undefined) {
        warn(`${database} grows although writing was stopped there: for a minute nobody who writes gets in.`)
        entry.closedAt = now
        await refuseWriterConnections(client, database)
      }
      const ending = ownSessions.filter(({ isReadOnly, writingMs }) =>
        entry.closedAt === undefined ? (writingMs ?? 0) > FREEING_MS : !isReadOnly,
      )
      await endSessionsWithReason(
        client,
        ending.map(({ pid }) => pid),
        entry.reason,
      )
    }
  }

  async function release(client: AdminClient, look: DiskLook): Promise<void> {
    for (const [database, { reason }] of stopped ?? []) {
      const isOver = reason === 'disk' ? look.use < limit - RELEASE : !look.overQuota.has(database)
      if (!isOver) continue
      stopped?.delete(database)
      await allowWrites(client, database).catch(ignoreRemoved)
      warn(`Writing is allowed again in ${database}.`)
    }
  }

  /** Fastest growth first; in an emergency, all active ones. */
  function findGrowing(look: DiskLook, before: ReadonlyMap<string, number>): string[] {
    const busy = new Set(
      look.sessions.filter(({ isActive, writingMs }) => isActive || writingMs !== null).map(({ database }) => database),
    )
    const candidates = [...busy].filter((database) => !stopped?.has(database))
    if (look.use >= limit + EMERGENCY) return candidates
    const growth = (database: string) => (sizes.get(database) ?? 0) - (before.get(database) ?? Number.POSITIVE_INFINITY)
    const [first] = candidates.filter((database) => growth(database) > 0).toSorted((a, b) => growth(b) - growth(a))
    return first === undefined ? [] : [first]
  }

  return async (client: AdminClient, look: DiskLook): Promise<void> => {
    stopped ??= new Map(
      [...(await listStoppedDatabases(client))].map(([database, reason]) => [
        database,
        { reason, bytes: undefined, closedAt: undefined },
      ]),
    )
    await release(client, look)
    for (const database of look.overQuota) {
      const isWriting = look.sessions.some((session) => session.database === database && session.writingMs !== null)
      if (isWriting && !stopped.has(database)) await stop(client, database, { look, reason: 'quota' })
    }
    const before = sizes
    const isClose = look.use >= limit - CLOSER
    const looked = isClose ? look.sessions.map(({ database }) => database) : []
    sizes = await measureDatabases(client, [...new Set([...looked, ...stopped.keys()])])
    if (look.use >= limit) {
      for (const database of findGrowing(look, before)) await stop(client, database, { look, reason: 'disk' })
    }
    await hold(client, look, Date.now())
  }
}
