import { readMachineMemory } from '@trellis/embedded/postgres/process-load'
import { type SessionEndReason, endSessionsWithReason } from '@trellis/workspace-db/watch/ended-sessions'
import type { AdminClient } from '@trellis/workspace-db/watch/watched-sessions'
import { type MeasuredSession, sum } from './measure-sessions.ts'

const MIN_HOG_BYTES = 64 * 1024 * 1024
/** Share of the machine's memory. */
const MIN_AVAILABLE = 0.08
/** A terminated session releases memory with a delay; counting it would kill another one. */
const ENDING_MS = 3_000

type SessionMemory = Pick<MeasuredSession, 'pid' | 'database' | 'memoryBytes'>

export function findMemoryHog(sessions: readonly SessionMemory[]): SessionMemory | undefined {
  const byWorkspace = new Map<string, number>()
  for (const { database, memoryBytes } of sessions) {
    byWorkspace.set(database, (byWorkspace.get(database) ?? 0) + memoryBytes)
  }
  const [heaviest] = [...byWorkspace].toSorted(([, a], [, b]) => b - a)
  const ownSessions = sessions.filter(({ database }) => database === heaviest?.[0])
  const [hog] = ownSessions.toSorted((a, b) => b.memoryBytes - a.memoryBytes)
  return hog && hog.memoryBytes >= MIN_HOG_BYTES ? hog : undefined
}

interface MemoryGuard {
  readonly budgetBytes: number
  readonly warn: (line: string) => void
}

const REASON: SessionEndReason = 'memory'

export function createMemoryGuard({ budgetBytes, warn }: MemoryGuard) {
  const ending = new Map<number, number>()

  return async (client: AdminClient, sessions: readonly MeasuredSession[]): Promise<void> => {
    const now = Date.now()
    for (const [pid, at] of ending) if (now - at > ENDING_MS) ending.delete(pid)
    const measuredSessions = sessions.filter(({ pid }) => !ending.has(pid))
    const total = sum(measuredSessions.map(({ memoryBytes }) => memoryBytes))
    const machine = readMachineMemory()
    const isMachineShort = machine !== undefined && machine.availableBytes < machine.totalBytes * MIN_AVAILABLE
    if (total <= budgetBytes && !(isMachineShort && ending.size === 0)) return
    const hog = findMemoryHog(measuredSessions)
    if (!hog) return
    ending.set(hog.pid, now)
    warn(`A session in ${hog.database} used ${Math.round(hog.memoryBytes / 1024 ** 2)} MB of memory and was ended.`)
    await endSessionsWithReason(client, [hog.pid], REASON)
  }
}
