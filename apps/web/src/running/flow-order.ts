interface DependentBlock {
  task_block_trellis_code: string
  waits_for: readonly string[]
}

/** Upstream first; blocks of a cycle come last. */
export function upstreamFirst<T extends DependentBlock>(blocks: readonly T[]): T[] {
  const left = new Set(blocks.map((block) => block.task_block_trellis_code))
  const sorted: T[] = []
  for (;;) {
    const ready = blocks.filter(
      (block) => left.has(block.task_block_trellis_code) && !block.waits_for.some((code) => left.has(code)),
    )
    if (ready.length === 0) break
    for (const item of ready) left.delete(item.task_block_trellis_code)
    sorted.push(...ready)
  }
  return [...sorted, ...blocks.filter((block) => left.has(block.task_block_trellis_code))]
}
