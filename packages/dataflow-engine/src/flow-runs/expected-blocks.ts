export interface WaitingBlock {
  readonly id: string
  readonly scope: 'any' | 'all'
  readonly waitsFor: readonly string[]
}

/**
 * Downstream blocks, assuming that all succeed: Any follows one upstream, All follows when every upstream is included.
 * Schedules and other dataflows are assumed to have fired.
 */
export function findExpectedBlocks(blocks: readonly WaitingBlock[], started: Iterable<string>): Set<string> {
  const expected = new Set(started)
  const knownIds = new Set(blocks.map(({ id }) => id))
  for (let previousSize = -1; previousSize !== expected.size;) {
    previousSize = expected.size
    for (const { id, scope, waitsFor } of blocks) {
      const upstream = waitsFor.filter((block) => knownIds.has(block))
      if (upstream.length === 0) continue
      const isMet = (block: string) => expected.has(block)
      if (scope === 'any' ? upstream.some(isMet) : upstream.every(isMet)) expected.add(id)
    }
  }
  return expected
}

export const findRoots = <T extends WaitingBlock>(blocks: readonly T[]): T[] => {
  const knownIds = new Set(blocks.map(({ id }) => id))
  return blocks.filter(({ waitsFor }) => !waitsFor.some((block) => knownIds.has(block)))
}
