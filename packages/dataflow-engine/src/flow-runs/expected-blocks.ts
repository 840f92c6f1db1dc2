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
  const known = new Set(blocks.map(({ id }) => id))
  for (let size = -1; size !== expected.size;) {
    size = expected.size
    for (const { id, scope, waitsFor } of blocks) {
      const upstream = waitsFor.filter((block) => known.has(block))
      if (upstream.length === 0) continue
      const isMet = (block: string) => expected.has(block)
      if (scope === 'any' ? upstream.some(isMet) : upstream.every(isMet)) expected.add(id)
    }
  }
  return expected
}

export const findRoots = <T extends WaitingBlock>(blocks: readonly T[]): T[] => {
  const known = new Set(blocks.map(({ id }) => id))
  return blocks.filter(({ waitsFor }) => !waitsFor.some((block) => known.has(block)))
}
