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
export function chooseAdmitted(queued: readonly Demand[], active: readonly ActiveRun[], room: AdmissionRoom): string[] {
  const runs = new Map<string, number>()
  const ownRuns = new Map<string, number>()
  const sessions = new Map<string, number>()
  const users = new Map<string, number>()
  // A run that needs more sessions than the limit takes all of them instead of waiting forever.
  const need = (run: Demand) => Math.min(run.sessions, room.sessionsPerWorkspace)
  const take = (run: Demand, isOwn: boolean) => {
    add(runs, run.workspace, 1)
    if (isOwn) add(ownRuns, run.workspace, 1)
    add(sessions, run.workspace, need(run))
    for (const credential of new Set(run.credentials)) add(users, credential, 1)
  }
  for (const run of active) take(run, run.isOwn)
  const lines = Map.groupBy(queued, ({ workspace }) => workspace)
  const turns = [...lines].toSorted(([a], [b]) => count(runs, a) - count(runs, b))
  const admitted: string[] = []
  for (const [workspace, line] of turns) {
    if (admitted.length >= room.free) break
    if (count(ownRuns, workspace) >= room.perWorkspace) continue
    const run = line.find(({ credentials }) =>
      credentials.every((credential) => count(users, credential) < room.perCredential),
    )
    // No overtaking while a run waits for sessions: small runs would starve a larger one.
    if (!run || count(sessions, workspace) + need(run) > room.sessionsPerWorkspace) continue
    take(run, true)
    admitted.push(run.id)
  }
  return admitted
}

type Counts = Map<string, number>
const count = (counts: Counts, name: string): number => counts.get(name) ?? 0
const add = (counts: Counts, name: string, by: number) => void counts.set(name, count(counts, name) + by)
