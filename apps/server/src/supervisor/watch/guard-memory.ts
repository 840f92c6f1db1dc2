import {
  type ProcessLoad,
  lowerPriority,
  readMachineMemory,
  readProcessLoad,
} from '@trellis/embedded/postgres/process-load'
import { type EndedFor, endSessionsFor } from '@trellis/workspace-db/watch/ended-sessions'
import type { AdminClient, WatchedSession } from '@trellis/workspace-db/watch/watched-sessions'

export interface MeasuredSession {
  readonly pid: number
  readonly database: string
  readonly memoryBytes: number
}

/** Ending a session this small would help nobody. */
const MIN_HOG_BYTES = 64 * 1024 * 1024
/** Of the machine, whoever uses it up. */
const MIN_AVAILABLE = 0.08
/** A session that is told to end gives its memory back a moment later; counted until then, it would cost another one. */
const ENDING_MS = 3_000

const EXTERNAL_NICE = 15
const BUSY_NICE = 5
/** What the platform runs for a page ends long before; loads and long statements go on behind it. */
const BUSY_CPU_SECONDS = 2

/** The heaviest session of the workspace whose sessions are heaviest together. */
export function findMemoryHog(sessions: readonly MeasuredSession[]): MeasuredSession | undefined {
  const byWorkspace = new Map<string, number>()
  for (const { database, memoryBytes } of sessions) {
    byWorkspace.set(database, (byWorkspace.get(database) ?? 0) + memoryBytes)
  }
  const [heaviest] = [...byWorkspace].toSorted(([, a], [, b]) => b - a)
  const own = sessions.filter(({ database }) => database === heaviest?.[0])
  const [hog] = own.toSorted((a, b) => b.memoryBytes - a.memoryBytes)
  return hog && hog.memoryBytes >= MIN_HOG_BYTES ? hog : undefined
}

interface MemoryGuard {
  readonly budgetBytes: number
  readonly warn: (line: string) => void
}

const REASON: EndedFor = 'memory'

/** Looks at the processes of all sessions: ends what takes the machine's memory, and lets short work go before long work. */
export function createMemoryGuard({ budgetBytes, warn }: MemoryGuard) {
  const ending = new Map<number, number>()
  const lowered = new Map<number, number>()

  function measure({ pid, workers, database, isExternal }: WatchedSession): MeasuredSession {
    const processes = [pid, ...workers]
    const loads = processes.map((one) => [one, readProcessLoad(one)] as const)
    for (const [one, load] of loads) if (load) lower(one, isExternal ? EXTERNAL_NICE : niceFor(load))
    const memoryBytes = loads.reduce((sum, [, load]) => sum + (load?.memoryBytes ?? 0), 0)
    return { pid, database, memoryBytes }
  }

  function lower(pid: number, nice: number): void {
    if (nice > (lowered.get(pid) ?? 0) && lowerPriority(pid, nice)) lowered.set(pid, nice)
  }

  return async (client: AdminClient, sessions: readonly WatchedSession[]): Promise<void> => {
    const now = Date.now()
    const alive = new Set(sessions.flatMap(({ pid, workers }) => [pid, ...workers]))
    for (const pid of lowered.keys()) if (!alive.has(pid)) lowered.delete(pid)
    for (const [pid, at] of ending) if (now - at > ENDING_MS) ending.delete(pid)
    const measured = sessions.map(measure).filter(({ pid }) => !ending.has(pid))
    const total = measured.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
    const machine = readMachineMemory()
    const isMachineShort = machine !== undefined && machine.availableBytes < machine.totalBytes * MIN_AVAILABLE
    if (total <= budgetBytes && !(isMachineShort && ending.size === 0)) return
    const hog = findMemoryHog(measured)
    if (!hog) return
    ending.set(hog.pid, now)
    warn(`A session in ${hog.database} used ${Math.round(hog.memoryBytes / 1024 ** 2)} MB of memory and was ended.`)
    await endSessionsFor(client, [hog.pid], REASON)
  }
}

const niceFor = ({ cpuSeconds }: ProcessLoad): number => (cpuSeconds > BUSY_CPU_SECONDS ? BUSY_NICE : 0)
