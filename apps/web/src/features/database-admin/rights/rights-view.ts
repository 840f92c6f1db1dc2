import type { Rights } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'

export type RightsRow = z.infer<typeof Rights>['lines'][number]
export type RightsCell = RightsRow['cells'][number]
type Right = RightsCell['rights'][number]['right']

const RIGHT_LABELS: Record<Right, string> = {
  connect: 'connect',
  read: 'read',
  write: 'write',
  create: 'create',
  own: 'own',
}
const RIGHTS_BY_RANK: readonly Right[] = ['own', 'create', 'write', 'read', 'connect']

export const getRightLabel = (right: Right) => RIGHT_LABELS[right]

/** CONNECT is implied when there is more. */
export function listDisplayedRights({ rights }: RightsCell): Right[] {
  const held = RIGHTS_BY_RANK.filter((right) =>
    rights.some((grantedRight) => grantedRight.right === right),
  ).toReversed()
  return held.length > 1 ? held.filter((right) => right !== 'connect') : held
}

export const countDriftedCells = (lines: readonly RightsRow[]) =>
  lines.reduce((sum, row) => sum + row.cells.filter((cell) => cell.has_drifted).length, 0)
