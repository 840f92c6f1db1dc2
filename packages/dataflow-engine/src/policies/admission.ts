export interface Demand {
  readonly id: string
  readonly workspace: string
  /** Credentials it will use; a platform counts calls by them, whoever makes them. */
  readonly credentials: readonly string[]
  /** Sessions in the workspace's database that it holds at the same time. */
  readonly sessions: number
}

export interface ActiveRun extends Demand {
  /** Held by the worker that asks. */
  readonly isOwn: boolean
}

export interface AdmissionLimits {
  /** Runs of one worker. */
  readonly total: number
  /** Runs of one workspace on one worker: the rest of its places is for other workspaces. */
  readonly perWorkspace: number
  /** Over all workers. */
  readonly perCredential: number
  /** Over all workers. */
  readonly sessionsPerWorkspace: number
}

/** What a worker has left: places, and the limits that hold besides. */
export type AdmissionRoom = Omit<AdmissionLimits, 'total'> & { readonly free: number }

/**
 * Which of the queued runs (oldest first) a worker may start now: one of each workspace, the one with the fewest runs
 * first. A thousand runs of one must not keep the single run of another waiting, and a worker that took all runs of a
 * workspace at once would leave none to the others. A run held up by its credential lets others pass.
 */
export function admit(queued: readonly Demand[], active: readonly ActiveRun[], room: AdmissionRoom): string[] {
  const runs = new Map<string, number>()
  const ownRuns = new Map<string, number>()
  const sessions = new Map<string, number>()
  const users = new Map<string, number>()
  // One that needs more than there is would wait for ever: it gets all of them.
  const need = (run: Demand) => Math.min(run.sessions, room.sessionsPerWorkspace)
  const take = (run: Demand, isOwn: boolean) => {
    add(runs, run.workspace, 1)
    if (isOwn) add(ownRuns, run.workspace, 1)
    add(sessions, run.workspace, need(run))
    for (const one of new Set(run.credentials)) add(users, one, 1)
  }
  for (const run of active) take(run, run.isOwn)
  const lines = Map.groupBy(queued, ({ workspace }) => workspace)
  const turns = [...lines].toSorted(([a], [b]) => count(runs, a) - count(runs, b))
  const admitted: string[] = []
  for (const [workspace, line] of turns) {
    if (admitted.length >= room.free) break
    if (count(ownRuns, workspace) >= room.perWorkspace) continue
    const run = line.find(({ credentials }) => credentials.every((one) => count(users, one) < room.perCredential))
    // Nobody passes a run that waits for sessions: runs that need one would keep one that needs two waiting for ever.
    if (!run || count(sessions, workspace) + need(run) > room.sessionsPerWorkspace) continue
    take(run, true)
    admitted.push(run.id)
  }
  return admitted
}

type Counts = Map<string, number>
const count = (counts: Counts, name: string): number => counts.get(name) ?? 0
const add = (counts: Counts, name: string, by: number) => void counts.set(name, count(counts, name) + by)
