import type { ModelForeignKey, Model, Table } from './model.ts'

/** One join along a foreign key. */
interface JoinStep {
  readonly foreignKey: ModelForeignKey
  /** From many to one. The other direction can repeat rows. */
  readonly isManyToOne: boolean
  readonly from: Table
  readonly to: Table
}

/** The joins from one table to another. */
export interface JoinPath {
  readonly steps: readonly JoinStep[]
  /** Another path has the same length, so this one is a guess. */
  readonly isAmbiguous: boolean
}

const MAX_STEPS = 5
const SHARED_PARENT_RANK = 0.5

/** The shortest path; among those, paths that only go from many to one are preferred. */
export function findJoinPath(model: Model, from: Table, to: Table): JoinPath | undefined {
  if (from === to) return { steps: [], isAmbiguous: false }
  let pathsOfLength: JoinStep[][] = [[]]
  const seenTables = new Set([from])
  for (let length = 1; length <= MAX_STEPS && pathsOfLength.length > 0; length += 1) {
    const longerPaths: JoinStep[][] = []
    const pathsToTarget: JoinStep[][] = []
    for (const steps of pathsOfLength) {
      const lastTable = steps.at(-1)?.to ?? from
      for (const step of listStepsFrom(model, lastTable)) {
        if (seenTables.has(step.to) && step.to !== to) continue
        const path = [...steps, step]
        if (step.to === to) pathsToTarget.push(path)
        else longerPaths.push(path)
      }
    }
    if (pathsToTarget.length > 0) {
      const [bestPath = [], secondPath] = pathsToTarget.toSorted((a, b) => rankPath(a) - rankPath(b))
      return { steps: bestPath, isAmbiguous: secondPath !== undefined && rankPath(secondPath) === rankPath(bestPath) }
    }
    for (const path of longerPaths) seenTables.add(path.at(-1)?.to ?? from)
    pathsOfLength = longerPaths
  }
  return undefined
}

/** A junction table beats a shared parent: a dish is in orders by their lines, not by its restaurant. */
function rankPath(steps: readonly JoinStep[]): number {
  const oneToManySteps = steps.filter((step) => !step.isManyToOne).length
  const isThroughSharedParent = steps.some(
    ({ isManyToOne }, stepIndex) => !isManyToOne && steps[stepIndex - 1]?.isManyToOne === true,
  )
  return oneToManySteps + (isThroughSharedParent ? SHARED_PARENT_RANK : 0)
}

function listStepsFrom(model: Model, table: Table): JoinStep[] {
  return model.foreignKeys.flatMap((foreignKey) => [
    ...(foreignKey.from === table ? [{ foreignKey, isManyToOne: true, from: table, to: foreignKey.to }] : []),
    ...(foreignKey.to === table ? [{ foreignKey, isManyToOne: false, from: table, to: foreignKey.from }] : []),
  ])
}

/** Whether the path repeats no row of the table that it begins with. */
export const isManyToOnePath = (path: JoinPath | undefined): boolean =>
  path !== undefined && path.steps.every((step) => step.isManyToOne)

/** Infinity without a path. */
export function countJoinSteps(model: Model, from: Table, to: Table): number {
  return findJoinPath(model, from, to)?.steps.length ?? Number.POSITIVE_INFINITY
}
