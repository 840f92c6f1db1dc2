/** A published block of the dataflow, with the blocks of the same dataflow it waits for. */
export interface WaitingBlock {
  readonly id: string
  readonly scope: 'any' | 'all'
  readonly waitsFor: readonly string[]
}

/**
 * Blocks that run when these do and all of it succeeds: Any follows one of those it waits for, All follows when every one
 * of them is part of it. What waits for a due time or another dataflow besides is taken to have got it.
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

/** Where a run of the whole flow begins: blocks that wait for no other block of it. */
export const findRoots = <T extends WaitingBlock>(blocks: readonly T[]): T[] => {
  const known = new Set(blocks.map(({ id }) => id))
  return blocks.filter(({ waitsFor }) => !waitsFor.some((block) => known.has(block)))
}
