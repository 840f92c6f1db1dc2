export interface Demand {
  readonly id: string
  readonly workspace: string
  /** Platforms apply rate limits per credential. */
  readonly credentials: readonly string[]
  /** Sessions in the workspace's database. */
  readonly sessions: number
}

export interface ActiveRun extends Demand {
  readonly isOwn: boolean
}

export interface AdmissionLimits {
  readonly total: number
  /** Per worker, which leaves slots for other workspaces. */
  readonly perWorkspace: number
  readonly perCredential: number
  readonly sessionsPerWorkspace: number
}

export type AdmissionRoom = Omit<AdmissionLimits, 'total'> & { readonly free: number }

/**
 * Which queued runs (oldest first) a worker may start: round robin, the workspace with the fewest runs first, so that
 * no workspace starves another and no worker takes all runs of one. A run held up by its credential lets others pass.
 */
export function chooseAdmitted(
  queued: readonly Demand[],
  active: readonly ActiveRun[],
  limits: AdmissionRoom,
): string[] {
  const runs = new Map<string, number>()
  const ownRuns = new Map<string, number>()
  const sessions = new Map<string, number>()
  const usersOfCredential = new Map<string, number>()
  // A run that needs more sessions than the limit takes all of them instead of waiting forever.
  const countSessions = (run: Demand) => Math.min(run.sessions, limits.sessionsPerWorkspace)
  const reserve = (run: Demand, isOwn: boolean) => {
    addCount(runs, run.workspace, 1)
    if (isOwn) addCount(ownRuns, run.workspace, 1)
    addCount(sessions, run.workspace, countSessions(run))
    for (const credential of new Set(run.credentials)) addCount(usersOfCredential, credential, 1)
  }
  for (const run of active) reserve(run, run.isOwn)
  const queueByWorkspace = Map.groupBy(queued, ({ workspace }) => workspace)
  const workspacesByLoad = [...queueByWorkspace].toSorted(([a], [b]) => getCount(runs, a) - getCount(runs, b))
  const admitted: string[] = []
  for (const [workspace, queue] of workspacesByLoad) {
    if (admitted.length >= limits.free) break
    if (getCount(ownRuns, workspace) >= limits.perWorkspace) continue
    const run = queue.find(({ credentials }) =>
      credentials.every((credential) => getCount(usersOfCredential, credential) < limits.perCredential),
    )
    // No overtaking while a run waits for sessions: small runs would starve a larger one.
    if (!run || getCount(sessions, workspace) + countSessions(run) > limits.sessionsPerWorkspace) continue
    reserve(run, true)
    admitted.push(run.id)
  }
  return admitted
}

type Counts = Map<string, number>
const getCount = (counts: Counts, name: string): number => counts.get(name) ?? 0
const addCount = (counts: Counts, name: string, by: number) => void counts.set(name, getCount(counts, name) + by)
