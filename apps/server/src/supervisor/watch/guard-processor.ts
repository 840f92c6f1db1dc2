import { availableParallelism } from 'node:os'
import { lowerPriority } from '@trellis/embedded/postgres/process-load'
import type { MeasuredSession } from './measure-sessions.ts'

/** What the platform runs for a page ends long before. */
const LONG_CPU_SECONDS = 2
const BEHIND_PAGES = 5
const BEHIND_OTHERS = 19
/** A workspace that takes more of all processors than this goes behind the others, with each session it opens. */
const HEAVY_SHARE = 0.25
/** Use is forgotten by half in this time: reconnecting does not make a heavy workspace a light one. */
const HALF_LIFE_SECONDS = 2
/** Twenty sessions on two processors use no more than two of them: those that wait show how many are wanted, within one look. */
const WAITING_SHARE = 0.5

/** How many processors each workspace wants, as an average in which the last seconds count most. */
export class ProcessorUse {
  readonly #seen = new Map<number, number>()
  readonly #wanted = new Map<string, number>()
  #lastAt: number | undefined

  update(sessions: readonly MeasuredSession[], nowSeconds: number): void {
    const elapsed = Math.max(nowSeconds - (this.#lastAt ?? nowSeconds), 0.001)
    const kept = 0.5 ** (elapsed / HALF_LIFE_SECONDS)
    const spent = new Map<string, number>()
    const runnable = new Map<string, number>()
    const alive = new Set<number>()
    for (const { database, processes } of sessions) {
      for (const { pid, cpuSeconds, isRunnable } of processes) {
        alive.add(pid)
        runnable.set(database, (runnable.get(database) ?? 0) + Number(isRunnable))
        const before = this.#seen.get(pid) ?? 0
        this.#seen.set(pid, cpuSeconds)
        // A process that was not there before has spent all of it since then.
        const fresh = cpuSeconds >= before ? cpuSeconds - before : cpuSeconds
        spent.set(database, (spent.get(database) ?? 0) + (this.#lastAt === undefined ? 0 : fresh))
      }
    }
    for (const pid of this.#seen.keys()) if (!alive.has(pid)) this.#seen.delete(pid)
    for (const database of new Set([...this.#wanted.keys(), ...spent.keys()])) {
      const used = (spent.get(database) ?? 0) / elapsed
      const waiting = Math.max((runnable.get(database) ?? 0) - used, 0)
      const average = (this.#wanted.get(database) ?? 0) * kept + (used + waiting * WAITING_SHARE) * (1 - kept)
      if (average < 0.001) this.#wanted.delete(database)
      else this.#wanted.set(database, average)
    }
    this.#lastAt = nowSeconds
  }

  countProcessors(database: string): number {
    return this.#wanted.get(database) ?? 0
  }
}

/** Lets short work go before long work, and a workspace that uses little before one that uses much. Never raises. */
export function createProcessorGuard() {
  const use = new ProcessorUse()
  const lowered = new Map<number, number>()
  const heavy = HEAVY_SHARE * availableParallelism()

  const lower = (pid: number, nice: number) => {
    if (nice > (lowered.get(pid) ?? 0) && lowerPriority(pid, nice)) lowered.set(pid, nice)
  }

  return (sessions: readonly MeasuredSession[]): void => {
    use.update(sessions, performance.now() / 1000)
    const alive = new Set(sessions.flatMap(({ processes }) => processes.map(({ pid }) => pid)))
    for (const pid of lowered.keys()) if (!alive.has(pid)) lowered.delete(pid)
    for (const { database, isExternal, processes } of sessions) {
      const isHeavy = use.countProcessors(database) > heavy
      for (const { pid, cpuSeconds } of processes) {
        if (isHeavy) lower(pid, BEHIND_OTHERS)
        else if (isExternal || cpuSeconds > LONG_CPU_SECONDS) lower(pid, BEHIND_PAGES)
      }
    }
  }
}
