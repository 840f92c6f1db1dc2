import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@trellis/control-db/connect'
import type { Postgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { prepareEndedSessions } from '@trellis/workspace-db/watch/ended-sessions'
import {
  type AdminClient,
  type WatchedSession,
  listWatchedSessions,
} from '@trellis/workspace-db/watch/watched-sessions'
import { readDiskUse } from '../../platform/object-store/disk-use.ts'
import { createDiskGuard } from './guard-disk.ts'
import { createLockGuard } from './guard-locks.ts'
import { createMemoryGuard } from './guard-memory.ts'
import { createProcessorGuard } from './guard-processor.ts'
import { createProcessList } from './list-processes.ts'
import { measureSessions } from './measure-sessions.ts'

export interface WatchOptions {
  readonly server: () => Pick<Postgres, 'pid' | 'url' | 'folder'>
  readonly limits: WatchLimits
  readonly warn: (line: string) => void
  readonly findOverQuota?: (client: AdminClient, sessions: readonly WatchedSession[]) => Promise<ReadonlySet<string>>
  readonly readDisk?: (folder: string) => Promise<number>
}

interface WatchLimits {
  readonly memoryBytes: number
  readonly disk: number
}

export interface ClusterWatch {
  stop(): Promise<void>
}

const EVERY_MS = 200
const PROCESSOR_EVERY_MS = 100
/** A statement can write hundreds of megabytes a second. */
const NEARLY_FULL_EVERY_MS = 75
const NEARLY_FULL = 0.15
const AGAIN_MS = 1_000
const NONE: ReadonlySet<string> = new Set()

/**
 * Limits memory, disk and CPU per workspace of the built-in server, from outside, so that no session setting can evade
 * it. Survives server restarts.
 */
export function watchCluster({
  server,
  limits,
  warn,
  findOverQuota,
  readDisk = readDiskUse,
}: WatchOptions): ClusterWatch {
  const stopping = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  const connect = <T>(work: (client: AdminClient) => Promise<T>) =>
    withClient(
      { connectionString: server().url, application_name: 'trellis-watch', connectionTimeoutMillis: 5_000 },
      work,
    )
  const guardMemory = createMemoryGuard({ budgetBytes: limits.memoryBytes, warn })
  const guardProcessor = createProcessorGuard()
  const listProcesses = createProcessList()
  const guardLocks = createLockGuard({ warn })
  const guardDisk = createDiskGuard({
    limit: limits.disk,
    warn,
    checkpoint: () => connect(async (client) => void (await client.query('checkpoint'))).catch(() => undefined),
  })

  async function runGuards(client: AdminClient): Promise<number> {
    const use = await readDisk(server().folder)
    const sessions = await listWatchedSessions(client)
    const measuredSessions = measureSessions(sessions)
    await guardMemory(client, measuredSessions)
    await guardLocks(client)
    const overQuota = (await findOverQuota?.(client, sessions)) ?? NONE
    await guardDisk(client, { use, sessions, overQuota })
    return use >= limits.disk - NEARLY_FULL ? NEARLY_FULL_EVERY_MS : EVERY_MS
  }

  let lastProblem: string | undefined
  async function runGuardsRepeatedly(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await connect(async (client) => {
          await prepareEndedSessions(client)
          while (!stopping.signal.aborted) await pause(await runGuards(client))
        })
      } catch (error) {
        // While the server is down, its supervisor reports that.
        const problem = error instanceof pg.DatabaseError ? error.message : undefined
        if (problem !== undefined && problem !== lastProblem)
          warn(`The watch over the database had a problem: ${problem}.`)
        lastProblem = problem ?? lastProblem
        await pause(AGAIN_MS)
      }
    }
  }

  /** Separate from the others, whose statements take seconds under load. */
  async function guardProcessorUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      guardProcessor(listProcesses(server()))
      await pause(PROCESSOR_EVERY_MS)
    }
  }

  const loops = Promise.all([runGuardsRepeatedly(), guardProcessorUntilStopped()])
  return {
    stop: async () => {
      stopping.abort()
      await loops
    },
  }
}
