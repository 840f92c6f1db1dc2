import { type ChildProcess, fork } from 'node:child_process'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import type { WorkerProgram } from './bundle.ts'
import type { Outages } from './outages.ts'
import type { World } from './world.ts'

/** Killed processes are replaced at once. */
export interface Workers {
  ready(): number[]
  kill(pid: number | undefined): boolean
  /** SIGSTOP, then SIGCONT. */
  freeze(pid: number, ms: number): Promise<boolean>
  readonly deaths: ReadonlyMap<number, number>
  readonly frozen: ReadonlySet<number>
  /** Unexpected exits. */
  readonly exits: readonly string[]
  stop(): Promise<void>
}

interface WorkersOptions {
  readonly world: Pick<World, 'env'>
  readonly program: WorkerProgram
  readonly count: number
  readonly outages: Outages
}

export function keepWorkers({ world, program, count, outages }: WorkersOptions): Workers {
  const children = new Map<number, ChildProcess>()
  const ready = new Set<number>()
  const deaths = new Map<number, number>()
  const frozen = new Set<number>()
  const asleep = new Set<number>()
  const exits: string[] = []
  const over = new AbortController()
  const look = () =>
    outages.set(
      'workers',
      [...ready].every((pid) => asleep.has(pid)),
    )
  const env = {
    ...process.env,
    ...world.env,
    NODE_COMPILE_CACHE: program.cache,
    TRELLIS_LOAD_ROWS: '300',
    // A kill should hit one or two runs, as each waits for its lease.
    TRELLIS_RUNS: '2',
    TRELLIS_RUNS_PER_WORKSPACE: '40',
    TRELLIS_RUNS_PER_CONNECTION: '40',
  }
  const keep = async () => {
    while (!over.signal.aborted) {
      const child = fork(program.file, { env, execArgv: [...MEMORY_FLAGS.worker], stdio: 'ignore' })
      const pid = child.pid ?? 0
      children.set(pid, child)
      child.once('message', () => {
        ready.add(pid)
        look()
      })
      await new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
      if (ready.has(pid) && !over.signal.aborted) exits.push(child.signalCode ?? String(child.exitCode))
      children.delete(pid)
      ready.delete(pid)
      look()
    }
  }
  look()
  const kept = Array.from({ length: count }, keep)
  const kill = (pid: number | undefined) => {
    if (pid === undefined || !ready.has(pid) || asleep.has(pid)) return false
    if (!children.get(pid)?.kill('SIGKILL')) return false
    ready.delete(pid)
    deaths.set(pid, Date.now())
    look()
    return true
  }
  return {
    ready: () => [...ready].filter((pid) => !asleep.has(pid)),
    kill,
    freeze: async (pid, ms) => {
      const child = children.get(pid)
      if (!ready.has(pid) || !child?.kill('SIGSTOP')) return false
      asleep.add(pid)
      frozen.add(pid)
      look()
      await new Promise((resolve) => setTimeout(resolve, ms))
      asleep.delete(pid)
      look()
      return child.kill('SIGCONT')
    },
    deaths,
    frozen,
    exits,
    stop: async () => {
      over.abort()
      for (const child of children.values()) child.kill('SIGKILL')
      await Promise.all(kept)
    },
  }
}
