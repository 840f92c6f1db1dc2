import type { Rights } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'

export type RightsLine = z.infer<typeof Rights>['lines'][number]
export type RightsCell = RightsLine['cells'][number]
type Right = RightsCell['rights'][number]['right']

const WORDS: Record<Right, string> = {
  connect: 'connect',
  read: 'read',
  write: 'write',
  create: 'create',
  own: 'own',
}
const ORDER: readonly Right[] = ['own', 'create', 'write', 'read', 'connect']

export const describeRight = (right: Right) => WORDS[right]

/** CONNECT is implied when there is more. */
export function listVisibleRights({ rights }: RightsCell): Right[] {
  const held = ORDER.filter((right) => rights.some((other) => other.right === right)).toReversed()
  return held.length > 1 ? held.filter((right) => right !== 'connect') : held
}

export const driftCount = (lines: readonly RightsLine[]) =>
  lines.reduce((sum, line) => sum + line.cells.filter((cell) => cell.has_drifted).length, 0)
