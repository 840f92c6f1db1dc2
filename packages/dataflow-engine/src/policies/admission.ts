export interface Demand {
  readonly id: string
  readonly workspace: string
  /** Credentials it will use; a platform counts calls by them, whoever makes them. */
  readonly credentials: readonly string[]
}

export interface AdmissionLimits {
  readonly total: number
  readonly perWorkspace: number
  readonly perCredential: number
}

/**
 * Which of the queued runs (oldest first) may start now. Workspaces take turns, the one with the fewest runs first: a
 * thousand runs of one must not keep the single run of another waiting. A run held up by its credential lets others pass.
 */
export function admit(queued: readonly Demand[], active: readonly Demand[], limits: AdmissionLimits): string[] {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.get(name) ?? 0
  const take = ({ workspace, credentials }: Demand) => {
    for (const name of [`w:${workspace}`, ...new Set(credentials.map((one) => `c:${one}`))]) {
      counts.set(name, count(name) + 1)
    }
  }
  const fits = ({ workspace, credentials }: Demand) =>
    count(`w:${workspace}`) < limits.perWorkspace &&
    credentials.every((one) => count(`c:${one}`) < limits.perCredential)
  for (const run of active) take(run)
  const lines = new Map<string, Demand[]>()
  for (const run of queued) {
    const line = lines.get(run.workspace)
    if (line) line.push(run)
    else lines.set(run.workspace, [run])
  }
  const admitted: string[] = []
  while (active.length + admitted.length < limits.total && lines.size > 0) {
    const [workspace] = [...lines.keys()].toSorted((a, b) => count(`w:${a}`) - count(`w:${b}`))
    const line = lines.get(workspace ?? '') ?? []
    const at = line.findIndex(fits)
    const run = line[at]
    // What does not fit now fits no better later in this round: counts only grow.
    if (!run || line.length === 1) lines.delete(workspace ?? '')
    else lines.set(run.workspace, line.toSpliced(0, at + 1))
    if (!run) continue
    take(run)
    admitted.push(run.id)
  }
  return admitted
}
