import { availableParallelism } from 'node:os'
import { lowerPriority } from '@trellis/embedded/postgres/process-load'
import { listProcessors, setProcessors } from '@trellis/embedded/postgres/processor-set'
import type { WorkspaceProcess } from './list-processes.ts'

/** The platform's interactive queries end long before. */
const LONG_CPU_SECONDS = 2
const BEHIND_PAGES = 5
/** A tenth of the normal share: at the lowest priority, a busy program could starve a short query for minutes. */
const BEHIND_OTHERS = 10
/** Above this share of all CPUs, all sessions of a workspace are deprioritised. */
const HEAVY_SHARE = 0.25
/** Half-life of the average, so that reconnecting does not reset it. */
const HALF_LIFE_SECONDS = 2
/** Runnable but waiting processes count too, as usage alone cannot exceed the CPUs. */
const WAITING_SHARE = 0.5
/** Above this multiple of all CPUs, a workspace leaves one CPU to others. */
const CROWD = 1.5
/** Immediate threshold, as the average reacts only after a second. */
const CROWD_AT_ONCE = 3
const NO_CROWD = 1

/** Exponential average of the CPUs each workspace wants. */
export class ProcessorUse {
  readonly #seen = new Map<number, number>()
  readonly #wanted = new Map<string, number>()
  #runnable = new Map<string, number>()
  #lastAt: number | undefined

  update(processes: readonly WorkspaceProcess[], nowSeconds: number): void {
    const elapsed = Math.max(nowSeconds - (this.#lastAt ?? nowSeconds), 0.001)
    const kept = 0.5 ** (elapsed / HALF_LIFE_SECONDS)
    const spent = new Map<string, number>()
    const runnable = new Map<string, number>()
    const alive = new Set<number>()
    for (const { database, pid, cpuSeconds, isRunnable } of processes) {
      alive.add(pid)
      runnable.set(database, (runnable.get(database) ?? 0) + Number(isRunnable))
      const before = this.#seen.get(pid) ?? 0
      this.#seen.set(pid, cpuSeconds)
      const fresh = cpuSeconds >= before ? cpuSeconds - before : cpuSeconds
      spent.set(database, (spent.get(database) ?? 0) + (this.#lastAt === undefined ? 0 : fresh))
    }
    this.#runnable = runnable
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

  countRunnable(database: string): number {
    return this.#runnable.get(database) ?? 0
  }
}

/** Short before long work, light before heavy workspaces. Priority is never raised. */
export function createProcessorGuard(readSeconds = () => performance.now() / 1000) {
  const use = new ProcessorUse()
  const lowered = new Map<number, number>()
  const heavy = HEAVY_SHARE * availableParallelism()
  const confine = createConfinement(use)

  const lower = (pid: number, nice: number) => {
    if (nice > (lowered.get(pid) ?? 0) && lowerPriority(pid, nice)) lowered.set(pid, nice)
  }

  return (processes: readonly WorkspaceProcess[]): void => {
    use.update(processes, readSeconds())
    const alive = new Set(processes.map(({ pid }) => pid))
    for (const pid of lowered.keys()) if (!alive.has(pid)) lowered.delete(pid)
    for (const { database, isExternal, pid, cpuSeconds } of processes) {
      if (use.countProcessors(database) > heavy) lower(pid, BEHIND_OTHERS)
      else if (isExternal || cpuSeconds > LONG_CPU_SECONDS) lower(pid, BEHIND_PAGES)
    }
    confine(processes)
  }
}

/**
 * Priority alone is not enough: connecting takes a dozen steps, each of which waits for the kernel to preempt. So one
 * CPU is kept free.
 */
function createConfinement(use: ProcessorUse) {
  const all = listProcessors()
  const fewer = all.slice(0, -1)
  const crowds = new Set<string>()
  const confined = new Set<number>()
  let isPossible = fewer.length > 0
  let isBusy = false

  const isCrowd = (database: string) => {
    const limit = (crowds.has(database) ? NO_CROWD : CROWD) * all.length
    const is = use.countProcessors(database) > limit || use.countRunnable(database) > CROWD_AT_ONCE * all.length
    if (is) crowds.add(database)
    else crowds.delete(database)
    return is
  }

  async function move(added: readonly number[], freed: readonly number[]): Promise<void> {
    isBusy = true
    for (const pid of added) confined.add(pid)
    for (const pid of freed) confined.delete(pid)
    if (added.length > 0) isPossible = await setProcessors(added, fewer)
    if (freed.length > 0) await setProcessors(freed, all)
    isBusy = false
  }

  return (processes: readonly WorkspaceProcess[]): void => {
    if (!isPossible || isBusy) return
    const alive = new Set(processes.map(({ pid }) => pid))
    for (const pid of confined) if (!alive.has(pid)) confined.delete(pid)
    const crowded = new Set([...new Set(processes.map(({ database }) => database))].filter(isCrowd))
    const pick = (isIn: boolean) =>
      processes
        .filter(({ pid, database }) => crowded.has(database) === isIn && confined.has(pid) !== isIn)
        .map(({ pid }) => pid)
    void move(pick(true), pick(false))
  }
}
