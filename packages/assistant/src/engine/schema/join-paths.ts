import type { Link, Model, Table } from './model.ts'

interface Step {
  readonly link: Link
  /** From many to one. The other direction can repeat rows. */
  readonly isUp: boolean
  readonly from: Table
  readonly to: Table
}

export interface Path {
  readonly steps: readonly Step[]
  /** Another path has the same length, so this one is a guess. */
  readonly isAmbiguous: boolean
}

const MAX_STEPS = 5

/** The shortest path; among those, paths that only go from many to one are preferred. */
export function findPath(model: Model, from: Table, to: Table): Path | undefined {
  if (from === to) return { steps: [], isAmbiguous: false }
  let level: Step[][] = [[]]
  const seenTables = new Set([from])
  for (let length = 1; length <= MAX_STEPS && level.length > 0; length += 1) {
    const next: Step[][] = []
    const found: Step[][] = []
    for (const steps of level) {
      const at = steps.at(-1)?.to ?? from
      for (const step of listSteps(model, at)) {
        if (seenTables.has(step.to) && step.to !== to) continue
        const path = [...steps, step]
        if (step.to === to) found.push(path)
        else next.push(path)
      }
    }
    if (found.length > 0) {
      const [best = [], second] = found.toSorted((a, b) => rank(a) - rank(b))
      return { steps: best, isAmbiguous: second !== undefined && rank(second) === rank(best) }
    }
    for (const path of next) seenTables.add(path.at(-1)?.to ?? from)
    level = next
  }
  return undefined
}

/** A junction table beats a shared parent: a dish is in orders by their lines, not by its restaurant. */
function rank(steps: readonly Step[]): number {
  const down = steps.filter((step) => !step.isUp).length
  const isSideways = steps.some(({ isUp }, at) => !isUp && steps[at - 1]?.isUp === true)
  return down + (isSideways ? 0.5 : 0)
}

function listSteps(model: Model, at: Table): Step[] {
  return model.links.flatMap((link) => [
    ...(link.from === at ? [{ link, isUp: true, from: at, to: link.to }] : []),
    ...(link.to === at ? [{ link, isUp: false, from: at, to: link.from }] : []),
  ])
}

export const isUpwards = (path: Path | undefined): boolean =>
  path !== undefined && path.steps.every((step) => step.isUp)

export function countSteps(model: Model, from: Table, to: Table): number {
  return findPath(model, from, to)?.steps.length ?? Number.POSITIVE_INFINITY
}
